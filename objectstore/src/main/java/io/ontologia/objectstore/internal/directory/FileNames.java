package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/**
 * File names as UTF-8, whatever the locale of this process: a store written under one locale must read the same under
 * another. Java encodes the names in texts by the locale, but those in {@code file:} URIs byte by byte.
 */
final class FileNames {
    private FileNames() {}

    /** The entry of a folder with the given name. */
    static Path child(Path folder, String name) {
        if (isAscii(name)) {
            return folder.resolve(name);
        }
        URI uri = URI.create("file:///" + percentEncoded(name, true));
        return folder.resolve(folder.getFileSystem().provider().getPath(uri).getFileName());
    }

    /** The name of a folder's entry; empty when its bytes are no UTF-8. */
    static Optional<String> name(Path entry) {
        Path fileName = entry.getFileName();
        String text = fileName.toString();
        if (isAscii(text)) {
            return Optional.of(text);
        }
        String path = fileName.toUri().getRawPath();
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        return percentDecoded(path.substring(path.lastIndexOf('/', end - 1) + 1, end));
    }

    /**
     * The folder that a store's URI names.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it is not {@code file:///folder}
     */
    static Path folderOf(String uri) {
        try {
            return Path.of(URI.create(percentEncoded(uri, false))).normalize();
        } catch (IllegalArgumentException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot open '" + uri + "'",
                    "it does not name a folder by its absolute path",
                    "write it as file:///folder, with %20 for a space and %25 for a percent sign",
                    e);
        }
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    private static String percentEncoded(String text, boolean strict) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b > 0 && (!strict || Character.isLetterOrDigit(b));
            if (plain) {
                out.append((char) b);
            } else {
                out.append('%').append(HexFormat.of().toHexDigits(b));
            }
        }
        return out.toString();
    }

    private static Optional<String> percentDecoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '%') {
                bytes.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
                i += 2;
            } else {
                bytes.write(text.charAt(i));
            }
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
