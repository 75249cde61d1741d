package io.ontologia.store.object.internal.engine;

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

    /** Notes what was written. */
    void learn(Path file, FieldColumns columns) {
        if (known.size() >= MANY) {
            known.clear();
            distinct.clear();
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
