package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.SqlNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Changes tables of latest versions, in transactions of the caller's. */
final class LatestWriter {
    private final Extent extent;
    private final LatestCatalog catalog;
    private final FileColumns fileColumns;
    private final Consumer<TypeRef> onNewTable;

    /**
     * @param onNewTable is called with each type that gets a new table, which has no index
     */
    LatestWriter(Extent extent, LatestCatalog catalog, FileColumns fileColumns, Consumer<TypeRef> onNewTable) {
        this.extent = extent;
        this.catalog = catalog;
        this.fileColumns = fileColumns;
        this.onNewTable = onNewTable;
    }

    void rebuild(Connection connection, TypeRef type, List<DataFile> all, LatestTables.Applied applied)
            throws SQLException {
        RowColumns columns = RowColumns.of(type.kind());
        FieldColumns fields = extent.columns(FieldColumns.common(fileColumns.of(connection, all)));
        SqlFragment rows =
                extent.select(new FileRows(connection, type, all, fileColumns), type, fields, 0, applied.commitId());
        drop(connection, type);
        long id = catalog.nextId(connection);
        create(connection, type, id, fields);
        insert(connection, columns, id, fields.plainNames(), present(rows));
        catalog.put(connection, type, new LatestCatalog.Entry(id, applied, fields));
    }

    /** Returns how many rows were added. */
    long advance(
            Connection connection, TypeRef type, List<DataFile> newer, String fingerprint, LatestTables.Applied applied)
            throws SQLException {
        LatestCatalog.Entry entry = entry(connection, type, applied);
        long from = entry.applied().commitId();
        if (from >= applied.commitId()) {
            return 0;
        }
        requireAt(type, entry, fingerprint);
        List<DataFile> files = newer.stream()
                .filter(file -> file.maxCommitId() > from && file.minCommitId() <= applied.commitId())
                .toList();
        List<FieldColumns> all = new ArrayList<>(List.of(entry.columns()));
        all.addAll(fileColumns.of(connection, files));
        LatestCatalog.Entry fitted = fit(connection, type, entry, extent.columns(FieldColumns.common(all)));
        long added = 0;
        if (!files.isEmpty()) {
            RowColumns columns = RowColumns.of(type.kind());
            SqlFragment rows = extent.select(
                    new FileRows(connection, type, files, fileColumns),
                    type,
                    fitted.columns(),
                    from,
                    applied.commitId());
            added = extent == Extent.ALL
                    ? insert(connection, columns, fitted.id(), fitted.columns().plainNames(), rows)
                    : replace(connection, columns, fitted, rows);
        }
        catalog.move(connection, type, applied);
        return added;
    }

    /** Returns how many rows were added. */
    long advance(
            Connection connection,
            List<LatestTables.Written> commits,
            List<RowFunction.Loan> loans,
            String fingerprint,
            LatestTables.Applied applied)
            throws SQLException {
        TypeRef type = commits.get(0).rows().type();
        LatestCatalog.Entry entry = entry(connection, type, applied);
        if (entry.applied().commitId() >= applied.commitId()) {
            return 0;
        }
        requireAt(type, entry, fingerprint);
        List<FieldColumns> all = new ArrayList<>(List.of(entry.columns()));
        commits.forEach(commit -> all.add(commit.rows().fields()));
        LatestCatalog.Entry fitted = fit(connection, type, entry, FieldColumns.common(all));
        RowColumns columns = RowColumns.of(type.kind());
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < commits.size(); i++) {
            parts.add(select(columns, fitted.columns().plainNames(), commits.get(i), loans.get(i)));
        }
        boolean allNew = commits.stream().allMatch(commit -> commit.before() == LatestTables.Before.NONE);
        SqlFragment rows = SqlFragment.of(String.join(" UNION ALL ", parts));
        if (!allNew && commits.size() > 1) {
            rows = rows.wrap(
                    "SELECT * FROM (",
                    ") QUALIFY row_number() OVER (PARTITION BY " + columns.identityList()
                            + " ORDER BY commit_id DESC) = 1");
        }
        long added = allNew
                ? insert(connection, columns, fitted.id(), fitted.columns().plainNames(), present(rows))
                : replace(connection, columns, fitted, rows);
        catalog.move(connection, type, applied);
        return added;
    }

    private static String select(
            RowColumns columns, Set<String> fields, LatestTables.Written commit, RowFunction.Loan loan) {
        FieldColumns own = commit.rows().fields();
        return fields.stream()
                .map(field -> own.lacks(field) ? ", NULL AS " + SqlNames.quoted(field) : ", " + SqlNames.quoted(field))
                .collect(Collectors.joining(
                        "",
                        "SELECT " + columns.identityList() + ", " + commit.commitId() + " AS commit_id, "
                                + commit.schemaVersion() + " AS schema_version_id, fields_json",
                        " FROM " + loan.sql()));
    }

    void drop(Connection connection, TypeRef type) throws SQLException {
        var entry = catalog.find(connection, type);
        if (entry.isPresent()) {
            Database.execute(
                    connection, "DROP TABLE " + catalog.table(entry.get().id()));
            catalog.delete(connection, type);
        }
    }

    private LatestCatalog.Entry entry(Connection connection, TypeRef type, LatestTables.Applied applied)
            throws SQLException {
        return catalog.find(connection, type)
                .orElseThrow(() -> new StaleLatestException(type, applied.commitId(), "nothing"));
    }

    /** In the transaction: several open stores of one process may share a table, each with its own idea of where it stands. */
    private static void requireAt(TypeRef type, LatestCatalog.Entry entry, String fingerprint) {
        if (!entry.applied().fingerprint().equals(fingerprint)) {
            throw new StaleLatestException(
                    type, entry.applied().commitId(), "'" + entry.applied().fingerprint() + "'");
        }
    }

    /** A table that has the columns of some fields, no more and no less: the same one, or a copy. */
    private LatestCatalog.Entry fit(Connection connection, TypeRef type, LatestCatalog.Entry entry, FieldColumns wanted)
            throws SQLException {
        if (wanted.equals(entry.columns())) {
            return entry;
        }
        if (wanted.plainKinds().equals(entry.columns().plainKinds())) {
            LatestCatalog.Entry fitted = new LatestCatalog.Entry(entry.id(), entry.applied(), wanted);
            catalog.put(connection, type, fitted);
            return fitted;
        }
        return copy(connection, type, entry, wanted);
    }

    /** Copies the rows of a table to a new one, which takes its place. */
    private LatestCatalog.Entry copy(
            Connection connection, TypeRef type, LatestCatalog.Entry entry, FieldColumns wanted) throws SQLException {
        RowColumns columns = RowColumns.of(type.kind());
        LatestCatalog.Entry copy = new LatestCatalog.Entry(catalog.nextId(connection), entry.applied(), wanted);
        create(connection, type, copy.id(), wanted);
        String fields = wanted.plainNames().stream()
                .map(field -> entry.columns().plain(field).isPresent() ? ", " + SqlNames.quoted(field) : ", NULL")
                .collect(Collectors.joining());
        insert(
                connection,
                columns,
                copy.id(),
                wanted.plainNames(),
                SqlFragment.of("SELECT " + columns.base() + fields + " FROM " + catalog.table(entry.id())));
        Database.execute(connection, "DROP TABLE " + catalog.table(entry.id()));
        catalog.put(connection, type, copy);
        return copy;
    }

    private void create(Connection connection, TypeRef type, long id, FieldColumns fields) throws SQLException {
        onNewTable.accept(type);
        String identity = RowColumns.of(type.kind()).identity().stream()
                .map(column -> column + " VARCHAR, ")
                .collect(Collectors.joining());
        String typed = fields.plainKinds().entrySet().stream()
                .map(field -> ", " + SqlNames.quoted(field.getKey()) + " "
                        + field.getValue().column())
                .collect(Collectors.joining());
        Database.execute(
                connection,
                "CREATE TABLE " + catalog.table(id) + " (" + identity
                        + "commit_id BIGINT, schema_version_id BIGINT, fields_json VARCHAR" + typed + ")");
    }

    private long insert(Connection connection, RowColumns columns, long id, Set<String> fields, SqlFragment rows)
            throws SQLException {
        String names =
                fields.stream().map(field -> ", " + SqlNames.quoted(field)).collect(Collectors.joining());
        return Database.update(
                connection, rows.wrap("INSERT INTO " + catalog.table(id) + " (" + columns.base() + names + ") ", ""));
    }

    /**
     * Gives a type a table with an index, unless it has one. The rows are copied to a new table, and the index is made in the
     * transaction that makes the table. An index that is added to a table which older transactions still read lacks the rows
     * that only those can see; when DuckDB removes such a row later and does not find it in the index, it ends the process.
     * Indexes allow equal keys, so that a row can be deleted and inserted in one transaction.
     */
    void index(Connection connection, TypeRef type) throws SQLException {
        var found = catalog.find(connection, type);
        if (found.isEmpty() || catalog.isIndexed(connection, found.get())) {
            return;
        }
        LatestCatalog.Entry copy =
                copy(connection, type, found.get(), found.get().columns());
        RowColumns columns = RowColumns.of(type.kind());
        List<String> indexed = columns == RowColumns.ENTITIES ? columns.identity() : List.of("left_key", "right_key");
        for (String column : indexed) {
            Database.execute(
                    connection,
                    "CREATE INDEX i" + copy.id() + "_" + column + " ON " + catalog.table(copy.id()) + " (" + column
                            + ")");
        }
    }

    private long replace(Connection connection, RowColumns columns, LatestCatalog.Entry entry, SqlFragment rows)
            throws SQLException {
        Database.execute(
                connection,
                rows.wrap(
                        "DELETE FROM " + catalog.table(entry.id()) + " WHERE (" + columns.identityList()
                                + ") IN (SELECT " + columns.identityList() + " FROM (",
                        "))"));
        return insert(connection, columns, entry.id(), entry.columns().plainNames(), present(rows));
    }

    /** Those of newest versions that do not end their rows: a table of latest versions has no rows that ended. */
    private SqlFragment present(SqlFragment rows) {
        return extent == Extent.ALL ? rows : rows.wrap("SELECT * FROM (", ") WHERE fields_json <> 'null'");
    }
}
