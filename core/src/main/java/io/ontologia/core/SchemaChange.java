package io.ontologia.core;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One difference between two versions of a type's schema, and what it means for rows of the older one.
 *
 * @param field the field, or the part of the type, that differs
 * @param oldRows what happens to old rows, in one sentence without a full stop
 */
public record SchemaChange(String field, Kind kind, String oldRows) {
    /** The kinds of difference. */
    public enum Kind {
        /** A new field that may be null or has a default. */
        ADDED,
        /** A field that is not there any more. */
        REMOVED,
        /** A field under another name. */
        RENAMED,
        /** The field takes every value that it took before, and more. */
        WIDENED,
        /** Integers became floats. */
        INT_TO_FLOAT,
        /** An index was added or removed. */
        INDEX,
        /** A declared step says how. */
        STEP,
        /** Old rows have no obvious new form: a step or an upgrader must say how. */
        INCOMPATIBLE;

        /** The kind as it appears in JSON, for example {@code int_to_float}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The difference as a JSON document. */
    public Map<String, Object> toJson() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("field", field);
        document.put("kind", kind.wireName());
        document.put("old_rows", oldRows);
        return document;
    }
}
