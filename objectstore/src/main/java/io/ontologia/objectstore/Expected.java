package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What is known of an object before it is read.
 *
 * @param length its size in bytes
 * @param sha256 its hash, 64 lower-case hexadecimal digits
 */
public record Expected(OptionalLong length, Optional<String> sha256) {
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
    private static final Expected ANYTHING = new Expected(OptionalLong.empty(), Optional.empty());

    public Expected {
        if ((length.isPresent() && length.getAsLong() < 0)
                || sha256.filter(hash -> !HEX.matcher(hash).matches()).isPresent()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid expectation of an object",
                    "a length is not negative, and a SHA-256 has 64 lower-case hexadecimal digits",
                    "correct it, or expect anything");
        }
    }

    /** Nothing is known. */
    public static Expected anything() {
        return ANYTHING;
    }

    /** The same with a size. */
    public Expected length(long bytes) {
        return new Expected(OptionalLong.of(bytes), sha256);
    }

    /** The same with a hash. */
    public Expected sha256(String hex) {
        return new Expected(length, Optional.of(hex));
    }

    /** Whether this content can be the object. */
    boolean fits(long actualLength, String actualSha256) {
        return length.orElse(actualLength) == actualLength
                && sha256.orElse(actualSha256).equals(actualSha256);
    }
}
