package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.StoredRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;

/**
 * The newest version of every row of a store, one table for each type, on this machine's disk. All of it is derived: a
 * caller that doubts a table rebuilds it, and one that finds it behind moves it forward.
 *
 * <p>Safe for use by many threads: changes happen one after the other, each in one transaction, and readers see the state
 * before or after, from the start of a query to its end.
 */
public final class LatestTables implements AutoCloseable {
    /** So many are found one by one; more are joined. */
    private static final int FEW = 64;

    private final Database database;
    private final LatestFile file;
    private final LatestCatalog catalog;
    private final LatestWriter writer;
    private final Runnable onClose;
    private final ReentrantLock writing = new ReentrantLock();

    LatestTables(Database database, LatestFile file, FileColumns fileColumns, Runnable onClose) {
        this.database = database;
        this.file = file;
        this.catalog = new LatestCatalog(file.name());
        this.writer = new LatestWriter(catalog, fileColumns);
        this.onClose = onClose;
    }

    /**
     * What a table stands at.
     *
     * @param commitId every row of this commit and those before it is in the table, and none of later ones
     * @param fingerprint whatever the caller told with the last change
     */
    public record Applied(long commitId, String fingerprint) {}

    /** One change, in a transaction. */
    private interface Change {
        void make(DuckDBConnection connection) throws SQLException;
    }

    /** What the table of a type stands at; empty when there is none. */
    public Optional<Applied> applied(TypeRef type) {
        try (Reading reading = Reading.begin(database)) {
            return catalog.find(reading.connection(), type).map(LatestCatalog.Entry::applied);
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read the latest versions of " + type, e);
        }
    }

    /**
     * Makes the table of a type anew from all of its files.
     *
     * @param upTo rows of later commits are left out
     */
    public void rebuild(TypeRef type, List<DataFile> all, long upTo, String fingerprint) {
        Applied applied = new Applied(upTo, fingerprint);
        for (LatestWriter.Effort effort : LatestWriter.Effort.values()) {
            try {
                change(connection -> writer.rebuild(connection, type, all, applied, effort));
                return;
            } catch (SQLException e) {
                if (!DuckErrors.isOutOfMemory(e) || effort == LatestWriter.Effort.LEAST) {
                    throw DuckErrors.wrap("cannot make the latest versions of " + type, e);
                }
            }
        }
    }

    /**
     * Moves the table of a type forward. Does nothing when it stands there already, or further on.
     *
     * @param newer at least the files with rows of commits after the one that the table stands at
     * @param upTo rows of later commits are left out
     * @throws StaleLatestException when there is no table
     */
    public void advance(TypeRef type, List<DataFile> newer, long upTo, String fingerprint) {
        Applied applied = new Applied(upTo, fingerprint);
        try {
            change(connection -> writer.advance(connection, type, newer, applied));
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot move the latest versions of " + type + " forward", e);
        }
    }

    /**
     * Moves the table of a type forward by one commit whose rows are at hand. The table must stand at the state right before
     * it, whatever commits of other types came in between. Does nothing when it stands there already, or further on.
     *
     * @throws StaleLatestException when there is no table
     */
    public void advance(
            OntologyType type, long schemaVersion, long commitId, List<DesiredRow> rows, String fingerprint) {
        Applied applied = new Applied(commitId, fingerprint);
        RowBatch batch = RowBatch.of(type, rows);
        try (RowFunction.Loan loan = database.rows().lend(batch)) {
            change(connection -> writer.advance(connection, type.ref(), schemaVersion, batch, loan, applied));
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot move the latest versions of " + type.ref() + " forward", e);
        }
    }

    /** Forgets the table of a type. Does nothing when there is none. */
    public void drop(TypeRef type) {
        try {
            change(connection -> writer.drop(connection, type));
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot drop the latest versions of " + type, e);
        }
    }

    private void change(Change change) throws SQLException {
        writing.lock();
        try (DuckDBConnection connection = database.connect()) {
            connection.setAutoCommit(false);
            boolean made = false;
            try {
                change.make(connection);
                connection.commit();
                made = true;
            } finally {
                if (!made) {
                    connection.rollback();
                }
            }
        } finally {
            writing.unlock();
        }
    }

    /**
     * The newest versions of some rows, in no order, wherever the table stands; those that are not there are left out.
     *
     * @throws StaleLatestException when there is no table
     */
    public List<StoredRow> find(TypeRef type, List<Identity> identities) {
        return find(type, OptionalLong.empty(), identities);
    }

    /**
     * The same as of a commit.
     *
     * @throws StaleLatestException when the table does not stand at the commit, or there is none
     */
    public List<StoredRow> find(TypeRef type, long commitId, List<Identity> identities) {
        return find(type, OptionalLong.of(commitId), identities);
    }

    private List<StoredRow> find(TypeRef type, OptionalLong commitId, List<Identity> identities) {
        if (identities.isEmpty()) {
            return List.of();
        }
        RowColumns columns = RowColumns.of(type.kind());
        Reading reading = Reading.begin(database);
        try (RowFunction.Loan loan = database.rows().lend(RowBatch.ofIdentities(columns, identities))) {
            String table = catalog.table(entry(reading, type, commitId).id());
            PreparedStatement statement = Database.prepare(
                    reading.connection(),
                    SqlFragment.of("SELECT " + columns.identityList()
                            + ", fields_json, commit_id, coalesce(schema_version_id, 1) FROM " + table + " WHERE "
                            + (identities.size() <= FEW ? among(columns, identities) : among(columns, loan))));
            try (Stream<StoredRow> rows = RowStream.open(reading, columns, statement)) {
                return rows.toList();
            }
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot find the latest versions of " + type, e);
        } finally {
            reading.close();
        }
    }

    private static String among(RowColumns columns, RowFunction.Loan loan) {
        return "(" + columns.identityList() + ") IN (SELECT " + columns.identityList() + " FROM " + loan.sql() + ")";
    }

    /** In a form that the index on the first part of the identity serves. */
    private static String among(RowColumns columns, List<Identity> identities) {
        String first = columns.identity().get(0) + " IN ("
                + identities.stream()
                        .map(identity ->
                                Literals.text(RowColumns.values(identity).get(0)))
                        .distinct()
                        .collect(Collectors.joining(", "))
                + ")";
        return columns == RowColumns.ENTITIES
                ? first
                : first + " AND (" + columns.identityList() + ") IN ("
                        + identities.stream()
                                .map(identity -> RowColumns.values(identity).stream()
                                        .map(Literals::text)
                                        .collect(Collectors.joining(", ", "(", ")")))
                                .collect(Collectors.joining(", "))
                        + ")";
    }

    /** The rows of a type for one statement. */
    RowSource rows(Reading reading, TypeRef type, long commitId) {
        try {
            LatestCatalog.Entry entry = entry(reading, type, OptionalLong.of(commitId));
            return new TableRows(RowColumns.of(type.kind()), catalog.table(entry.id()), entry.columns());
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read the latest versions of " + type, e);
        }
    }

    private LatestCatalog.Entry entry(Reading reading, TypeRef type, OptionalLong commitId) throws SQLException {
        LatestCatalog.Entry entry = catalog.find(reading.connection(), type)
                .orElseThrow(() -> new StaleLatestException(type, commitId.orElse(0), "nothing"));
        long found = entry.applied().commitId();
        if (commitId.orElse(found) != found) {
            throw new StaleLatestException(type, commitId.getAsLong(), "commit " + found);
        }
        return entry;
    }

    /** Lets go of the file; the engine closes it when nobody else uses it. */
    @Override
    public void close() {
        onClose.run();
    }

    void detach() {
        writing.lock();
        try {
            file.close();
        } finally {
            writing.unlock();
        }
    }
}
