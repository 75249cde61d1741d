package io.ontologia.kernel;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Names that become keys or paths. A type name is restricted; every other name is percent-encoded one path segment at a
 * time, so that no two names share a key and no name can leave its folder.
 */
public final class Names {
    private static final Pattern TYPE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Names() {}

    /** Whether the text is a type name: a letter or underscore, then at most 127 letters, digits or underscores. */
    public static boolean isTypeName(String text) {
        return TYPE_NAME.matcher(text).matches();
    }

    /**
     * Returns the text when it is a type name.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} otherwise
     */
    public static String requireTypeName(String text) {
        if (!isTypeName(text)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid type name '" + text + "'",
                    "a type name is a letter or underscore followed by at most 127 letters, digits or underscores",
                    "rename the type, or give it an explicit name");
        }
        return text;
    }

    /**
     * Encodes any name as one segment of an object key. Letters, digits, {@code _}, {@code -}, {@code ~} and (except in
     * front) {@code .} stand for themselves, every other byte of the UTF-8 form becomes {@code %XX}. Different names
     * always give different segments, also none that starts with a dot.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the name is empty or not valid Unicode
     */
    public static String encodeSegment(String name) {
        if (name.isEmpty()) {
            throw invalidName(name, "it is empty");
        }
        byte[] bytes;
        try {
            ByteBuffer buffer = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
        } catch (CharacterCodingException e) {
            throw invalidName(name, "it holds half of a surrogate pair");
        }
        StringBuilder out = new StringBuilder(bytes.length + 16);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            if (standsForItself(c) && !(c == '.' && i == 0)) {
                out.append(c);
            } else {
                HEX.toHexDigits(out.append('%'), bytes[i]);
            }
        }
        return out.toString();
    }

    /**
     * The name that {@link #encodeSegment} encoded.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it could not have produced this segment
     */
    public static String decodeSegment(String segment) {
        byte[] bytes = new byte[segment.length()];
        int length = 0;
        try {
            for (int i = 0; i < segment.length(); i++) {
                char c = segment.charAt(i);
                if (c == '%') {
                    bytes[length++] = (byte) HexFormat.fromHexDigits(segment, i + 1, i + 3);
                    i += 2;
                } else {
                    bytes[length++] = (byte) c;
                }
            }
            String name = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
            if (!name.isEmpty() && encodeSegment(name).equals(segment)) {
                return name;
            }
        } catch (CharacterCodingException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw invalidName(segment, "it is not a percent-encoded segment");
        }
        throw invalidName(segment, "it is not a percent-encoded segment");
    }

    private static boolean standsForItself(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '-'
                || c == '~'
                || c == '.';
    }

    private static OntologiaException invalidName(String name, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "invalid name '" + name + "'", cause, "use another name");
    }
}
