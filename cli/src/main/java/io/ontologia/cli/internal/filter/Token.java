package io.ontologia.cli.internal.filter;

import org.jspecify.annotations.Nullable;

/**
 * One word of an expression.
 *
 * @param text as it is written
 * @param value what a literal stands for
 * @param column where it begins, counted from 1
 */
record Token(Kind kind, String text, @Nullable Object value, int column) {
    /** What a word is. */
    enum Kind {
        /** A name or path, or a word of the language. */
        WORD,
        /** A text in quotes. */
        TEXT,
        /** A number. */
        NUMBER,
        /** An operator, a bracket or a comma. */
        SYMBOL,
        /** The end of the expression. */
        END
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** How it is called in errors. */
    String describe() {
        return kind == Kind.END ? "the end" : "'" + text + "'";
    }
}
