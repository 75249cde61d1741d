package io.ontologia.nameservice;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Remembers what was last seen in step with an upstream, for each concern of each record: what tells "we are ahead" from "we went
 * different ways". Losing it loses no data: what can then not be told apart is reported as divergence.
 *
 * <p>Implementations are safe for use by many threads.
 */
public interface TrackingStore {

    /** What was last seen in step; empty when never. */
    Optional<ConcernValue> lastSeen(Alias alias, Concern concern);

    /** Remembers what is in step now. */
    void remember(Alias alias, Concern concern, ConcernValue value);

    /** What the record depended on when both sides were last seen in step; empty when never. */
    Optional<List<String>> lastDeps(Alias alias);

    /** Remembers what the record depends on now, on both sides. */
    void rememberDeps(Alias alias, List<String> deps);

    /** The records that were ever seen in step, and are not forgotten. */
    Set<Alias> known();

    /** Forgets a record: from now on both sides count as never seen in step. */
    void forget(Alias alias);

    /** Kept in memory. */
    static TrackingStore inMemory() {
        return new MemoryTracking();
    }

    /**
     * Kept beside the records of a nameservice, as graph sources of type {@code vg:tracking} named {@code vg:upstream/<remote>/<name>}:
     * whatever keeps the records keeps it.
     *
     * @param remote what the upstream is called here, for example {@code origin}
     */
    static TrackingStore in(Nameservice names, String remote) {
        return new RecordTracking(names, remote);
    }
}
