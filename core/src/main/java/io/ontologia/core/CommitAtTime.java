package io.ontologia.core;

import java.util.Optional;

/**
 * Which commit a time means, and which others might be meant.
 *
 * @param commitId the last commit at or before the time; 0 when there is none
 * @param sameTime the commits right after it when they carry one and the same time: they were stored together, or a clock
 *     was ahead and they were made before the time that they carry
 * @param ahead the commits that are left out and carry times after the present time of this process: a clock was ahead, or
 *     the clock of this process is behind
 */
public record CommitAtTime(long commitId, Optional<CommitRange> sameTime, Optional<CommitRange> ahead) {

    /**
     * Commits that follow each other.
     *
     * @param first the oldest
     * @param last the newest, which may be the same one
     */
    public record CommitRange(CommitInfo first, CommitInfo last) {}

    /** Whether commits that are left out may have been made before the time. */
    public boolean isAmbiguous() {
        return sameTime.isPresent() || ahead.isPresent();
    }
}
