package io.ontologia.testkit;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import io.ontologia.objectstore.ObjectStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parquet files with the columns of the specification, written by DuckDB and read by the specification's queries. */
final class ForeignParquet implements AutoCloseable {
    private final ObjectStore store;
    private final Path folder;
    private final Connection duckdb;
    private int files;

    /** The driver of DuckDB must be on the class path. */
    ForeignParquet(ObjectStore store, Path folder) throws Exception {
        this.store = store;
        this.folder = folder;
        this.duckdb = DriverManager.getConnection("jdbc:duckdb:");
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    byte[] customers(long commitId, long version, Map<String, String> names) throws Exception {
        String rows = names.entrySet().stream()
                .map(row -> "(" + literal(row.getKey()) + ", "
                        + literal("{\"name\": " + CanonicalJson.write(row.getValue()) + ", \"id\": \"" + row.getKey()
                                + "\"}")
                        + ", " + literal(row.getValue()) + ")")
                .collect(Collectors.joining(", "));
        return written("SELECT " + commitId + "::BIGINT AS commit_id, 'Customer' AS entity_type, k AS entity_key,"
                + " " + version + "::BIGINT AS schema_version_id, f AS fields_json, k AS id, n AS name FROM (VALUES "
                + rows
                + ") v(k, f, n)");
    }

    byte[] knows(long commitId, long version, Map<String, Long> numbers) throws Exception {
        String rows = numbers.entrySet().stream()
                .map(row -> {
                    String[] ends = row.getKey().split(">", -1);
                    return "(" + literal(ends[0]) + ", " + literal(ends[1]) + ", " + row.getValue() + ")";
                })
                .collect(Collectors.joining(", "));
        return written("SELECT " + commitId + "::BIGINT AS commit_id, 'Knows' AS relation_type, l AS left_key,"
                + " r AS right_key, '' AS instance_key, " + version + "::BIGINT AS schema_version_id,"
                + " '{\"n\": ' || n || '}' AS fields_json, n::BIGINT AS n FROM (VALUES " + rows + ") v(l, r, n)");
    }

    /** Parts of one version of a type, with a column for each of its fields. */
    byte[] parts(long commitId, String type, int version, Map<String, Long> parts) throws Exception {
        String select = parts.entrySet().stream()
                .map(part -> {
                    Map<String, @Nullable Object> row = ForeignParts.row(part.getKey(), part.getValue(), version);
                    StringBuilder columns = new StringBuilder();
                    row.forEach((name, value) -> columns.append(", ")
                            .append(value instanceof Long number ? number + "::BIGINT" : literal(String.valueOf(value)))
                            .append(" AS ")
                            .append(name));
                    return "SELECT " + commitId + "::BIGINT AS commit_id, " + literal(type) + " AS entity_type, "
                            + literal(part.getKey()) + " AS entity_key, " + version
                            + "::BIGINT AS schema_version_id, " + literal(ForeignJson.text(row)) + " AS fields_json"
                            + columns;
                })
                .collect(Collectors.joining(" UNION ALL "));
        return written(select);
    }

    /** The rows of several files in one, sorted as the specification says. */
    byte[] merged(List<String> paths, String key) throws Exception {
        return written("SELECT * FROM " + source(paths) + " ORDER BY commit_id ASC, " + key + " ASC");
    }

    private byte[] written(String select) throws Exception {
        Path file = folder.resolve("written-" + ++files + ".parquet");
        try (Statement statement = duckdb.createStatement()) {
            statement.execute("COPY (" + select + ") TO " + literal(file.toString()) + " (FORMAT parquet)");
        }
        return Files.readAllBytes(file);
    }

    private String source(List<String> paths) throws Exception {
        List<String> local = new ArrayList<>();
        for (String path : paths) {
            Path file = folder.resolve("read-" + path.replace('/', '_'));
            if (!Files.exists(file)) {
                Files.write(file, store.get(path).orElseThrow().bytes());
            }
            local.add(literal(file.toString()));
        }
        return "read_parquet([" + String.join(", ", local) + "], union_by_name=true)";
    }

    private List<List<String>> rows(String sql) throws Exception {
        try (Statement statement = duckdb.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<List<String>> all = new ArrayList<>();
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    row.add(String.valueOf(rows.getString(column)));
                }
                all.add(row);
            }
            return all;
        }
    }

    Map<String, String> names(List<String> paths, long commitId) throws Exception {
        Map<String, String> found = new TreeMap<>();
        if (paths.isEmpty()) {
            return found;
        }
        for (List<String> row : rows("""
                SELECT q.entity_key, q.fields_json, q.commit_id FROM (
                  SELECT eh.entity_key, eh.fields_json, eh.commit_id,
                         ROW_NUMBER() OVER (PARTITION BY eh.entity_key ORDER BY eh.commit_id DESC) AS _rn
                  FROM %s eh WHERE eh.entity_type = 'Customer' AND eh.commit_id <= %d
                ) q WHERE q._rn = 1""".formatted(source(paths), commitId))) {
            found.put(row.get(0), JsonObject.parse("fields", row.get(1)).text("name"));
        }
        return found;
    }

    Map<String, Long> numbers(List<String> paths) throws Exception {
        Map<String, Long> found = new TreeMap<>();
        if (paths.isEmpty()) {
            return found;
        }
        for (List<String> row : rows("""
                SELECT q.left_key, q.right_key, q.fields_json FROM (
                  SELECT rh.left_key, rh.right_key, rh.instance_key, rh.fields_json, rh.commit_id,
                         ROW_NUMBER() OVER (PARTITION BY rh.left_key, rh.right_key, rh.instance_key
                           ORDER BY rh.commit_id DESC) AS _rn
                  FROM %s rh WHERE rh.relation_type = 'Knows'
                ) q WHERE q._rn = 1""".formatted(source(paths)))) {
            found.put(
                    row.get(0) + ">" + row.get(1),
                    JsonObject.parse("fields", row.get(2)).integer("n"));
        }
        return found;
    }

    /** The newest version of every part of a type. */
    List<JsonObject> parts(String type, List<String> paths) throws Exception {
        if (paths.isEmpty()) {
            return List.of();
        }
        return rows("""
                SELECT q.fields_json FROM (
                  SELECT eh.entity_key, eh.fields_json, eh.commit_id,
                         ROW_NUMBER() OVER (PARTITION BY eh.entity_key ORDER BY eh.commit_id DESC) AS _rn
                  FROM %s eh WHERE eh.entity_type = %s
                ) q WHERE q._rn = 1""".formatted(source(paths), literal(type))).stream()
                .map(row -> JsonObject.parse("fields", row.get(0)))
                .toList();
    }

    List<String> history(List<String> paths) throws Exception {
        if (paths.isEmpty()) {
            return List.of();
        }
        return rows("SELECT eh.entity_key, eh.fields_json, eh.commit_id FROM " + source(paths)
                        + " eh WHERE eh.entity_type = 'Customer' ORDER BY eh.commit_id ASC, eh.entity_key ASC")
                .stream()
                .map(row -> row.get(2) + " " + row.get(0) + " "
                        + JsonObject.parse("fields", row.get(1)).text("name"))
                .toList();
    }

    @Override
    public void close() throws SQLException {
        duckdb.close();
    }
}
