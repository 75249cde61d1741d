package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a concern is at one moment. Two values are equal when watermark and payload are.
 *
 * @param watermark 0 while nothing was ever pushed, and higher with every push
 * @param payload empty at watermark 0; pushed values always have one
 */
public record ConcernValue(long watermark, Optional<ConcernPayload> payload) {
    private static final ConcernValue UNBORN = new ConcernValue(0, Optional.empty());

    public ConcernValue {
        if (watermark < 0 || (watermark == 0 && payload.isPresent())) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid value of a concern",
                    watermark < 0 ? "its watermark is negative" : "it has a payload at watermark 0",
                    "use watermark 0 without a payload for what was never pushed");
        }
    }

    /** The record exists, and this concern was never pushed. */
    public static ConcernValue unborn() {
        return UNBORN;
    }

    /** A value with a payload. */
    public static ConcernValue of(long watermark, ConcernPayload payload) {
        return new ConcernValue(watermark, Optional.of(payload));
    }

    /** A value whose payload has these fields. */
    public static ConcernValue of(long watermark, Map<String, ? extends @Nullable Object> fields) {
        return of(watermark, ConcernPayload.of(fields));
    }

    /** The value after this one, for concerns whose watermark counts changes. */
    public ConcernValue next(ConcernPayload payload) {
        return of(watermark + 1, payload);
    }

    /** Whether nothing was ever pushed. */
    public boolean isUnborn() {
        return watermark == 0;
    }
}
