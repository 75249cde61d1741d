package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.SqlFragment;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;

/**
 * One DuckDB database in memory, to which files are attached. Connections to it are made for each use, which costs next to
 * nothing, and are used by one thread at a time.
 */
final class Database implements AutoCloseable {
    /** So many streams keep their rows in the engine. Of more, those opened first wait in files. */
    private static final int OPEN_STREAMS = 32;

    private final DuckDBConnection root;
    private final Path spill;
    private final RowFunction rows = new RowFunction();
    private final AtomicInteger names = new AtomicInteger();
    private final Set<RowStream> streams = new LinkedHashSet<>();

    private Database(DuckDBConnection root, Path spill) {
        this.root = root;
        this.spill = spill;
    }

    static Database open(EngineOptions options) {
        NativeLibrary.load();
        Properties settings = new Properties();
        settings.setProperty("memory_limit", options.memoryLimit());
        settings.setProperty("threads", Integer.toString(options.threads()));
        // To write what changed back to the file after every commit would cost more than the change. Who owns a file
        // decides.
        settings.setProperty("checkpoint_threshold", "1TB");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("allow_community_extensions", "false");
        settings.setProperty("allow_persistent_secrets", "false");
        try {
            Path spill = SpillFolder.in(options.folder());
            settings.setProperty("temp_directory", spill.toString());
            DuckDBConnection root = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", settings);
            Database database = new Database(root, spill);
            boolean ready = false;
            try {
                database.rows.register(root);
                confine(root, options);
                ready = true;
                return database;
            } finally {
                if (!ready) {
                    root.close();
                }
            }
        } catch (IOException e) {
            throw CacheFolder.unusable(options.folder(), e);
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot start the query engine", e);
        }
    }

    /** From here on the engine opens files in some folders only, loads no extensions, and keeps its configuration. */
    private static void confine(DuckDBConnection root, EngineOptions options) throws SQLException {
        String folders = Stream.concat(Stream.of(options.folder()), options.dataFolders().stream())
                .map(Literals::path)
                .distinct()
                .collect(Collectors.joining(", "));
        execute(root, "SET GLOBAL allowed_directories = [" + folders + "]");
        execute(root, "SET GLOBAL enable_external_access = false");
        execute(root, "SET GLOBAL lock_configuration = true");
    }

    /** Notes that a stream was opened. When there are many, the rows of the oldest ones are moved to files. */
    void opened(RowStream stream) {
        List<RowStream> tooMany;
        synchronized (streams) {
            streams.add(stream);
            tooMany = streams.stream()
                    .limit(Math.max(0, streams.size() - OPEN_STREAMS))
                    .toList();
        }
        for (RowStream oldest : tooMany) {
            if (oldest.park(SpillFolder.ofRows(spill))) {
                ended(oldest);
            }
        }
    }

    /** Notes that a stream needs the engine no more. */
    void ended(RowStream stream) {
        synchronized (streams) {
            streams.remove(stream);
        }
    }

    /** Closes every open stream. */
    void endStreams() {
        List<RowStream> open;
        synchronized (streams) {
            open = List.copyOf(streams);
        }
        open.forEach(RowStream::close);
    }

    RowFunction rows() {
        return rows;
    }

    /** A connection of its own. */
    DuckDBConnection connect() throws SQLException {
        if (isClosed()) {
            throw new OntologiaException(ErrorKind.CLOSED, "cannot ask the query engine", "it was closed", "");
        }
        return root.duplicate();
    }

    boolean isClosed() {
        try {
            return root.isClosed();
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot ask the query engine", e);
        }
    }

    /** A name that nothing attached has. */
    String newName(String prefix) {
        return prefix + names.incrementAndGet();
    }

    /** A statement with its parameters: scalars, and lists of texts. The caller closes it. */
    static PreparedStatement prepare(Connection connection, SqlFragment sql) throws SQLException {
        // Only prepared statements tell what is wrong with a statement.
        PreparedStatement statement = connection.prepareStatement(SingleStatement.require(sql.sql()));
        boolean bound = false;
        try {
            int index = 1;
            for (Object parameter : sql.parameters()) {
                if (parameter instanceof List<?> texts) {
                    statement.setArray(index++, connection.createArrayOf("VARCHAR", texts.toArray()));
                } else {
                    statement.setObject(index++, parameter);
                }
            }
            bound = true;
            return statement;
        } finally {
            if (!bound) {
                statement.close();
            }
        }
    }

    static void execute(Connection connection, SqlFragment sql) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql)) {
            statement.execute();
        }
    }

    /** Runs a statement that changes rows, and returns how many. */
    static long update(Connection connection, SqlFragment sql) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql)) {
            return statement.executeUpdate();
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        execute(connection, SqlFragment.of(sql));
    }

    @Override
    public void close() {
        try {
            root.close();
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot stop the query engine", e);
        }
    }
}
