package io.ontologia.core.spi;

import io.ontologia.core.OntologyType;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The texts of schema documents. The order of fields has no meaning for a schema, and hashes are made of the canonical text, which
 * sorts them. People know the order of their model, so a text may keep it.
 */
public final class SchemaText {
    private static final String FIELDS = "fields";

    private SchemaText() {}

    /** The document of a type, with its fields in the order of the model. */
    public static String of(OntologyType type) {
        return write(type.document(), fieldOrder(type.document()));
    }

    /** The text that hashes are made of. */
    public static String canonical(String text) {
        return CanonicalJson.writeAscii(parse(text));
    }

    /** The names of the fields in the order of a text. */
    public static List<String> fieldOrder(String text) {
        return fieldOrder(parse(text));
    }

    /** The same document with its fields in an order; fields that the order does not name come last, as they were. */
    public static String ordered(String text, List<String> order) {
        return order.isEmpty() ? text : write(parse(text), order);
    }

    private static Map<String, @Nullable Object> parse(String text) {
        return JsonObject.parse("a stored schema", text).fields();
    }

    private static List<String> fieldOrder(Map<String, ? extends @Nullable Object> document) {
        List<String> names = new ArrayList<>();
        if (document.get(FIELDS) instanceof Map<?, ?> fields) {
            fields.keySet().forEach(name -> names.add(String.valueOf(name)));
        }
        return names;
    }

    private static String write(Map<String, ? extends @Nullable Object> document, List<String> order) {
        StringJoiner parts = new StringJoiner(",", "{", "}");
        document.keySet().stream().sorted().forEach(key -> {
            Object value = document.get(key);
            parts.add(CanonicalJson.writeAscii(key) + ":"
                    + (key.equals(FIELDS) && value instanceof Map<?, ?> fields
                            ? fields(fields, order)
                            : CanonicalJson.writeAscii(value)));
        });
        return parts.toString();
    }

    private static String fields(Map<?, ?> fields, List<String> order) {
        List<Object> names = new ArrayList<>(fields.keySet());
        names.sort((one, other) -> Integer.compare(place(order, one), place(order, other)));
        StringJoiner parts = new StringJoiner(",", "{", "}");
        names.forEach(
                name -> parts.add(CanonicalJson.writeAscii(name) + ":" + CanonicalJson.writeAscii(fields.get(name))));
        return parts.toString();
    }

    private static int place(List<String> order, Object name) {
        int place = order.indexOf(name);
        return place < 0 ? Integer.MAX_VALUE : place;
    }
}
