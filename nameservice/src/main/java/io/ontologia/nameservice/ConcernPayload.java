package io.ontologia.nameservice;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JSON object that a concern holds. Open: fields that nobody here knows survive every round trip. Immutable, and safe
 * for use by many threads.
 *
 * <p>Equality is that of JSON values: the order of fields does not matter, and numbers are equal when they are the same
 * number ({@code 1} and {@code 1.0} are, because not every backend keeps them apart; integral numbers read back as integers).
 *
 * <p>{@link #toString()} tells field names only, never values: they may be secret.
 */
public final class ConcernPayload {
    private static final double EXACT = 1L << 53;

    private final Map<String, @Nullable Object> fields;

    private ConcernPayload(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    /**
     * A payload with these fields, copied. Values are JSON trees as {@link Json} reads them; other integers and decimals of
     * Java are accepted beside them.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when a value is no JSON
     */
    public static ConcernPayload of(Map<String, ? extends @Nullable Object> fields) {
        return new ConcernPayload(object(fields, 1));
    }

    /**
     * Reads a payload.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the text is not one JSON object
     */
    public static ConcernPayload parse(String json) {
        if (Json.parse(json) instanceof Map<?, ?> map) {
            return new ConcernPayload(object(map, 1));
        }
        throw invalid("it is not a JSON object");
    }

    /** All fields; cannot be changed. */
    public Map<String, @Nullable Object> fields() {
        return fields;
    }

    /** A field that is a text; empty when it is missing or something else. */
    public Optional<String> text(String field) {
        return fields.get(field) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /** A field that is an integer in the range of a long; empty when it is missing or something else. */
    public Optional<Long> integer(String field) {
        return fields.get(field) instanceof Long number ? Optional.of(number) : Optional.empty();
    }

    /** A field that is an object; empty when it is missing or something else. */
    @SuppressWarnings("unchecked") // the keys of every map in here are texts
    public Optional<ConcernPayload> object(String field) {
        return fields.get(field) instanceof Map<?, ?> map
                ? Optional.of(new ConcernPayload((Map<String, @Nullable Object>) map))
                : Optional.empty();
    }

    /** The same with one field set. */
    public ConcernPayload with(String field, @Nullable Object value) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.put(field, value);
        return of(changed);
    }

    /** The same without a field. */
    public ConcernPayload without(String field) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.remove(field);
        return new ConcernPayload(Collections.unmodifiableMap(changed));
    }

    /** The canonical JSON text: equal payloads have equal texts. */
    public String json() {
        return CanonicalJson.write(fields);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConcernPayload payload && payload.fields.equals(fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return "payload with " + fields.keySet();
    }

    private static Map<String, @Nullable Object> object(Map<?, ?> source, int depth) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        source.forEach((key, value) -> {
            if (!(key instanceof String text)) {
                throw invalid("a field name is not a text");
            }
            copy.put(wellFormed(text), value(value, depth + 1));
        });
        return Collections.unmodifiableMap(copy);
    }

    private static @Nullable Object value(@Nullable Object value, int depth) {
        if (depth > Json.MAX_DEPTH / 2) {
            throw invalid("it nests deeper than " + Json.MAX_DEPTH / 2 + " levels");
        }
        if (value == null || value instanceof Boolean || value instanceof Long) {
            return value;
        }
        if (value instanceof String text) {
            return wellFormed(text);
        }
        if (value instanceof Map<?, ?> map) {
            return object(map, depth);
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(item -> copy.add(value(item, depth + 1)));
            return Collections.unmodifiableList(copy);
        }
        return number(value);
    }

    private static Number number(Object value) {
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof BigInteger big) {
            return big.bitLength() < Long.SIZE ? (Number) big.longValue() : big;
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.stripTrailingZeros().scale() <= 0 && decimal.precision() - decimal.scale() < 1000
                    ? number(decimal.toBigInteger())
                    : number(decimal.doubleValue());
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw invalid("it holds a number that JSON cannot write");
            }
            return number == Math.rint(number) && Math.abs(number) <= EXACT ? (Number) (long) number : number;
        }
        throw invalid("it holds a " + value.getClass().getSimpleName());
    }

    private static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw invalid("a text holds half of a surrogate pair");
                }
                i++;
            }
        }
        return text;
    }

    private static OntologiaException invalid(String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "invalid payload of a concern", cause, "give a JSON object");
    }
}
