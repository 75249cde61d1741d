package io.ontologia.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A fast 64-bit hash of content: rapidhash, version 1, which is what other implementations of the entity store use.
 * It tells versions and objects apart; it is no defence against somebody who wants two contents to collide.
 *
 * <p>The value is an unsigned 64-bit number held in a {@code long}; print it with {@link Long#toUnsignedString(long)}.
 */
public final class ContentHash {
    /** The seed that other implementations use when none is given. */
    public static final long DEFAULT_SEED = 0xbdd89aa982704029L;

    private static final long SECRET_0 = 0x2d358dccaa6c78a5L;
    private static final long SECRET_1 = 0x8bb84b93962eacc9L;
    private static final long SECRET_2 = 0x4b33a62ed433d4a3L;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private ContentHash() {}

    /** The hash of the bytes with the default seed. */
    public static long of(byte[] bytes) {
        return of(bytes, DEFAULT_SEED);
    }

    /** The hash of the bytes with a given seed. */
    public static long of(byte[] bytes, long givenSeed) {
        int length = bytes.length;
        long seed = givenSeed ^ mix(givenSeed ^ SECRET_0, SECRET_1) ^ length;
        long a;
        long b;
        if (length > 16) {
            int at = 0;
            int left = length;
            if (left > 48) {
                long second = seed;
                long third = seed;
                while (left >= 48) {
                    seed = mix(read64(bytes, at) ^ SECRET_0, read64(bytes, at + 8) ^ seed);
                    second = mix(read64(bytes, at + 16) ^ SECRET_1, read64(bytes, at + 24) ^ second);
                    third = mix(read64(bytes, at + 32) ^ SECRET_2, read64(bytes, at + 40) ^ third);
                    at += 48;
                    left -= 48;
                }
                seed ^= second ^ third;
            }
            if (left > 16) {
                seed = mix(read64(bytes, at) ^ SECRET_2, read64(bytes, at + 8) ^ seed ^ SECRET_1);
                if (left > 32) {
                    seed = mix(read64(bytes, at + 16) ^ SECRET_2, read64(bytes, at + 24) ^ seed);
                }
            }
            a = read64(bytes, length - 16);
            b = read64(bytes, length - 8);
        } else if (length >= 4) {
            int last = length - 4;
            int delta = (length & 24) >>> (length >>> 3);
            a = read32(bytes, 0) << 32 | read32(bytes, last);
            b = read32(bytes, delta) << 32 | read32(bytes, last - delta);
        } else if (length > 0) {
            a = (bytes[0] & 0xffL) << 56 | (bytes[length >> 1] & 0xffL) << 32 | (bytes[length - 1] & 0xffL);
            b = 0;
        } else {
            a = 0;
            b = 0;
        }
        a ^= SECRET_1;
        b ^= seed;
        long low = a * b;
        long high = unsignedMultiplyHigh(a, b);
        return mix(low ^ SECRET_0 ^ length, high ^ SECRET_1);
    }

    private static long mix(long a, long b) {
        return a * b ^ unsignedMultiplyHigh(a, b);
    }

    /** {@code Math.unsignedMultiplyHigh} exists from Java 18 on. */
    private static long unsignedMultiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
    }

    private static long read64(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    private static long read32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at) & 0xffffffffL;
    }
}
