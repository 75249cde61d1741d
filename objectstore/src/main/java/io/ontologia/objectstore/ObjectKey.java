package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.charset.StandardCharsets;

/**
 * The rules for keys, the same on every store: segments joined by {@code /}; no segment empty, longer than
 * {@value #MAX_SEGMENT_BYTES} bytes, or starting with a dot; no control characters, no backslash, valid Unicode; at most
 * {@value #MAX_BYTES} bytes of UTF-8 in all.
 */
public final class ObjectKey {
    /** The longest key, in UTF-8 bytes. */
    public static final int MAX_BYTES = 900;

    /** The longest segment, in UTF-8 bytes. */
    public static final int MAX_SEGMENT_BYTES = 240;

    private ObjectKey() {}

    /**
     * Returns the key when it is a valid one.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} otherwise
     */
    public static String require(String key) {
        check(key, key, true);
        return key;
    }

    /** Returns the prefix of a listing when it could be the start of a valid key; empty is valid. */
    public static String requirePrefix(String prefix) {
        if (!prefix.isEmpty()) {
            check(prefix, prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix, false);
        }
        return prefix;
    }

    private static void check(String shown, String key, boolean whole) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(key)) {
            throw invalid(shown, "it holds half of a surrogate pair");
        }
        if (key.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw invalid(shown.substring(0, 40) + "…", "it is longer than " + MAX_BYTES + " bytes");
        }
        for (String segment : key.split("/", -1)) {
            if (segment.isEmpty()) {
                throw invalid(shown, whole && key.isEmpty() ? "it is empty" : "it has an empty segment");
            }
            if (segment.charAt(0) == '.') {
                throw invalid(shown, "a segment starts with a dot");
            }
            if (segment.getBytes(StandardCharsets.UTF_8).length > MAX_SEGMENT_BYTES) {
                throw invalid(shown, "a segment is longer than " + MAX_SEGMENT_BYTES + " bytes");
            }
        }
        if (key.chars().anyMatch(c -> c == '\\' || Character.isISOControl(c))) {
            throw invalid(shown.replaceAll("\\p{Cntrl}", "?"), "it holds a backslash or a control character");
        }
    }

    private static OntologiaException invalid(String key, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "invalid object key '" + key + "'", cause, "encode names before using them");
    }
}
