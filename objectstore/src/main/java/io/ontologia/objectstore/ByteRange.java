package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/** A part of an object. A range that ends after the object's end is cut there. */
public sealed interface ByteRange {

    /** The index of the first byte in an object of the given size. */
    long first(long size);

    /** The index after the last byte in an object of the given size. */
    long end(long size);

    /** {@code length} bytes from {@code first} on. */
    static ByteRange of(long first, long length) {
        return new Slice(first, length);
    }

    /** Everything from {@code first} on. */
    static ByteRange from(long first) {
        return new Tail(first);
    }

    /** The last {@code length} bytes, or all when there are fewer. */
    static ByteRange last(long length) {
        return new Suffix(length);
    }

    /** So many bytes from a start on. */
    record Slice(long first, long length) implements ByteRange {
        public Slice {
            requireValid(first >= 0 && length > 0 && first + length > 0);
        }

        @Override
        public long first(long size) {
            return first;
        }

        @Override
        public long end(long size) {
            return Math.min(size, first + length);
        }
    }

    /** Everything from a start on. */
    record Tail(long first) implements ByteRange {
        public Tail {
            requireValid(first >= 0);
        }

        @Override
        public long first(long size) {
            return first;
        }

        @Override
        public long end(long size) {
            return size;
        }
    }

    /** So many bytes before the end. */
    record Suffix(long length) implements ByteRange {
        public Suffix {
            requireValid(length > 0);
        }

        @Override
        public long first(long size) {
            return Math.max(0, size - length);
        }

        @Override
        public long end(long size) {
            return size;
        }
    }

    /**
     * The same error for every store when a range starts at or after the end of an object.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it does
     */
    default void requireWithin(String key, long size) {
        if (first(size) >= size) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot read a range of '" + key + "'",
                    "it starts at byte " + first(size) + " but the object has " + size + " bytes",
                    "ask for a range inside the object");
        }
    }

    private static void requireValid(boolean valid) {
        if (!valid) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid byte range",
                    "a start must not be negative and a length must be positive",
                    "correct the range");
        }
    }
}
