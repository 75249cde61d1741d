package io.ontologia.cli.internal.output;

/** The forms of a table. */
public enum Layout {
    /** Columns under headers; on a terminal long values are cut to fit its width. */
    TABLE,
    /** One value a line. */
    VERTICAL,
    /** Comma-separated values. */
    CSV;

    /** Whether values are printed whole. */
    public boolean isWhole() {
        return this != TABLE;
    }
}
