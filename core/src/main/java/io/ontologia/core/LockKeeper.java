package io.ontologia.core;

import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Step;
import java.time.Duration;
import java.util.Optional;

/**
 * Renews a lease whenever a third of its time has passed since the last renewal. Over when the lease is closed or lost,
 * which {@link WriteLease#isHeld} tells. A store that cannot say, because it is busy, full or out of reach, is asked again
 * soon.
 */
public final class LockKeeper implements Step {
    private final WriteLease lease;

    /** Does nothing until it is stepped. */
    public LockKeeper(WriteLease lease) {
        this.lease = lease;
    }

    /** Keeps a lease alive on a thread of its own. Close the runner before the lease. */
    public static BackgroundRunner start(WriteLease lease) {
        // A lease that cannot be renewed runs out, and what it protects checks that it is still held: nothing to do
        // here.
        return BackgroundRunner.start("ontologia-lock-keeper", new LockKeeper(lease), failure -> {});
    }

    @Override
    public Optional<Duration> step() {
        Optional<Duration> wait = lease.untilRenewal();
        if (wait.isEmpty() || !wait.get().isZero()) {
            return wait;
        }
        try {
            return lease.renew() ? lease.untilRenewal() : Optional.empty();
        } catch (OntologiaException e) {
            if (e.kind() == ErrorKind.BUSY
                    || e.kind() == ErrorKind.UNAVAILABLE
                    || e.kind() == ErrorKind.UNKNOWN_OUTCOME) {
                return Optional.of(lease.untilRetry());
            }
            throw e;
        }
    }
}
