package io.ontologia.store.object.internal.engine;

import java.nio.file.Path;

/**
 * A Parquet file with rows of one type, on this machine. It never changes.
 *
 * @param minCommitId rows of earlier commits do not count
 * @param maxCommitId rows of later commits do not count
 * @param extent whether the file may hold rows that do not count
 * @param origin whether the file may hold rows of other types
 */
public record DataFile(Path path, long minCommitId, long maxCommitId, Extent extent, Origin origin) {

    /** The program that wrote a file. */
    public enum Origin {
        /** This one, which puts rows of one type into a file. */
        OURS,
        /** Any program. */
        ANY
    }

    /** How much of a file counts. */
    public enum Extent {
        /** All rows are in the range of commits. */
        WHOLE,
        /** Rows outside the range must be left out. */
        PART
    }

    /** A file whose rows are all in the range of commits. */
    public DataFile(Path path, long minCommitId, long maxCommitId) {
        this(path, minCommitId, maxCommitId, Extent.WHOLE, Origin.ANY);
    }

    /** Only the rows of some of its commits. */
    public DataFile part(long min, long max) {
        return new DataFile(path, min, max, Extent.PART, origin);
    }

    /** The same file, as written by this program. */
    public DataFile ours() {
        return new DataFile(path, minCommitId, maxCommitId, extent, Origin.OURS);
    }
}
