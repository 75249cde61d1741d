package io.ontologia.core;

/**
 * Sorts by the value at a path: booleans, then numbers, then texts, then everything else by its JSON text; null and
 * missing values come last in either direction. Ties are broken by identity, so every order is total.
 */
public record Order(FieldPath path, Direction direction) {
    /** Which end comes first. */
    public enum Direction {
        /** Smallest first. */
        ASCENDING,
        /** Largest first. */
        DESCENDING
    }
}
