package io.ontologia.core.internal.events;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.NewEvent;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.kernel.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which process publishes for a bridge, and how far that is. The turn is a claim on an event that nobody ever acknowledges; the
 * position is what the bridge's entry among the sessions says. For one thread at a time.
 */
public final class BridgeTurn {
    /** Where bridges have their turns and positions. */
    public static final String NAMESPACE = "ontologia.bridges";

    private static final String POSITION = "commit";

    private final EventStore bus;
    private final String name;
    private final String sessionId;
    private final Clock clock;
    private @Nullable Claim claim;
    private Duration lease = Duration.ZERO;
    private boolean announced;
    private long position;

    /** Does nothing yet. */
    public BridgeTurn(EventStore bus, String name, String sessionId, Clock clock) {
        this.bus = bus;
        this.name = name;
        this.sessionId = sessionId;
        this.clock = clock;
    }

    private String entry() {
        return "bridge:" + name;
    }

    /** The last commit that was published, 0 for none; empty when somebody else has the turn. */
    public OptionalLong position() {
        if (claim != null) {
            keep(claim);
        }
        if (claim == null && !take()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(position);
    }

    private void keep(Claim held) {
        if (Duration.between(clock.now(), held.leaseUntil())
                        .compareTo(lease.multipliedBy(2).dividedBy(3))
                <= 0) {
            claim = bus.renew(List.of(held)).get(0) instanceof ClaimOutcome.Renewed renewed ? renewed.claim() : null;
            // The event of the turn may have been cleaned up.
            announced = claim != null;
        }
    }

    private boolean take() {
        if (!announced) {
            bus.enqueue(List.of(NewEvent.of(NAMESPACE, entry(), Map.of()).identity(entry(), Instant.EPOCH)));
            announced = true;
        }
        List<Claim> claims = bus.claim(new ClaimRequest(
                NAMESPACE, sessionId, List.of(new ClaimRequest.Subscription(entry(), Set.of(entry()), 1))));
        if (claims.isEmpty()) {
            // It may be gone, or somebody else's: the first is put right with the next attempt.
            announced = false;
            return false;
        }
        claim = claims.get(0);
        lease = Duration.between(claim.claimedAt(), claim.leaseUntil());
        position = bus.sessions(NAMESPACE).stream()
                .filter(session -> session.sessionId().equals(entry()))
                .map(session -> session.metadata().get(POSITION))
                .filter(Number.class::isInstance)
                .mapToLong(number -> ((Number) number).longValue())
                .findFirst()
                .orElse(0);
        return true;
    }

    /** Remembers what was published. Also right for who lost the turn meanwhile: it was published all the same. */
    public void moveTo(long commitId) {
        bus.registerSession(NAMESPACE, entry(), Map.of(POSITION, commitId));
        position = commitId;
    }

    /** Lets another process go on at once. */
    public void giveAway() {
        if (claim != null) {
            bus.handBack(List.of(claim));
            claim = null;
        }
    }
}
