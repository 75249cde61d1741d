package io.ontologia.store.object.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Lets swaps of the head pass, one at a time, until it is closed because the process ends. */
final class SwapGate {
    private final ReentrantLock passing = new ReentrantLock();
    private boolean closed;

    <T> T pass(Supplier<T> swap) {
        passing.lock();
        try {
            if (closed) {
                throw new OntologiaException(
                        ErrorKind.CLOSED, "cannot commit", "the process ends", "try again; nothing was stored");
            }
            return swap.get();
        } finally {
            passing.unlock();
        }
    }

    /**
     * Lets no further swap pass.
     *
     * @return false when a swap was under way for longer than the given time; the gate stays open then
     */
    boolean close(Duration longest) {
        try {
            if (!passing.tryLock(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        try {
            closed = true;
            return true;
        } finally {
            passing.unlock();
        }
    }
}
