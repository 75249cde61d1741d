package io.ontologia.store.sqlite.internal;

import io.ontologia.core.spi.DesiredRow;
import java.util.List;

/**
 * Decides when commits bring the copies of the latest versions level. To touch the copies costs a commit of one row as much
 * as everything else that it does, and large commits touch fewer pages when several share the work; so in a run of commits
 * that nobody asks between, the copies are left behind, by so many rows that a query or a later commit catches up quickly.
 * Threads may share it.
 */
final class Upkeep {
    /** How far small commits may leave the copies behind, in rows. */
    private static final long MOST_ROWS_BEHIND = 8_192;

    /** How far large commits may in a small store, and at most; in between, a part of what is there. */
    private static final long FEW_ROWS_BEHIND_OF_LARGE = 65_536;

    private static final long MOST_ROWS_BEHIND_OF_LARGE = 262_144;
    private static final int PART_BEHIND_OF_LARGE = 2;

    /** For how many small commits the copies are kept level after somebody asked: who asks once is likely to ask again. */
    private static final int COMMITS_AFTER_QUERY = 32;

    /** A large commit counts as so many small ones. */
    private static final int WEIGHT_OF_LARGE = 32;

    private static final long UNKNOWN = -1;

    private int toKeepLevel = COMMITS_AFTER_QUERY;
    private boolean leftBehind;
    private long versionAlerts;
    private long ownLevel = UNKNOWN;
    private long ownRowsBehind = UNKNOWN;
    private long nextOwnRowsBehind = UNKNOWN;
    private final RecentRows recent = new RecentRows();

    /** How many rows a commit is about to write. */
    enum Size {
        SMALL,
        LARGE
    }

    /** Notes what arrived from other programs. */
    synchronized void arrived(Latest.Arrived rows) {
        if (rows == Latest.Arrived.OTHER_VERSIONS) {
            versionAlerts++;
        }
    }

    /** How often rows with other schema versions than the current ones may have arrived. */
    synchronized long versionAlerts() {
        return versionAlerts;
    }

    /** Notes that a query wanted the latest versions. */
    synchronized void asked() {
        toKeepLevel = COMMITS_AFTER_QUERY;
    }

    /** Whether the rows that the copies lack, if any, are all from commits through this object. */
    synchronized boolean wroteAllSince(Position position) {
        return !position.dirty()
                && (position.rowsBehind() == 0
                        || (position.level() == ownLevel && position.rowsBehind() == ownRowsBehind));
    }

    /**
     * Whether rows may have a version in the history that the copies lack.
     *
     * @param position where the copies are; all rows that they lack are from commits through this object
     */
    synchronized boolean mayBeBehind(Position position, List<DesiredRow> rows) {
        return position.rowsBehind() > 0 && recent.mayHave(position.level(), rows);
    }

    /** Notes rows that a commit appends and leaves out of the copies. */
    synchronized void leaving(Position before, List<DesiredRow> rows) {
        recent.add(before.level(), rows);
    }

    /**
     * Whether a commit should bring the copies level. When it leaves them behind, {@link #committed} must follow.
     *
     * @param before where they were when it began; level where the last commit left some behind means that another process
     *     asked
     * @param rows how many rows it writes
     */
    synchronized boolean isDue(Position before, Size size, long rows) {
        if (leftBehind && before.rowsBehind() == 0) {
            toKeepLevel = COMMITS_AFTER_QUERY;
        }
        long most = size == Size.SMALL ? MOST_ROWS_BEHIND : mostBehindOfLarge(before);
        boolean due = toKeepLevel > 0 || before.dirty() || before.rowsBehind() + rows > most;
        toKeepLevel = Math.max(0, toKeepLevel - (size == Size.SMALL ? 1 : WEIGHT_OF_LARGE));
        leftBehind = !due;
        nextOwnRowsBehind = due || !wroteAllSince(before) ? UNKNOWN : before.rowsBehind() + rows;
        ownLevel = before.level();
        ownRowsBehind = UNKNOWN;
        return due;
    }

    /** The more there is, the more pages each catching up touches, and the more rows should share it. */
    private static long mostBehindOfLarge(Position before) {
        long part = Math.min(before.level() / PART_BEHIND_OF_LARGE, MOST_ROWS_BEHIND_OF_LARGE);
        return Math.max(part, FEW_ROWS_BEHIND_OF_LARGE);
    }

    /** So many rows can be laid over the copies by every query; with more, to search the history is no slower. */
    static boolean areFew(Position position) {
        return position.rowsBehind() >= 0 && position.rowsBehind() <= 2 * mostBehindOfLarge(position);
    }

    /** Notes that the transaction ended well: only then are its rows known to be there. */
    synchronized void committed() {
        ownRowsBehind = nextOwnRowsBehind;
        nextOwnRowsBehind = UNKNOWN;
    }

    /** Whether the last commit left rows behind. */
    synchronized boolean leftBehind() {
        return leftBehind;
    }
}
