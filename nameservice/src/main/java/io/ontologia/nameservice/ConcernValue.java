package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a concern is at one moment. Two values are equal when watermark and payload are.
 *
 * @param watermark 0 while nothing was ever pushed, and higher with every push
 * @param payload pushed values always have one. At watermark 0 only version 1 and foreign writers leave one; an empty object there is
 *     none
 * @param origin the record that the value was read from; a push that expects a value with an origin is refused when the record is
 *     another one by now. Empty for a value that was not read
 */
public record ConcernValue(long watermark, Optional<ConcernPayload> payload, Optional<RecordIdentity> origin) {
    private static final ConcernValue UNBORN = new ConcernValue(0, Optional.empty());

    public ConcernValue {
        if (watermark < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid value of a concern",
                    "its watermark is negative",
                    "use watermark 0 for what was never pushed");
        }
        payload = watermark == 0 ? payload.filter(content -> !content.fields().isEmpty()) : payload;
    }

    /** A value that was not read. */
    public ConcernValue(long watermark, Optional<ConcernPayload> payload) {
        this(watermark, payload, Optional.empty());
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

    /** The same value as it was read from a record. */
    public ConcernValue readFrom(RecordIdentity record) {
        return new ConcernValue(watermark, payload, Optional.of(record));
    }

    /** The value after this one, for concerns whose watermark counts changes. */
    public ConcernValue next(ConcernPayload payload) {
        return of(watermark + 1, payload);
    }

    /** Whether nothing was ever pushed. */
    public boolean isUnborn() {
        return watermark == 0 && payload.isEmpty();
    }

    /** Whether this value, as a caller expects it, is the one of the record: equal, and not read from another record of that name. */
    public boolean isStill(ConcernValue actual) {
        return equals(actual) && !isOfAnotherRecordThan(actual);
    }

    /** Whether both values were read, from two records that had one name one after the other. */
    public boolean isOfAnotherRecordThan(ConcernValue other) {
        return origin.isPresent() && other.origin.isPresent() && !origin.get().matches(other.origin.get());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConcernValue value && value.watermark == watermark && value.payload.equals(payload);
    }

    @Override
    public int hashCode() {
        return Objects.hash(watermark, payload);
    }

    @Override
    public String toString() {
        return "ConcernValue[watermark=" + watermark + ", payload=" + payload + "]";
    }
}
