package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.SqlFragment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the columns of files hold, read once from each. Files never change, so what is known stays true. */
final class FileColumns {
    private static final String MARKS = """
            SELECT file_name, value FROM parquet_kv_metadata(?) WHERE CAST(key AS VARCHAR) = '%s'""".formatted(FieldColumns.METADATA_KEY);

    /** So many files are remembered; then it starts over. */
    private static final int MANY = 200_000;

    private final Map<Path, FieldColumns> known = new ConcurrentHashMap<>();
    private final Map<FieldColumns, FieldColumns> distinct = new ConcurrentHashMap<>();
    private final Map<Path, Boolean> repeating = new ConcurrentHashMap<>();

    /** Notes what was written. */
    void learn(Path file, FieldColumns columns) {
        if (known.size() >= MANY) {
            known.clear();
            distinct.clear();
            repeating.clear();
        }
        // Most files of a type have the same columns, and one object is enough for them.
        known.put(file, distinct.computeIfAbsent(columns, same -> same));
    }

    /** The columns of files, in their order. Looks into those that were not seen before. */
    List<FieldColumns> of(Connection connection, List<DataFile> files) {
        Map<Path, FieldColumns> found = new HashMap<>();
        List<Path> unknown = new ArrayList<>();
        for (DataFile file : files) {
            FieldColumns columns = known.get(file.path());
            if (columns == null) {
                unknown.add(file.path());
            } else {
                found.put(file.path(), columns);
            }
        }
        if (!unknown.isEmpty()) {
            read(connection, unknown).forEach((path, columns) -> {
                learn(path, columns);
                found.put(path, columns);
            });
        }
        return files.stream()
                .map(file -> found.getOrDefault(file.path(), FieldColumns.UNKNOWN))
                .toList();
    }

    /**
     * Whether files may hold a row of one commit twice, which only files of other writers do. Those that were not seen before are
     * read together, their identities alone; when one of them does, all of them count as if they did.
     */
    boolean repeat(Connection connection, TypeRef type, List<DataFile> files) {
        List<FieldColumns> columns = of(connection, files);
        List<DataFile> unknown = new ArrayList<>();
        boolean found = false;
        for (int i = 0; i < files.size(); i++) {
            if (columns.get(i).scope() == FieldColumns.Scope.OPEN) {
                Boolean is = repeating.get(files.get(i).path());
                found |= Boolean.TRUE.equals(is);
                if (is == null) {
                    unknown.add(files.get(i));
                }
            }
        }
        if (!unknown.isEmpty()) {
            boolean is = findRepeated(connection, type, unknown);
            unknown.forEach(file -> repeating.put(file.path(), is));
            found |= is;
        }
        return found;
    }

    private static boolean findRepeated(Connection connection, TypeRef type, List<DataFile> files) {
        RowColumns columns = RowColumns.of(type.kind());
        SqlFragment sql = SqlFragment.of("SELECT 1 FROM (SELECT " + columns.identityList() + ", commit_id FROM ")
                .then(FileList.read(files))
                .then(" WHERE " + columns.typeColumn() + " = " + Literals.text(type.name()) + " GROUP BY "
                        + columns.identityList() + ", commit_id HAVING count(*) > 1) LIMIT 1");
        try (PreparedStatement statement = Database.prepare(connection, sql);
                ResultSet rows = statement.executeQuery()) {
            return rows.next();
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read data files", e);
        }
    }

    private static Map<Path, FieldColumns> read(Connection connection, List<Path> files) {
        Map<String, FieldColumns> marks = new HashMap<>();
        try (PreparedStatement statement =
                        Database.prepare(connection, SqlFragment.of(MARKS, FileList.patterns(files)));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                byte[] mark = rows.getBytes(2);
                marks.put(rows.getString(1), FieldColumns.parse(new String(mark, StandardCharsets.UTF_8)));
            }
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read data files", e);
        }
        Map<Path, FieldColumns> columns = new HashMap<>();
        files.forEach(path ->
                columns.put(path, marks.getOrDefault(path.toAbsolutePath().toString(), FieldColumns.UNKNOWN)));
        return columns;
    }
}
