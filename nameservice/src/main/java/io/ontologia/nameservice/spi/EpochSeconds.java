package io.ontologia.nameservice.spi;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Moments as the specification writes them: seconds since 1970 as a JSON number, which may have a fraction, as {@code time.time()} of
 * Python gives it.
 */
public final class EpochSeconds {
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);
    private static final BigDecimal LAST = BigDecimal.valueOf(Instant.MAX.getEpochSecond());

    private EpochSeconds() {}

    /** The moment that a JSON value means; empty when it is no number, or one that no clock shows. */
    public static Optional<Instant> read(@Nullable Object value) {
        if (!(value instanceof Number number)) {
            return Optional.empty();
        }
        BigDecimal seconds = number instanceof BigInteger big
                ? new BigDecimal(big)
                : number instanceof Long whole ? BigDecimal.valueOf(whole) : BigDecimal.valueOf(number.doubleValue());
        if (seconds.abs().compareTo(LAST) > 0) {
            return Optional.empty();
        }
        BigDecimal floor = seconds.setScale(0, RoundingMode.FLOOR);
        return Optional.of(Instant.ofEpochSecond(
                floor.longValueExact(), seconds.subtract(floor).multiply(NANOS).longValue()));
    }

    /** The JSON number of a moment: an integer unless it has a fraction of a second. */
    public static Number write(Instant moment) {
        if (moment.getNano() == 0) {
            return moment.getEpochSecond();
        }
        return BigDecimal.valueOf(moment.getEpochSecond())
                .add(BigDecimal.valueOf(moment.getNano(), 9))
                .doubleValue();
    }
}
