package io.ontologia.core.spi;

import io.ontologia.core.Explanation;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/** What a store of many objects needs now and then. Nothing here changes what queries answer. */
public interface Upkeep {

    /** Whether an index agrees with the commits. */
    enum IndexStatus {
        /** It is complete and names the files that the commits name. */
        OK,
        /** There is none, or it cannot be read. */
        MISSING,
        /** It ends before the newest commit. */
        LAG,
        /** It claims to be complete and does not have what the newest commit wrote. */
        MISSING_LATEST_ENTRY,
        /** It claims to be complete and does not have what an earlier commit wrote. */
        MISSING_ENTRY,
        /** It names another file for a commit than the commit does. */
        PATH_MISMATCH,
        /** It names commits after the newest one, for example because the store was restored from an unfinished backup. */
        BEYOND_HEAD;

        /** The status as it is printed, for example {@code path_mismatch}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What an index says.
     *
     * @param upTo the commit up to which it says that it is complete
     * @param head the newest commit
     * @param files how many files it names
     */
    record IndexState(TypeRef type, long upTo, long head, int files, IndexStatus status) {}

    /**
     * The state of every index, compared with all commits. An index that does not agree with the commits is not used for
     * answers, which then take longer.
     */
    List<IndexState> verifyIndices();

    /** The state of every index, compared with the newest commit alone: a few requests, whatever the number of commits. */
    List<IndexState> indexStates();

    /** Brings every index up to the newest commit, from the commits themselves where needed. */
    List<IndexState> repairIndices();

    /**
     * What holds the rows of all known types, at one moment.
     *
     * @param head the newest commit then
     * @param files each version of each row is in one of them
     */
    record Files(long head, List<Explanation.DataFile> files) {
        public Files {
            files = List.copyOf(files);
        }
    }

    /**
     * The files with the rows of all known types, for others who read them. They do not change, but may be gone some time
     * after others took their place.
     *
     * @param upTo only rows of commits up to this one are asked for; files may hold later ones too
     */
    Files files(OptionalLong upTo);

    /**
     * Files that are, or would be, replaced by one.
     *
     * @param files how many
     * @param path the file in their place; empty while it is only a plan
     */
    record Rewrite(TypeRef type, long minCommitId, long maxCommitId, int files, Optional<String> path) {}

    /** What {@link #compact} would do. */
    List<Rewrite> planCompaction(Optional<TypeRef> only);

    /**
     * Replaces many small files by few large ones with the same rows, each proven to be the same before it counts.
     *
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when another writer holds the write lock, of kind {@link
     *     ErrorKind#CONFLICT} when there was a commit meanwhile; what was replaced before stays replaced
     */
    List<Rewrite> compact(Optional<TypeRef> only, String runtimeId, Progress progress);

    /**
     * Tells when the store was compacted in the background of this process, until it is closed.
     *
     * @param listener called, by the thread that compacts, with the commit up to which files were merged; must return at once
     */
    void onCompaction(LongConsumer listener);

    /**
     * Objects that nothing refers to.
     *
     * @param keys by name
     * @param bytes how much they take
     */
    record Garbage(List<String> keys, long bytes) {}

    /** Objects younger than this, by the store's clock, are never removed, whatever is asked for. */
    Duration SHORTEST_GRACE = Duration.ofHours(1);

    /**
     * Objects that nothing refers to and that were not written to for a time, by the store's clock.
     *
     * @param olderThan at least {@link #SHORTEST_GRACE}; a shorter time counts as that
     */
    Garbage findGarbage(Duration olderThan);

    /**
     * Removes what {@link #findGarbage} finds. A writer that is stopped in the middle of a commit or a compaction finds that
     * refused, and makes it again.
     *
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when there are attempts at commits after the newest one, and
     *     another writer holds the write lock; nothing was removed
     */
    Garbage collectGarbage(Duration olderThan);

    /**
     * Data files of commits whose rows are proven to be in a larger file as well, for longer than a time. Reads the larger
     * files from end to end.
     *
     * @param olderThan at least {@link #SHORTEST_GRACE}; a shorter time counts as that
     */
    Garbage findCovered(Duration olderThan);

    /** Removes what {@link #findCovered} finds. Every question is answered as before, from the larger files. */
    Garbage removeCovered(Duration olderThan);
}
