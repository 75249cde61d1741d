package io.ontologia.kernel;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Random identifiers, from a generator that the caller brings. */
public final class RandomIds {
    private RandomIds() {}

    /** Lower-case hexadecimal digits. */
    public static String hex(RandomGenerator random, int digits) {
        byte[] bytes = new byte[(digits + 1) / 2];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes).substring(0, digits);
    }
}
