package io.ontologia.core.spi;

/** Names of columns and tables as SQL text. Every name that is not a constant of the program goes through here. */
public final class SqlNames {
    private SqlNames() {}

    /**
     * A name in double quotes, as SQLite, DuckDB and Trino write it. Whatever characters the name has, the result is one
     * identifier.
     *
     * @throws IllegalArgumentException when the name is empty or has a NUL, which no engine takes
     */
    public static String quoted(String name) {
        if (name.isEmpty() || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a name in SQL is not empty and has no NUL");
        }
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
