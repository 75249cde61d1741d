package io.ontologia.testkit;

import io.ontologia.testkit.HostileStore.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

/** Columns and metadata of data files as places where something else can be put. The driver of DuckDB must be on the class path. */
final class HostileParquet implements AutoCloseable {
    private final Path scratch;
    private final Connection duckdb;

    HostileParquet(Path scratch) throws SQLException {
        this.scratch = scratch;
        this.duckdb = DriverManager.getConnection("jdbc:duckdb:");
    }

    /** Stores a data file. */
    @FunctionalInterface
    interface Writer {
        void write(byte[] file) throws IOException;
    }

    List<Place> places(String name, byte[] file, Writer writer) throws SQLException, IOException {
        Path path = Files.write(scratch.resolve("original.parquet"), file);
        List<Place> places = new ArrayList<>();
        try (Statement statement = duckdb.createStatement();
                ResultSet columns = statement.executeQuery("DESCRIBE SELECT * FROM read_parquet('" + path + "')")) {
            while (columns.next()) {
                String column = columns.getString(1);
                String type = columns.getString(2);
                if (type.equals("VARCHAR") || type.equals("BIGINT") || type.equals("DOUBLE")) {
                    Object content = type.equals("VARCHAR") ? "" : 0L;
                    places.add(place(
                            name + " column " + column,
                            content,
                            value -> writer.write(rewritten(file, column, literal(value, type), Map.of()))));
                }
            }
        }
        for (Map.Entry<String, String> entry : metadata(path).entrySet()) {
            places.add(place(
                    name + " metadata " + entry.getKey(),
                    "",
                    value -> writer.write(rewritten(file, "", "", Map.of(entry.getKey(), String.valueOf(value))))));
        }
        return places;
    }

    private static String literal(@Nullable Object value, String type) {
        String text = "'" + String.valueOf(value).replace("'", "''").replace("\0", "") + "'";
        return "TRY_CAST(" + text + " AS " + type + ")";
    }

    private Map<String, String> metadata(Path file) throws SQLException {
        Map<String, String> metadata = new TreeMap<>();
        try (Statement statement = duckdb.createStatement();
                ResultSet rows = statement.executeQuery("SELECT key, value FROM parquet_kv_metadata('" + file + "')")) {
            while (rows.next()) {
                metadata.put(
                        new String(rows.getBytes(1), StandardCharsets.UTF_8),
                        new String(rows.getBytes(2), StandardCharsets.UTF_8));
            }
        }
        return metadata;
    }

    private byte[] rewritten(byte[] file, String column, String literal, Map<String, String> planted)
            throws SQLException, IOException {
        Path from = Files.write(scratch.resolve("original.parquet"), file);
        Path to = scratch.resolve("changed.parquet");
        Map<String, String> metadata = metadata(from);
        metadata.putAll(planted);
        String pairs = metadata.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\": '"
                        + entry.getValue().replace("'", "''").replace("\0", "") + "'")
                .collect(Collectors.joining(", "));
        String replaced = column.isEmpty() ? "" : " REPLACE (" + literal + " AS \"" + column + "\")";
        try (Statement statement = duckdb.createStatement()) {
            statement.execute("COPY (SELECT *" + replaced + " FROM read_parquet('" + from + "')) TO '" + to
                    + "' (FORMAT parquet" + (pairs.isEmpty() ? "" : ", KV_METADATA {" + pairs + "}") + ")");
        }
        return Files.readAllBytes(to);
    }

    private interface Planter {
        void plant(@Nullable Object value) throws Exception;
    }

    private static Place place(String name, Object content, Planter planter) {
        return new ColumnPlace(name, content, planter);
    }

    /** All rows of a column, or a value in the metadata. */
    private record ColumnPlace(String name, Object content, Planter planter) implements Place {
        @Override
        public void plant(@Nullable Object value) throws Exception {
            planter.plant(value);
        }
    }

    @Override
    public void close() throws SQLException {
        duckdb.close();
    }
}
