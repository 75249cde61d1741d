package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.SqlFragment;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Changes tables of latest versions, in transactions of the caller's. */
final class LatestWriter {
    private final LatestCatalog catalog;
    private final FileColumns fileColumns;

    LatestWriter(LatestCatalog catalog, FileColumns fileColumns) {
        this.catalog = catalog;
        this.fileColumns = fileColumns;
    }

    /** How much is done for the readers of a table that is made anew; less of it takes less memory. */
    enum Effort {
        /** Sorted by identity, with an index. */
        FULL,
        /** With an index. */
        INDEX,
        /** Neither. */
        LEAST
    }

    void rebuild(Connection connection, TypeRef type, List<DataFile> all, LatestTables.Applied applied, Effort effort)
            throws SQLException {
        RowColumns columns = RowColumns.of(type.kind());
        FieldColumns fields = FieldColumns.common(fileColumns.of(all));
        SqlFragment rows = new FileRows(columns, all, fileColumns)
                .select(new Window.AsOf(applied.commitId()), plain(fields), List.of());
        drop(connection, type);
        long id = catalog.nextId(connection);
        create(connection, columns, id, fields);
        insert(
                connection,
                columns,
                id,
                plain(fields),
                effort == Effort.FULL ? rows.then(" ORDER BY " + columns.identityList()) : rows);
        if (effort != Effort.LEAST) {
            index(connection, columns, id);
        }
        catalog.put(connection, type, new LatestCatalog.Entry(id, applied, fields));
    }

    void advance(Connection connection, TypeRef type, List<DataFile> newer, LatestTables.Applied applied)
            throws SQLException {
        LatestCatalog.Entry entry = entry(connection, type, applied);
        long from = entry.applied().commitId();
        if (from >= applied.commitId()) {
            return;
        }
        List<DataFile> files = newer.stream()
                .filter(file -> file.maxCommitId() > from && file.minCommitId() <= applied.commitId())
                .toList();
        List<FieldColumns> all = new ArrayList<>(List.of(entry.columns()));
        all.addAll(fileColumns.of(files));
        LatestCatalog.Entry fitted = fit(connection, type, entry, FieldColumns.common(all));
        if (!files.isEmpty()) {
            RowColumns columns = RowColumns.of(type.kind());
            SqlFragment rows = new FileRows(columns, files, fileColumns)
                    .select(
                            new Window.AsOf(applied.commitId()),
                            plain(fitted.columns()),
                            List.of(SqlFragment.of("commit_id > " + from)));
            replace(connection, columns, fitted, rows);
        }
        catalog.move(connection, type, applied);
    }

    void advance(
            Connection connection,
            TypeRef type,
            long schemaVersion,
            RowBatch batch,
            RowFunction.Loan loan,
            LatestTables.Applied applied)
            throws SQLException {
        LatestCatalog.Entry entry = entry(connection, type, applied);
        if (entry.applied().commitId() >= applied.commitId()) {
            return;
        }
        FieldColumns both = FieldColumns.common(List.of(entry.columns(), batch.fields()));
        LatestCatalog.Entry fitted = fit(connection, type, entry, both);
        RowColumns columns = RowColumns.of(type.kind());
        String fields = plain(both).stream()
                .map(field -> batch.fields().lacks(field) ? ", NULL" : ", " + Literals.column(field))
                .collect(Collectors.joining());
        replace(
                connection,
                columns,
                fitted,
                SqlFragment.of("SELECT " + columns.identityList() + ", " + applied.commitId()
                        + " AS commit_id, " + schemaVersion + " AS schema_version_id, fields_json" + fields + " FROM "
                        + loan.sql()));
        catalog.move(connection, type, applied);
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

    /** A table that has the columns of some fields, no more and no less: the same one, or a copy. */
    private LatestCatalog.Entry fit(Connection connection, TypeRef type, LatestCatalog.Entry entry, FieldColumns wanted)
            throws SQLException {
        if (wanted.equals(entry.columns())) {
            return entry;
        }
        LatestCatalog.Entry fitted = new LatestCatalog.Entry(entry.id(), entry.applied(), wanted);
        if (!plainKinds(wanted).equals(plainKinds(entry.columns()))) {
            RowColumns columns = RowColumns.of(type.kind());
            fitted = new LatestCatalog.Entry(catalog.nextId(connection), entry.applied(), wanted);
            create(connection, columns, fitted.id(), wanted);
            String fields = plain(wanted).stream()
                    .map(field -> entry.columns().plain(field).isPresent() ? ", " + Literals.column(field) : ", NULL")
                    .collect(Collectors.joining());
            insert(
                    connection,
                    columns,
                    fitted.id(),
                    plain(wanted),
                    SqlFragment.of("SELECT " + columns.base() + fields + " FROM " + catalog.table(entry.id())));
            index(connection, columns, fitted.id());
            Database.execute(connection, "DROP TABLE " + catalog.table(entry.id()));
        }
        catalog.put(connection, type, fitted);
        return fitted;
    }

    private void create(Connection connection, RowColumns columns, long id, FieldColumns fields) throws SQLException {
        String identity =
                columns.identity().stream().map(column -> column + " VARCHAR, ").collect(Collectors.joining());
        String typed = plainKinds(fields).entrySet().stream()
                .map(field -> ", " + Literals.column(field.getKey()) + " "
                        + field.getValue().column())
                .collect(Collectors.joining());
        Database.execute(
                connection,
                "CREATE TABLE " + catalog.table(id) + " (" + identity
                        + "commit_id BIGINT, schema_version_id BIGINT, fields_json VARCHAR" + typed + ")");
    }

    private void insert(Connection connection, RowColumns columns, long id, Set<String> fields, SqlFragment rows)
            throws SQLException {
        String names =
                fields.stream().map(field -> ", " + Literals.column(field)).collect(Collectors.joining());
        Database.execute(
                connection, rows.wrap("INSERT INTO " + catalog.table(id) + " (" + columns.base() + names + ") ", ""));
    }

    /** Indexes allow equal keys, so that a row can be deleted and inserted in one transaction. */
    private void index(Connection connection, RowColumns columns, long id) throws SQLException {
        List<String> indexed = columns == RowColumns.ENTITIES ? columns.identity() : List.of("left_key", "right_key");
        for (String column : indexed) {
            Database.execute(
                    connection,
                    "CREATE INDEX i" + id + "_" + column + " ON " + catalog.table(id) + " (" + column + ")");
        }
    }

    private void replace(Connection connection, RowColumns columns, LatestCatalog.Entry entry, SqlFragment rows)
            throws SQLException {
        Database.execute(
                connection,
                rows.wrap(
                        "DELETE FROM " + catalog.table(entry.id()) + " WHERE (" + columns.identityList()
                                + ") IN (SELECT " + columns.identityList() + " FROM (",
                        "))"));
        insert(connection, columns, entry.id(), plain(entry.columns()), rows);
    }

    /** The fields with a column, always in the same order. */
    private static Set<String> plain(FieldColumns fields) {
        return new LinkedHashSet<>(plainKinds(fields).keySet());
    }

    private static Map<String, FieldKind> plainKinds(FieldColumns fields) {
        return fields.kinds().entrySet().stream()
                .filter(field -> field.getValue().isPlain())
                .sorted(Map.Entry.comparingByKey())
                .collect(Collectors.toMap(
                        Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, java.util.LinkedHashMap::new));
    }
}
