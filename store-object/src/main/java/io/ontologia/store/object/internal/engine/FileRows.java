package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.SqlNames;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Rows of one type in Parquet files. Rows of other types, which only other writers put there, do not count. */
final class FileRows implements RowSource {
    private final Connection connection;
    private final TypeRef type;
    private final RowColumns columns;
    private final List<DataFile> files;
    private final FileColumns fileColumns;
    private final Source.Ends ends;
    private final Map<DataFile, FieldColumns> known = new HashMap<>();

    /** Newest versions with those that end their rows among them. */
    FileRows(Connection connection, TypeRef type, List<DataFile> files, FileColumns fileColumns) {
        this(connection, type, files, fileColumns, Source.Ends.NONE);
    }

    /**
     * @param ends whether some rows may have ended; those are left out of newest versions
     */
    FileRows(Connection connection, TypeRef type, List<DataFile> files, FileColumns fileColumns, Source.Ends ends) {
        this.ends = ends;
        this.connection = connection;
        this.type = type;
        this.columns = RowColumns.of(type.kind());
        this.files = files;
        this.fileColumns = fileColumns;
    }

    @Override
    public Optional<FieldKind> plain(String field) {
        if (files.isEmpty()) {
            return Optional.empty();
        }
        FieldKind found = null;
        for (DataFile file : files) {
            FieldColumns its = columnsOf(file);
            if (its.spellsOtherwise(field)) {
                return Optional.empty();
            }
            if (its.lacks(field)) {
                continue;
            }
            FieldKind kind = its.plain(field).orElse(FieldKind.NONE);
            if (kind == FieldKind.NONE || its.scope() == FieldColumns.Scope.OPEN || (found != null && found != kind)) {
                return Optional.empty();
            }
            found = kind;
        }
        return Optional.ofNullable(found);
    }

    private FieldColumns columnsOf(DataFile file) {
        if (known.isEmpty()) {
            List<FieldColumns> all = fileColumns.of(connection, files);
            for (int i = 0; i < files.size(); i++) {
                known.put(files.get(i), all.get(i));
            }
        }
        return known.getOrDefault(file, FieldColumns.UNKNOWN);
    }

    @Override
    public boolean mayHaveEnds() {
        return ends == Source.Ends.SOME;
    }

    @Override
    public SqlFragment select(Window window, Set<String> fields, List<SqlFragment> onIdentity) {
        List<DataFile> wanted =
                files.stream().filter(file -> meets(file, window)).toList();
        if (wanted.isEmpty()) {
            return nothing(fields);
        }
        List<SqlFragment> conditions = new ArrayList<>(onIdentity);
        long upTo = window.upTo().orElse(Long.MAX_VALUE);
        if (wanted.stream().anyMatch(file -> file.maxCommitId() > upTo)) {
            conditions.add(SqlFragment.of("commit_id <= " + upTo));
        }
        if (window instanceof Window.History history
                && wanted.stream().anyMatch(file -> file.minCommitId() <= history.afterCommitId())) {
            conditions.add(SqlFragment.of("commit_id > " + history.afterCommitId()));
        }
        List<SqlFragment> outer = new ArrayList<>(conditions);
        if (!(window instanceof Window.History) && !isOneCommit(wanted)) {
            // Reads identities and commits alone; ROW_NUMBER would carry every payload through memory. What HAVING
            // asks for is always so: without it DuckDB, which takes any condition on the rows for a strict one, would
            // think them fewer than the identities and build its hash table of them, which takes twice the time.
            outer.add(SqlFragment.of("SELECT " + columns.identityList() + ", max(commit_id) FROM ")
                    .then(ofType(wanted))
                    .then(RowSource.where(conditions))
                    .wrap(
                            "(" + columns.identityList() + ", commit_id) IN (",
                            " GROUP BY " + columns.identityList() + " HAVING max(commit_id) >= 0)"));
        }
        if (mayHaveEnds() && !(window instanceof Window.History)) {
            outer.add(SqlFragment.of("fields_json <> 'null'"));
        }
        SqlFragment found = SqlFragment.of("SELECT " + columns.base() + names(fields) + " FROM ")
                .then(rows(wanted, fields))
                .then(RowSource.where(outer));
        return window instanceof Window.History || !fileColumns.repeat(connection, type, wanted)
                ? found
                : found.then(columns.newestFirstOnly());
    }

    private SqlFragment ofType(List<DataFile> some) {
        SqlFragment all = FileList.read(some);
        return some.stream().allMatch(file -> file.origin() == DataFile.Origin.OURS)
                ? all
                : all.wrap(
                        "(SELECT * FROM ", " WHERE " + columns.typeColumn() + " = " + Literals.text(type.name()) + ")");
    }

    private static boolean meets(DataFile file, Window window) {
        if (file.minCommitId() > window.upTo().orElse(Long.MAX_VALUE)) {
            return false;
        }
        return !(window instanceof Window.History history) || file.maxCommitId() > history.afterCommitId();
    }

    /** Then every identity is there once. */
    private static boolean isOneCommit(List<DataFile> files) {
        DataFile first = files.get(0);
        return files.stream()
                .allMatch(
                        file -> file.minCommitId() == first.minCommitId() && file.maxCommitId() == first.minCommitId());
    }

    /** All rows. Files that lack some of the fields are read apart, because DuckDB takes the first file's columns for all. */
    private SqlFragment rows(List<DataFile> wanted, Set<String> fields) {
        if (fields.isEmpty()) {
            return ofType(wanted);
        }
        Map<List<String>, List<DataFile>> byMissing = new LinkedHashMap<>();
        for (DataFile file : wanted) {
            List<String> missing =
                    fields.stream().filter(columnsOf(file)::lacks).toList();
            byMissing.computeIfAbsent(missing, key -> new ArrayList<>()).add(file);
        }
        List<SqlFragment> parts = new ArrayList<>();
        byMissing.forEach((missing, some) -> parts.add(SqlFragment.of("SELECT " + columns.base()
                        + fields.stream()
                                .map(field -> ", " + (missing.contains(field) ? absent(field) : SqlNames.quoted(field)))
                                .collect(Collectors.joining())
                        + " FROM ")
                .then(ofType(some))));
        return SqlFragment.join(" UNION ALL ", parts).wrap("(", ")");
    }

    private SqlFragment nothing(Set<String> fields) {
        String identity = columns.identity().stream()
                .map(column -> "CAST(NULL AS VARCHAR) AS " + column + ", ")
                .collect(Collectors.joining());
        return SqlFragment.of("SELECT " + identity + "CAST(NULL AS BIGINT) AS commit_id,"
                + " CAST(NULL AS BIGINT) AS schema_version_id, CAST(NULL AS VARCHAR) AS fields_json"
                + fields.stream().map(field -> ", " + absent(field)).collect(Collectors.joining())
                + " WHERE false");
    }

    private String absent(String field) {
        return "CAST(NULL AS " + plain(field).orElse(FieldKind.STR).column() + ") AS " + SqlNames.quoted(field);
    }

    private static String names(Set<String> fields) {
        return fields.stream().map(field -> ", " + SqlNames.quoted(field)).collect(Collectors.joining());
    }
}
