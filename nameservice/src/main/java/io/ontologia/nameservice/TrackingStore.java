package io.ontologia.nameservice;

import java.util.Optional;

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
