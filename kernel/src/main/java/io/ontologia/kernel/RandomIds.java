package io.ontologia.kernel;

import java.util.HexFormat;
import java.util.UUID;
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

    /** A random UUID, of version 4. */
    public static String uuid(RandomGenerator random) {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() >>> 2) | (1L << 63);
        return new UUID(high, low).toString();
    }
}
