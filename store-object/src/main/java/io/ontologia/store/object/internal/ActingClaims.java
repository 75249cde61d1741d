package io.ontologia.store.object.internal;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimLostException;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The claims on whose behalf a group of commits is made. Claim and head are two objects, so no single write can depend on
 * both: each claim is extended first, which fails when it is lost. When the head is swapped it must have a good part of that
 * time left, and nobody in this process may have given it up meanwhile.
 */
final class ActingClaims {
    private final SharedStore shared;
    private final List<Claim> extended = new ArrayList<>();

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
            if (shared.claims().extend(claim.get(), shared.claimLease()).isPresent()) {
                extended.add(claim.get());
            } else {
                ticket.fail(new ClaimLostException(claim.get()));
            }
        } catch (OntologiaException e) {
            ticket.fail(e);
        }
    }

    /** Whether all of them are still held, and last for another third of their time by our clock. Makes no request. */
    boolean areSafe() {
        Duration margin = shared.claimLease().dividedBy(3);
        return extended.stream().allMatch(claim -> shared.claims().isKnownToLast(claim, margin));
    }
}
