package io.ontologia.kernel;

import java.time.Instant;
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

    /**
     * A UUID of version 7: the milliseconds of a moment, then random bits. Those of one time stand together where they are
     * sorted, and so are written together.
     */
    public static String uuid(Instant moment, RandomGenerator random) {
        long high = (moment.toEpochMilli() << 16) | 0x7000L | (random.nextLong() & 0xFFFL);
        long low = (random.nextLong() >>> 2) | (1L << 63);
        return new UUID(high, low).toString();
    }
}
