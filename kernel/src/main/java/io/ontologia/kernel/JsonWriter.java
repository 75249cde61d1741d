package io.ontologia.kernel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes canonical JSON into a growing byte array. One writer, one document, one thread. */
final class JsonWriter {
    enum Flavour {
        UTF_8,
        ASCII
    }

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

    private final Flavour flavour;
    private byte[] buffer = new byte[256];
    private int length;
    private int depth;

    JsonWriter(Flavour flavour) {
        this.flavour = flavour;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(buffer, length);
    }

    void value(@Nullable Object value) {
        if (value == null) {
            ascii("null");
        } else if (value instanceof String text) {
            text(text);
        } else if (value instanceof Boolean bool) {
            ascii(bool ? "true" : "false");
        } else if (value instanceof Number number) {
            number(number);
        } else if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof List<?> list) {
            array(list);
        } else {
            throw refused("a " + value.getClass().getName() + " is no JSON value");
        }
    }

    private void number(Number number) {
        if (number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte) {
            ascii(Long.toString(number.longValue()));
        } else if (number instanceof Double || number instanceof Float) {
            ascii(PythonDouble.text(number.doubleValue()));
        } else if (number instanceof BigInteger big) {
            ascii(big.toString());
        } else if (number instanceof BigDecimal decimal) {
            double nearest = decimal.doubleValue();
            if (Double.isInfinite(nearest) || BigDecimal.valueOf(nearest).compareTo(decimal) != 0) {
                throw refused("the number " + decimal + " does not fit a double without loss");
            }
            ascii(PythonDouble.text(nearest));
        } else {
            throw refused("a " + number.getClass().getName() + " is no JSON number");
        }
    }

    private void object(Map<?, ?> map) {
        enter();
        String[] keys = new String[map.size()];
        int count = 0;
        for (Object key : map.keySet()) {
            if (!(key instanceof String name)) {
                throw refused("the key " + key + " is not a text");
            }
            keys[count++] = name;
        }
        Arrays.sort(keys, CodePointOrder.INSTANCE);
        append('{');
        for (int i = 0; i < keys.length; i++) {
            if (i > 0) {
                append(',');
            }
            text(keys[i]);
            append(':');
            value(map.get(keys[i]));
        }
        append('}');
        depth--;
    }

    private void array(List<?> list) {
        enter();
        append('[');
        boolean first = true;
        for (Object item : list) {
            if (!first) {
                append(',');
            }
            first = false;
            value(item);
        }
        append(']');
        depth--;
    }

    private void enter() {
        if (++depth > Json.MAX_DEPTH) {
            throw refused("it nests deeper than " + Json.MAX_DEPTH + " levels");
        }
    }

    private void text(String text) {
        reserve(text.length() + 2);
        buffer[length++] = '"';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
                append(c);
            } else if (c < 0x80) {
                escape(c);
            } else if (flavour == Flavour.ASCII) {
                unicodeEscape(c);
            } else {
                i += utf8(text, i);
            }
        }
        append('"');
    }

    private void escape(char c) {
        switch (c) {
            case '"' -> ascii("\\\"");
            case '\\' -> ascii("\\\\");
            case '\n' -> ascii("\\n");
            case '\r' -> ascii("\\r");
            case '\t' -> ascii("\\t");
            case '\b' -> ascii("\\b");
            case '\f' -> ascii("\\f");
            default -> {
                if (c == 0x7f && flavour == Flavour.UTF_8) {
                    append(c);
                } else {
                    unicodeEscape(c);
                }
            }
        }
    }

    private void unicodeEscape(char c) {
        reserve(6);
        buffer[length++] = '\\';
        buffer[length++] = 'u';
        for (int shift = 12; shift >= 0; shift -= 4) {
            buffer[length++] = HEX[c >> shift & 0xf];
        }
    }

    /** Appends the character at the index and returns how many chars beyond the first it took. */
    private int utf8(String text, int at) {
        int codePoint = text.codePointAt(at);
        reserve(4);
        if (codePoint < 0x800) {
            buffer[length++] = (byte) (0xc0 | codePoint >> 6);
        } else if (codePoint < 0x10000) {
            if (Character.isSurrogate((char) codePoint)) {
                throw refused("a text holds half of a surrogate pair");
            }
            buffer[length++] = (byte) (0xe0 | codePoint >> 12);
            buffer[length++] = continuation(codePoint >> 6);
        } else {
            buffer[length++] = (byte) (0xf0 | codePoint >> 18);
            buffer[length++] = continuation(codePoint >> 12);
            buffer[length++] = continuation(codePoint >> 6);
        }
        buffer[length++] = continuation(codePoint);
        return codePoint < 0x10000 ? 0 : 1;
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3f));
    }

    @SuppressWarnings("deprecation") // copies the low bytes, which is exactly right for ASCII and several times faster
    private void ascii(String text) {
        int count = text.length();
        reserve(count);
        text.getBytes(0, count, buffer, length);
        length += count;
    }

    private void append(char c) {
        reserve(1);
        buffer[length++] = (byte) c;
    }

    private void reserve(int more) {
        if (more > buffer.length - length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }

    private static OntologiaException refused(String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "value cannot be written as JSON",
                cause,
                "use texts, numbers, booleans, lists, maps and null");
    }
}
