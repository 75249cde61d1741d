package io.ontologia.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The leases of a session that are not closed. Safe for use by many threads. */
final class LeasesInUse {
    private final Deque<WriteLease> leases = new ArrayDeque<>();

    synchronized WriteLease add(WriteLease lease) {
        leases.push(lease);
        return lease;
    }

    synchronized void remove(WriteLease lease) {
        leases.remove(lease);
    }

    /** The hold that commits carry: that of the lease acquired last, whether or not it was lost since. */
    Optional<LockHolder> hold() {
        WriteLease last;
        synchronized (this) {
            last = leases.peek();
        }
        return Optional.ofNullable(last).map(WriteLease::holder);
    }
}
