package io.ontologia.cli.internal.views;

import io.ontologia.core.spi.SqlNames;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How one engine says what the views need. Only functions that its documentation has. */
enum ViewEngine {
    DUCKDB,
    SPARK,
    TRINO;

    /** The kinds of columns that views have. */
    enum Kind {
        TEXT,
        INTEGER,
        NUMBER,
        BOOL,
        /** Lists, maps and whatever else has no column type in all engines: as JSON text. */
        JSON
    }

    String quoted(String name) {
        return this == SPARK ? "`" + name.replace("`", "``") + "`" : SqlNames.quoted(name);
    }

    String literal(String text) {
        // Spark takes a backslash in a text for an escape.
        return "'" + (this == SPARK ? text.replace("\\", "\\\\") : text).replace("'", this == SPARK ? "\\'" : "''")
                + "'";
    }

    private String typeOf(Kind kind) {
        return switch (kind) {
            case TEXT, JSON -> this == SPARK ? "STRING" : "VARCHAR";
            case INTEGER -> "BIGINT";
            case NUMBER -> "DOUBLE";
            case BOOL -> "BOOLEAN";
        };
    }

    /** A column without values. */
    String nothing(Kind kind) {
        return "CAST(NULL AS " + typeOf(kind) + ")";
    }

    /** The value of a field, out of the JSON that every row has whatever its schema version; null where there is none. */
    String field(String name, Kind kind) {
        String path = literal("$." + name);
        String text = switch (this) {
            case DUCKDB -> "json_extract_string(fields_json, " + path + ")";
            case SPARK -> "get_json_object(fields_json, " + path + ")";
            case TRINO -> "json_extract_scalar(fields_json, " + path + ")";
        };
        return switch (kind) {
            case TEXT -> text;
            case JSON -> json(path, text);
            case INTEGER, NUMBER, BOOL -> "TRY_CAST(" + text + " AS " + typeOf(kind) + ")";
        };
    }

    private String json(String path, String text) {
        return switch (this) {
            case DUCKDB -> "nullif(CAST(json_extract(fields_json, " + path + ") AS VARCHAR), 'null')";
            case SPARK -> text;
            case TRINO -> "nullif(json_format(json_extract(fields_json, " + path + ")), 'null')";
        };
    }

    /** What a file is called there. */
    String url(String url) {
        return switch (this) {
            case DUCKDB -> url.startsWith("file:") ? Path.of(URI.create(url)).toString() : url;
            case SPARK -> url.replaceFirst("^s3:", "s3a:");
            case TRINO -> url;
        };
    }

    /** The rows of files that all have the columns asked for. */
    String rows(String columns, String table, List<String> urls) {
        return switch (this) {
            case DUCKDB ->
                "SELECT " + columns + "\n  FROM read_parquet([\n    " + list(urls) + "\n  ], union_by_name = true)";
            case SPARK ->
                urls.stream()
                        .map(url -> "SELECT " + columns + " FROM parquet." + quoted(url(url)))
                        .collect(Collectors.joining("\n  UNION ALL "));
            case TRINO ->
                "SELECT " + columns + "\n  FROM " + table + " WHERE " + SqlNames.quoted("$path") + " IN (\n    "
                        + list(urls) + "\n  )";
        };
    }

    private String list(List<String> urls) {
        return urls.stream().map(this::url).map(this::literal).collect(Collectors.joining(",\n    "));
    }

    /** The beginning of a statement that makes a view. */
    String create(String view) {
        return "CREATE OR REPLACE " + (this == SPARK ? "TEMPORARY " : "") + "VIEW " + quoted(view) + " AS";
    }

    String displayName() {
        return switch (this) {
            case DUCKDB -> "DuckDB";
            case SPARK -> "Spark SQL";
            case TRINO -> "Trino";
        };
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
