package io.ontologia.objectstore;

import java.util.Optional;

/**
 * What to read.
 *
 * @param range the part to read; empty for the whole object
 * @param ifNoneMatch the version that the caller already has, and does not want again
 */
public record GetOptions(Optional<ByteRange> range, Optional<ETag> ifNoneMatch) {
    private static final GetOptions WHOLE = new GetOptions(Optional.empty(), Optional.empty());

    /** The whole object, whatever its version. */
    public static GetOptions whole() {
        return WHOLE;
    }

    /** The same, but only a part. */
    public GetOptions range(ByteRange part) {
        return new GetOptions(Optional.of(part), ifNoneMatch);
    }

    /** The same, but only if the object is another version than this one. */
    public GetOptions ifNoneMatch(ETag known) {
        return new GetOptions(range, Optional.of(known));
    }
}
