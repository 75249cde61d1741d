package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;

/**
 * What to read.
 *
 * @param range the part to read; empty for the whole object
 * @param ifNoneMatch the version that the caller already has, and does not want again
 * @param mostBytes how many bytes the caller takes; more are an error, and are not read
 */
public record GetOptions(Optional<ByteRange> range, Optional<ETag> ifNoneMatch, long mostBytes) {
    private static final GetOptions WHOLE = new GetOptions(Optional.empty(), Optional.empty(), Long.MAX_VALUE);

    /** The whole object, whatever its version and size. */
    public static GetOptions whole() {
        return WHOLE;
    }

    /** The same, but only a part. */
    public GetOptions range(ByteRange part) {
        return new GetOptions(Optional.of(part), ifNoneMatch, mostBytes);
    }

    /** The same, but only if the object is another version than this one. */
    public GetOptions ifNoneMatch(ETag known) {
        return new GetOptions(range, Optional.of(known), mostBytes);
    }

    /** The same, but no more than so many bytes. */
    public GetOptions most(long bytes) {
        return new GetOptions(range, ifNoneMatch, Math.min(mostBytes, bytes));
    }

    /**
     * For stores: to be called before bytes are read.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when there are more than the caller takes
     */
    public void requireAtMost(String key, long bytes) {
        if (bytes > mostBytes) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read '" + key + "'",
                    "it has " + bytes + " bytes, and an object of this kind has at most " + mostBytes,
                    "restore it from a backup; 'onto fsck' tells what else is damaged");
        }
    }
}
