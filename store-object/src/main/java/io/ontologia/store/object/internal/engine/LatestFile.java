package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.SqlFragment;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.duckdb.DuckDBConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DuckDB file with one store's tables of latest versions, attached to the database. Only one process can have a file
 * open, so each takes the first of several that is free. What is in it can be made again at any time: it is written without a
 * log, which leaves an older state behind when the process dies, and a file that cannot be read is replaced.
 */
final class LatestFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LatestFile.class);
    private static final int SLOTS = 100;

    /** After so many changed rows, or as many as there are, the file is brought up to date: old versions take room until then. */
    private static final long MANY_ROWS = 1_000_000;

    /** The files that databases of this process use: the locks of the operating system only tell processes apart. */
    private static final Set<Path> USED = ConcurrentHashMap.newKeySet();

    private final Database database;
    private final Path path;
    private final String name;
    private long changed;
    private long worthWriting = MANY_ROWS;

    private LatestFile(Database database, Path path, String name) {
        this.database = database;
        this.path = path;
        this.name = name;
    }

    /** Notes that rows were changed. By one thread at a time. */
    void changed(long rows) {
        changed += rows;
        if (changed < worthWriting) {
            return;
        }
        try (DuckDBConnection connection = database.connect()) {
            checkpoint(connection);
            worthWriting = Math.max(MANY_ROWS, size(connection));
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot write the tables of latest versions", e);
        }
        changed = 0;
    }

    private long size(DuckDBConnection connection) throws SQLException {
        try (PreparedStatement statement = Database.prepare(
                        connection,
                        SqlFragment.of(
                                "SELECT coalesce(sum(estimated_size), 0)::BIGINT FROM duckdb_tables()"
                                        + " WHERE database_name = ?",
                                name));
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    static LatestFile attach(Database database, Path folder, Extent extent, String storeId) {
        String base = extent.prefix() + "-" + Sha256.hex(storeId).substring(0, 32);
        for (int slot = 0; slot < SLOTS; slot++) {
            Path path = CacheFolder.ensure(folder)
                    .toAbsolutePath()
                    .resolve(base + (slot == 0 ? "" : "-" + slot) + ".duckdb");
            if (!USED.add(path)) {
                continue;
            }
            String name = database.newName(extent.prefix());
            boolean attached = false;
            try (DuckDBConnection connection = database.connect()) {
                attached = attached(connection, path, name);
                if (attached) {
                    return new LatestFile(database, path, name);
                }
            } catch (SQLException e) {
                throw DuckErrors.wrap("cannot open the tables of latest versions", e);
            } finally {
                if (!attached) {
                    USED.remove(path);
                }
            }
        }
        throw new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot open the tables of latest versions",
                "more than " + SLOTS + " processes use the folder",
                "give this one a folder of its own");
    }

    /** What its tables are called is behind this name and a dot. */
    String name() {
        return name;
    }

    private static boolean attached(DuckDBConnection connection, Path path, String name) throws SQLException {
        try {
            open(connection, path, name);
            return true;
        } catch (SQLException e) {
            if (isInUse(e)) {
                return false;
            }
            Database.execute(connection, "DETACH DATABASE IF EXISTS " + name);
            delete(path, e);
        }
        try {
            open(connection, path, name);
            return true;
        } catch (SQLException e) {
            // Somebody may have been faster with the new file.
            if (isInUse(e)) {
                return false;
            }
            throw e;
        }
    }

    private static void open(DuckDBConnection connection, Path path, String name) throws SQLException {
        Database.execute(
                connection, "ATTACH " + Literals.path(path) + " AS " + name + " (RECOVERY_MODE no_wal_writes)");
        LatestCatalog.prepare(connection, name);
    }

    private static boolean isInUse(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("Could not set lock on file") || message.contains("Unique file handle conflict");
    }

    private static void delete(Path path, SQLException reason) throws SQLException {
        try {
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.resolveSibling(path.getFileName() + ".wal"));
        } catch (IOException e) {
            reason.addSuppressed(e);
            throw reason;
        }
    }

    @Override
    public void close() {
        if (database.isClosed()) {
            return;
        }
        try (DuckDBConnection connection = database.connect()) {
            checkpoint(connection);
            Database.execute(connection, "DETACH DATABASE IF EXISTS " + name);
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot close the tables of latest versions", e);
        }
    }

    /** Lets other databases of this process use the file. */
    void release() {
        USED.remove(path);
    }

    /** Deletes the file after its database was closed. One that cannot be deleted is used no more by this process. */
    void delete() {
        try {
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.resolveSibling(path.getFileName() + ".wal"));
            release();
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("file", path)
                    .addKeyValue("reason", e.toString())
                    .log("damaged local file not deleted");
        }
    }

    private void checkpoint(DuckDBConnection connection) {
        try {
            Database.execute(connection, "CHECKPOINT " + name);
        } catch (SQLException e) {
            // Somebody still reads. What is not in the file then will be applied again.
            LOG.debug("tables of latest versions were closed while in use", e);
        }
    }
}
