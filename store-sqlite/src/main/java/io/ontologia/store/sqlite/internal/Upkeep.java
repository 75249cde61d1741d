package io.ontologia.store.sqlite.internal;

/**
 * Decides when small commits bring the copies of the latest versions level. To touch the copies costs a commit of one row
 * as much as everything else that it does; so in a run of small commits that nobody asks between, they are left behind, by
 * so many rows that a query or a later commit catches up in a blink. Threads may share it.
 */
final class Upkeep {
    /** For how many commits the copies are kept level after somebody asked: who asks once is likely to ask again. */
    static final int COMMITS_AFTER_QUERY = 32;

    /** How far the copies may fall behind, in rows. */
    static final int MOST_ROWS_BEHIND = 8_192;

    private int toKeepLevel = COMMITS_AFTER_QUERY;
    private boolean leftBehind;

    /** Notes that a query wanted the latest versions. */
    synchronized void asked() {
        toKeepLevel = COMMITS_AFTER_QUERY;
    }

    /**
     * Whether a small commit should bring the copies level.
     *
     * @param rowsBehind by how many rows they were behind when it began; 0 where the last commit left some behind means
     *     that another process asked
     */
    synchronized boolean isDue(long rowsBehind) {
        if (leftBehind && rowsBehind == 0) {
            toKeepLevel = COMMITS_AFTER_QUERY;
        }
        boolean due = toKeepLevel > 0 || rowsBehind >= MOST_ROWS_BEHIND;
        toKeepLevel = Math.max(0, toKeepLevel - 1);
        leftBehind = !due;
        return due;
    }

    /** Whether the last small commit left rows behind. */
    synchronized boolean leftBehind() {
        return leftBehind;
    }
}
