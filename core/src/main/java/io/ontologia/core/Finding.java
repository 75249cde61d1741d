package io.ontologia.core;

import java.util.Locale;

/**
 * Something that a check of a store found.
 *
 * @param code what is wrong, in a word that scripts can test, for example {@code orphaned-history}
 * @param message what is wrong and what to do about it, in one line
 * @param count how many times it was found
 * @param example where it was found first
 */
public record Finding(String code, Severity severity, String message, long count, String example) {

    /** How bad it is. */
    public enum Severity {
        /** Data is lost, contradicts itself or cannot be read. */
        ERROR,
        /** Something is unusual and wants a look; what is stored can be read. */
        WARNING,
        /** Worth knowing; the next write puts it right. */
        INFO;

        /** The severity as it is printed, for example {@code error}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether a store in which this was found is not in order. */
    public boolean isProblem() {
        return severity != Severity.INFO;
    }
}
