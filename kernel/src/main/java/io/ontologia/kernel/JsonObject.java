package io.ontologia.kernel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A stored JSON object whose fields are read by name. A missing field or one of another type is a {@link
 * ErrorKind#CORRUPT} error that names the document and the field. Fields that nobody asks for are ignored.
 */
public final class JsonObject {
    private final String document;
    private final Map<String, @Nullable Object> fields;

    private JsonObject(String document, Map<String, @Nullable Object> fields) {
        this.document = document;
        this.fields = fields;
    }

    /**
     * Parses the bytes of a stored document.
     *
     * @param document what it is called in errors, for example its key
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when it is not one JSON object
     */
    public static JsonObject parse(String document, byte[] utf8) {
        Object tree;
        try {
            tree = Json.parse(utf8);
        } catch (OntologiaException e) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + document,
                    e.problem() + ": " + e.reason(),
                    "restore it from a backup",
                    e);
        }
        return of(document, tree);
    }

    /** As {@link #parse(String, byte[])}, from text. */
    public static JsonObject parse(String document, String text) {
        return parse(document, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Wraps a tree that must be a JSON object. */
    @SuppressWarnings("unchecked") // the keys of a parsed object are texts
    public static JsonObject of(String document, @Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            return new JsonObject(document, (Map<String, @Nullable Object>) map);
        }
        throw new OntologiaException(
                ErrorKind.CORRUPT, "cannot read " + document, "it is not a JSON object", "restore it from a backup");
    }

    /** All fields, in document order. */
    public Map<String, @Nullable Object> fields() {
        return fields;
    }

    /** A field that must be a text. */
    public String text(String name) {
        return require(name, String.class, "a text");
    }

    /** A field that is a text, null or missing. */
    public Optional<String> optionalText(String name) {
        return fields.get(name) == null ? Optional.empty() : Optional.of(text(name));
    }

    /** A field that must be an integer in the range of a long. */
    public long integer(String name) {
        return require(name, Long.class, "an integer");
    }

    /** A field that is an integer in the range of a long, null or missing. */
    public OptionalLong optionalInteger(String name) {
        return fields.get(name) == null ? OptionalLong.empty() : OptionalLong.of(integer(name));
    }

    /** A field that must be a boolean. */
    public boolean bool(String name) {
        return require(name, Boolean.class, "true or false");
    }

    /** A field that must be an object. */
    public JsonObject object(String name) {
        return of(document + " field '" + name + "'", require(name, Map.class, "an object"));
    }

    /** A field that must be a list of objects. */
    public List<JsonObject> objects(String name) {
        List<?> list = require(name, List.class, "a list");
        return list.stream()
                .map(item -> of(document + " field '" + name + "'", item))
                .toList();
    }

    private <T> T require(String name, Class<T> type, String expected) {
        Object value = fields.get(name);
        if (!type.isInstance(value)) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + document,
                    value == null ? "field '" + name + "' is missing" : "field '" + name + "' is not " + expected,
                    "restore it from a backup");
        }
        return type.cast(value);
    }
}
