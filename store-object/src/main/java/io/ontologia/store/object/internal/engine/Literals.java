package io.ontologia.store.object.internal.engine;

import java.nio.file.Path;

/** Values as SQL text. Constants in the text, unlike parameters, let DuckDB skip row groups. */
final class Literals {
    private Literals() {}

    static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    static String path(Path path) {
        return text(path.toAbsolutePath().toString());
    }

    static String number(long value) {
        return "CAST('" + value + "' AS BIGINT)";
    }

    static String number(double value) {
        return "CAST('" + value + "' AS DOUBLE)";
    }
}
