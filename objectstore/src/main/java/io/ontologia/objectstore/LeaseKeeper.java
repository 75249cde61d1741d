package io.ontologia.objectstore;

import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.Step;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews a lease whenever a third of its ttl has passed since the last renewal. A renewal that fails because the store cannot
 * be reached or is full is tried again soon, for as long as the lease lasts. Over when the lease is released or lost; a lease
 * that is lost by a failed renewal is logged once.
 */
public final class LeaseKeeper implements Step {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private final Lease lease;

    /** Does nothing until it is stepped. */
    public LeaseKeeper(Lease lease) {
        this.lease = lease;
    }

    /** Keeps a lease alive on a thread of its own. Close the runner before the lease. */
    public static BackgroundRunner start(Lease lease) {
        return BackgroundRunner.start(
                "ontologia-lease-keeper",
                new LeaseKeeper(lease),
                e -> LOG.atError().setCause(e).addKeyValue("lock", lease.key()).log("lease keeper failed"));
    }

    @Override
    public Optional<Duration> step() {
        Optional<Duration> wait = lease.untilRenewal();
        if (wait.isEmpty() || !wait.get().isZero()) {
            return wait;
        }
        if (lease.renew()) {
            return lease.untilRenewal();
        }
        if (lease.untilRenewal().isPresent()) {
            return Optional.of(lease.untilRetry());
        }
        lease.lossReason()
                .ifPresent(reason -> LOG.atWarn()
                        .addKeyValue("lock", lease.key())
                        .addKeyValue("owner", lease.ownerId())
                        .addKeyValue("reason", reason)
                        .log("lease lost"));
        return Optional.empty();
    }
}
