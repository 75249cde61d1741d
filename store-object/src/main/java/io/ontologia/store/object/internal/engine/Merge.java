package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.SqlFragment;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes one file of several, and proves it. */
final class Merge {
    private static final String ROW_GROUPS = ", ROW_GROUP_SIZE 102400";

    private final Connection connection;
    private final FileColumns fileColumns;

    Merge(Connection connection, FileColumns fileColumns) {
        this.connection = connection;
        this.fileColumns = fileColumns;
    }

    /**
     * Writes all rows of some files into one, in the order of commits and then identities.
     *
     * @param without every version of these rows is left out
     */
    void run(TypeRef type, List<DataFile> files, Set<Identity> without, Path target) throws SQLException {
        SqlFragment kept = kept(type, without);
        List<FieldColumns> all = fileColumns.of(connection, files);
        FieldColumns common = FieldColumns.common(all);
        boolean ours = all.stream().allMatch(one -> one.scope() == FieldColumns.Scope.CLOSED);
        if (ours) {
            // Each file is sorted, so one after the other they are too.
            boolean sorted = isInOrder(files);
            copy(type, files, ParquetSql.fields(common), kept, sorted, target, ParquetSql.options(common, ROW_GROUPS));
        } else {
            copyForeign(type, files, kept, target);
        }
        fileColumns.learn(target, common);
    }

    /** Columns of fields that another writer made are kept where they fit together. */
    private void copyForeign(TypeRef type, List<DataFile> files, SqlFragment kept, Path target) throws SQLException {
        RowColumns columns = RowColumns.of(type.kind());
        String options = " (FORMAT parquet, COMPRESSION zstd" + ROW_GROUPS + ")";
        String others = ", * EXCLUDE (" + columns.typeColumn() + ", " + columns.base() + ")";
        try {
            copy(type, files, others, kept, false, target, options);
        } catch (SQLException e) {
            if (DuckErrors.isOutOfMemory(e)) {
                throw e;
            }
            copy(type, files, "", kept, false, target, options);
        }
    }

    /** The condition that leaves rows out. */
    private static SqlFragment kept(TypeRef type, Set<Identity> without) {
        if (without.isEmpty()) {
            return SqlFragment.of("");
        }
        List<String> columns = RowColumns.of(type.kind()).identity();
        String rows = without.stream()
                .map(identity -> RowColumns.values(identity).stream()
                        .map(Literals::text)
                        .collect(Collectors.joining(", ", "(", ")")))
                .collect(Collectors.joining(", "));
        String same = columns.stream()
                .map(column -> "coalesce(" + column + ", '') = erased_" + column)
                .collect(Collectors.joining(" AND "));
        return SqlFragment.of(" WHERE NOT EXISTS (SELECT 1 FROM (VALUES " + rows + ") erased(erased_"
                + String.join(", erased_", columns) + ") WHERE " + same + ")");
    }

    private void copy(
            TypeRef type,
            List<DataFile> files,
            String fields,
            SqlFragment kept,
            boolean sorted,
            Path target,
            String options)
            throws SQLException {
        RowColumns columns = RowColumns.of(type.kind());
        Database.execute(
                connection,
                SqlFragment.of("COPY (SELECT CAST(commit_id AS BIGINT) AS commit_id, " + Literals.text(type.name())
                                + " AS " + columns.typeColumn() + ", " + columns.identityList()
                                + ", CAST(schema_version_id AS BIGINT) AS schema_version_id, fields_json" + fields
                                + " FROM ")
                        .then(FileList.readByName(files))
                        .then(kept)
                        .then(sorted && kept.sql().isEmpty() ? "" : " ORDER BY commit_id, " + columns.identityList())
                        .then(") TO " + Literals.path(target) + options));
    }

    private static boolean isInOrder(List<DataFile> files) {
        if (files.stream().anyMatch(file -> file.extent() == DataFile.Extent.PART)) {
            return false;
        }
        for (int i = 1; i < files.size(); i++) {
            if (files.get(i).minCommitId() <= files.get(i - 1).maxCommitId()) {
                return false;
            }
        }
        return true;
    }

    /** The checksum of all rows of some files. */
    Checksum checksum(TypeRef type, List<DataFile> files) throws SQLException {
        if (files.isEmpty()) {
            return new Checksum(0, "0-0");
        }
        String identity = RowColumns.of(type.kind()).identity().stream()
                .map(column -> "strlen(" + column + ") || ':' || " + column + " || ")
                .collect(Collectors.joining());
        SqlFragment sql = SqlFragment.of("SELECT count(*), coalesce(sum(md5_number_lower(line)), 0),"
                        + " coalesce(sum(md5_number_upper(line)), 0) FROM (SELECT " + identity
                        + "commit_id || ',' || coalesce(CAST(schema_version_id AS VARCHAR), '') || ',' || fields_json"
                        + " AS line FROM ")
                .then(FileList.read(files))
                .then(")");
        try (PreparedStatement statement = Database.prepare(connection, sql);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return new Checksum(rows.getLong(1), rows.getString(2) + "-" + rows.getString(3));
        }
    }
}
