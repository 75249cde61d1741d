package io.ontologia.store.object.internal.engine;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/**
 * Refuses SQL text that is not exactly one statement. DuckDB's driver runs every statement of a text but the last while it
 * prepares it, so that a text in which a value ends a statement must not reach the driver.
 */
final class SingleStatement {
    private SingleStatement() {}

    /**
     * Returns the text.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when a semicolon, a comment or an open quote is in it
     *     outside of texts and names
     */
    static String require(String sql) {
        int length = sql.length();
        for (int i = 0; i < length; i++) {
            char c = sql.charAt(i);
            if (c == '\'' || c == '"') {
                i = sql.indexOf(c, i + 1);
                if (i < 0) {
                    throw refused("a quote is not closed");
                }
            } else if (c == ';') {
                throw refused("it holds more than one");
            } else if ((c == '-' || c == '/') && i + 1 < length && isComment(c, sql.charAt(i + 1))) {
                throw refused("it holds a comment");
            }
        }
        return sql;
    }

    private static boolean isComment(char first, char second) {
        return first == '-' ? second == '-' : second == '*';
    }

    private static OntologiaException refused(String cause) {
        return new OntologiaException(
                ErrorKind.CORRUPT,
                "cannot run a statement",
                cause + ", so that a part of it did not come from this program",
                "'onto fsck' tells whether the store is damaged; if it is not, report this");
    }
}
