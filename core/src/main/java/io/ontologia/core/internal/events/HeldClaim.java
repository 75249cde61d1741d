package io.ontologia.core.internal.events;

import io.ontologia.core.Claim;
import java.time.Duration;
import java.time.Instant;

/** A claim in a worker's hands, from claiming until it is settled or lost. Safe for use by many threads. */
final class HeldClaim {
    private final Handler handler;
    private Claim claim;
    private boolean mine = true;
    private boolean running;
    private long startedNanos;

    HeldClaim(Handler handler, Claim claim) {
        this.handler = handler;
        this.claim = claim;
    }

    Handler handler() {
        return handler;
    }

    synchronized Claim claim() {
        return claim;
    }

    synchronized void renewed(Claim longer) {
        claim = longer;
    }

    synchronized void started(long nanos) {
        running = true;
        startedNanos = nanos;
    }

    /** Whether its handler has been at work for longer than a limit. */
    synchronized boolean isOverdue(long nanos, Duration limit) {
        return running && nanos - startedNanos > limit.toNanos();
    }

    /** Whether it is neither settled nor lost, as far as this worker knows. */
    synchronized boolean isLive(Instant now) {
        return mine && claim.isLive(now);
    }

    synchronized boolean isMine() {
        return mine;
    }

    /** Takes it out of the worker's hands; false when it was not there any more. Only who gets true may settle it. */
    synchronized boolean letGo() {
        boolean was = mine;
        mine = false;
        return was;
    }
}
