package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.SqlFragment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the columns of files hold, read once from each. Files never change, so what is known stays true. */
final class FileColumns {
    private static final String MARKS = """
            SELECT file_name, value FROM parquet_kv_metadata(?) WHERE CAST(key AS VARCHAR) = '%s'""".formatted(FieldColumns.METADATA_KEY);

    private final Database database;
    private final Map<Path, FieldColumns> known = new ConcurrentHashMap<>();

    FileColumns(Database database) {
        this.database = database;
    }

    /** Notes what was written. */
    void learn(Path file, FieldColumns columns) {
        known.put(file, columns);
    }

    FieldColumns of(DataFile file) {
        return known.getOrDefault(file.path(), FieldColumns.UNKNOWN);
    }

    /** Looks into the files that were not seen before. */
    void read(List<DataFile> files) {
        List<Path> unknown = files.stream()
                .map(DataFile::path)
                .filter(path -> !known.containsKey(path))
                .toList();
        if (unknown.isEmpty()) {
            return;
        }
        Map<String, FieldColumns> marks = new HashMap<>();
        try (Connection connection = database.connect();
                PreparedStatement statement =
                        Database.prepare(connection, SqlFragment.of(MARKS, FileList.patterns(unknown)));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                byte[] mark = rows.getBytes(2);
                marks.put(rows.getString(1), FieldColumns.parse(new String(mark, StandardCharsets.UTF_8)));
            }
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read data files", e);
        }
        unknown.forEach(
                path -> known.put(path, marks.getOrDefault(path.toAbsolutePath().toString(), FieldColumns.UNKNOWN)));
    }
}
