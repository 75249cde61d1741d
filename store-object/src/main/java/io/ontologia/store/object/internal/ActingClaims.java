package io.ontologia.store.object.internal;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimLostException;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claims on whose behalf a group of commits is made. Claim and head are two objects, so no single write can depend on
 * both: each claim is extended first, which fails when it is lost, and must have a good part of that time left when the head
 * is swapped.
 */
final class ActingClaims {
    private final SharedStore shared;
    private @Nullable Instant firstEnd;

    ActingClaims(SharedStore shared) {
        this.shared = shared;
    }

    /** Extends the claim of a commit, if it has one; a commit whose claim is lost is refused. */
    void extend(Ticket ticket) {
        Optional<Claim> claim = ticket.request().outbox().claim();
        if (claim.isEmpty()) {
            return;
        }
        try {
            Optional<Instant> end = shared.claims().extend(claim.get(), shared.claimLease());
            if (end.isEmpty()) {
                ticket.fail(new ClaimLostException(claim.get()));
            } else if (firstEnd == null || end.get().isBefore(firstEnd)) {
                firstEnd = end.get();
            }
        } catch (OntologiaException e) {
            ticket.fail(e);
        }
    }

    /** Whether all of them last for another third of their time, by our clock. */
    boolean areSafe() {
        Duration margin = shared.claimLease().dividedBy(3);
        return firstEnd == null || shared.clock().now().plus(margin).isBefore(firstEnd);
    }
}
