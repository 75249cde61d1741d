package io.ontologia.core.spi;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Adds integers of any size without rounding. For one thread. */
public final class ExactSum {
    private long small;
    private @Nullable BigInteger big;

    /** Adds one more: a {@code Long} or a {@code BigInteger}. */
    public void add(Number integer) {
        if (integer instanceof BigInteger large) {
            big = big == null ? large : big.add(large);
            return;
        }
        long term = integer.longValue();
        long sum = small + term;
        // Both terms have a sign that the sum does not have.
        if (((small ^ sum) & (term ^ sum)) < 0) {
            BigInteger both = BigInteger.valueOf(small).add(BigInteger.valueOf(term));
            big = big == null ? both : big.add(both);
            small = 0;
        } else {
            small = sum;
        }
    }

    /** The sum so far. */
    public Number value() {
        return big == null ? (Number) small : number(big.add(BigInteger.valueOf(small)));
    }

    /** An integer as results hold it: a {@code Long} where it has 64 bits, else a {@code BigInteger}. */
    public static Number number(BigInteger integer) {
        return integer.bitLength() < Long.SIZE ? (Number) integer.longValue() : integer;
    }
}
