package io.ontologia.kernel;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One text per JSON value: keys sorted by code point, no spaces, integers exact, and for every double the shortest
 * digits that read back as the same double. Equal values give equal bytes, so hashes of them can be compared.
 *
 * <p>Integers and doubles stay distinct: {@code 1} and {@code 1.0} are two values with one text each.
 *
 * <p>Accepted are the trees that {@link Json} reads, and {@code Byte, Short, Integer, Float, BigDecimal} beside them (a
 * {@code BigDecimal} only when a double holds it exactly).
 *
 * <p>Both flavours throw an {@link OntologiaException} of kind {@link ErrorKind#INVALID_INPUT} for a value that JSON
 * cannot hold: another class, a key that is not a text, NaN, an infinity, or nesting deeper than {@link Json#MAX_DEPTH}.
 */
public final class CanonicalJson {
    private CanonicalJson() {}

    /** The UTF-8 flavour, as text. A text with half of a surrogate pair is refused: UTF-8 cannot hold it. */
    public static String write(@Nullable Object tree) {
        return new String(writer(tree, JsonWriter.Flavour.UTF_8), StandardCharsets.UTF_8);
    }

    /** The UTF-8 flavour, as bytes. */
    public static byte[] bytes(@Nullable Object tree) {
        return writer(tree, JsonWriter.Flavour.UTF_8);
    }

    /**
     * The reference flavour: the bytes that Python's {@code json.dumps(value, sort_keys=True, separators=(",", ":"))}
     * produces. Hashes that must equal those of the reference implementation are made of this one.
     */
    public static String writeAscii(@Nullable Object tree) {
        return new String(writer(tree, JsonWriter.Flavour.ASCII), StandardCharsets.ISO_8859_1);
    }

    private static byte[] writer(@Nullable Object tree, JsonWriter.Flavour flavour) {
        JsonWriter writer = new JsonWriter(flavour);
        writer.value(tree);
        return writer.toByteArray();
    }
}
