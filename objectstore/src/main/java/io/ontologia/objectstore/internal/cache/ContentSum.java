package io.ontologia.objectstore.internal.cache;

import io.ontologia.kernel.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What tells whole content from damaged content.
 *
 * @param sha256 64 lower-case hexadecimal digits
 */
public record ContentSum(long length, String sha256) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18}) ([0-9a-f]{64})\n");

    /** The sum of a file, which is read from start to end. */
    public static ContentSum of(Path file) throws IOException {
        return new ContentSum(Files.size(file), Sha256.hex(file));
    }

    String text() {
        return length + " " + sha256 + "\n";
    }

    static Optional<ContentSum> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new ContentSum(Long.parseLong(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }
}
