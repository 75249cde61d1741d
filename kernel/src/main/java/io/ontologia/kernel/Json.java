package io.ontologia.kernel;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into a tree of plain Java values: {@code Map<String, ?>} in document order, {@code List<?>}, {@code String},
 * {@code Boolean}, {@code Long} (or {@code BigInteger} beyond it), {@code Double}, and {@code null}.
 *
 * <p>Stricter than most: one document and nothing after it, no duplicate keys, nothing deeper than {@value #MAX_DEPTH}
 * levels, no number that a double cannot hold (integers are exact at any size up to 1000 digits).
 */
public final class Json {
    /** How deep a document may nest. */
    public static final int MAX_DEPTH = 200;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(64 << 20)
                    .build())
            .build();

    private Json() {}

    /**
     * Parses one document.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT}, naming line and column, when it is not one
     */
    public static @Nullable Object parse(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return document(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #parse(String)}, from UTF-8 bytes. */
    public static @Nullable Object parse(byte[] utf8) {
        try (JsonParser parser = FACTORY.createParser(utf8)) {
            return document(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Object document(JsonParser parser) throws IOException {
        try {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw invalid(parser, "it is empty", null);
            }
            Object value = value(parser, first);
            if (parser.nextToken() != null) {
                throw invalid(parser, "there is more after the end of the document", null);
            }
            return value;
        } catch (JsonProcessingException e) {
            throw invalid(parser, plain(e.getOriginalMessage()), e);
        }
    }

    /** The parser's words without its remarks about where a broken part began, which name no place here. */
    private static String plain(String message) {
        return message.replaceAll(" \\(start marker at \\[.*?]\\)", "");
    }

    private static @Nullable Object value(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT -> integer(parser);
            case VALUE_NUMBER_FLOAT -> decimal(parser);
            default -> throw invalid(parser, "unexpected " + token, null);
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            Object value = value(parser, parser.nextToken());
            int before = map.size();
            map.put(name, value);
            if (map.size() == before) {
                throw invalid(parser, "duplicate key '" + name + "'", null);
            }
        }
        return map;
    }

    private static List<@Nullable Object> array(JsonParser parser) throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            list.add(value(parser, token));
        }
        return list;
    }

    private static Number integer(JsonParser parser) throws IOException {
        return switch (parser.getNumberType()) {
            case INT, LONG -> parser.getLongValue();
            default -> parser.getBigIntegerValue();
        };
    }

    private static Double decimal(JsonParser parser) throws IOException {
        double value = parser.getDoubleValue();
        if (Double.isInfinite(value)) {
            throw invalid(parser, "the number " + parser.getText() + " is too large for a double", null);
        }
        return value;
    }

    private static OntologiaException invalid(JsonParser parser, String cause, @Nullable Throwable throwable) {
        var at = parser.currentLocation();
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid JSON at line " + at.getLineNr() + ", column " + at.getColumnNr(),
                cause,
                "correct the document",
                throwable);
    }
}
