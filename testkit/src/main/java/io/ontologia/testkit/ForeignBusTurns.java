package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.Event;
import io.ontologia.core.NewEvent;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Turns of two programs on one event bus: events of every status, dead letters, sessions and clean-ups. */
final class ForeignBusTurns {
    private static final String NAMESPACE = "shop";
    private static final String HANDLER = "audit";
    private static final String TYPE = "order";
    private static final int SESSIONS = 3;

    private final SettableClock clock;
    private EventStore ours;
    private final ForeignBus foreign;
    private final RandomGenerator random;
    private final List<Known> events = new ArrayList<>();
    private final List<Instant> reports = new ArrayList<>();
    private final List<String> deadLetters = new ArrayList<>();
    private final Map<String, Instant> heartbeats = new TreeMap<>();
    private final List<Held> held = new ArrayList<>();

    ForeignBusTurns(SettableClock clock, EventStore ours, ForeignBus foreign, RandomGenerator random) {
        this.clock = clock;
        this.ours = ours;
        this.foreign = foreign;
        this.random = random;
    }

    /** Goes on with another opening of the same store. */
    void reopened(EventStore other) {
        ours = other;
    }

    /** An event as both programs must see it. */
    private static final class Known {
        final String id;
        final Instant createdAt;
        Instant leaseUntil = Instant.MIN;
        int attempts;
        String end = "";

        Known(String id, Instant createdAt) {
            this.id = id;
            this.createdAt = createdAt;
        }

        String status(Instant now) {
            return !end.isEmpty() ? end : leaseUntil.isAfter(now) ? "claimed" : "pending";
        }
    }

    /** A claim of one of the two; without {@code claim} it is the foreign one's. */
    private record Held(
            Known event, Instant leaseUntil, @Nullable Claim claim) {}

    void step(int number) throws Exception {
        switch (random.nextInt(16)) {
            case 0, 1 ->
                ours.enqueue(List.of(
                        NewEvent.of(NAMESPACE, TYPE, Map.of("n", (long) number)).identity(event(number), clock.now())));
            case 2, 3 -> foreign.enqueue(NAMESPACE, event(number), TYPE);
            case 4, 5 -> claimOurs();
            case 6, 7 -> claimForeign();
            case 8, 9, 10, 11 -> settle();
            case 12 -> sessionOurs();
            case 13 -> sessionForeign();
            case 14 -> ours.cleanup(NAMESPACE, forget());
            default -> foreign.cleanup(NAMESPACE, forget());
        }
    }

    private String event(int number) {
        String id = "event-%05d".formatted(number);
        events.add(new Known(id, clock.now().truncatedTo(ChronoUnit.MICROS)));
        return id;
    }

    private Optional<Known> next() {
        return events.stream()
                .filter(event -> event.status(clock.now()).equals("pending"))
                .findFirst();
    }

    private void claimOurs() {
        Optional<Known> expected = next();
        List<Claim> claims = ours.claim(
                new ClaimRequest(NAMESPACE, "ours", List.of(new ClaimRequest.Subscription(HANDLER, Set.of(TYPE), 1))));
        assertThat(claims)
                .extracting(claim -> claim.event().id())
                .isEqualTo(expected.stream().map(event -> event.id).toList());
        claims.forEach(claim -> hold(expected.orElseThrow(), claim));
    }

    private void claimForeign() throws Exception {
        Optional<Known> expected = next();
        Optional<String> claimed = foreign.claim(NAMESPACE, HANDLER, TYPE);
        assertThat(claimed).isEqualTo(expected.map(event -> event.id));
        expected.ifPresent(event -> hold(event, null));
    }

    private void hold(Known event, @Nullable Claim claim) {
        event.leaseUntil = clock.now().plus(ForeignBus.LEASE);
        held.add(new Held(event, event.leaseUntil, claim));
    }

    /** Acknowledges a claim or records a failure. A claim of ours whose lease ended changes nothing. */
    private void settle() throws Exception {
        if (held.isEmpty()) {
            return;
        }
        Held one = held.remove(random.nextInt(held.size()));
        boolean isLive = one.leaseUntil.isAfter(clock.now());
        boolean fails = random.nextInt(3) > 0;
        String error = "boom " + random.nextInt(100);
        if (one.claim != null) {
            ClaimOutcome outcome = fails
                    ? ours.release(one.claim, error)
                    : ours.ack(List.of(one.claim)).get(0);
            assertThat(outcome instanceof ClaimOutcome.LostClaim).isEqualTo(!isLive);
        } else if (isLive && fails) {
            foreign.release(NAMESPACE, HANDLER, one.event.id, error);
        } else if (isLive) {
            foreign.ack(NAMESPACE, HANDLER, one.event.id);
        }
        if (isLive) {
            settled(one.event, fails, error);
        }
    }

    private void settled(Known event, boolean fails, String error) {
        event.leaseUntil = clock.now();
        if (!fails) {
            event.end = "acked";
        } else if (++event.attempts == ForeignBus.MAX_ATTEMPTS) {
            event.end = "dead_lettered";
            deadLetters.add(0, event.id + " " + HANDLER + " " + event.attempts + " " + error);
            reports.add(clock.now().truncatedTo(ChronoUnit.MICROS));
        } else {
            // The pause before the next attempt; and we look at a claim of another process four times in the time of
            // its lease.
            clock.advance(ForeignBus.LEASE.dividedBy(4));
        }
    }

    private void sessionOurs() {
        String session = "session-" + random.nextInt(SESSIONS);
        if (random.nextBoolean() || !heartbeats.containsKey(session)) {
            ours.registerSession(NAMESPACE, session, Map.of("hostname", "here", "pid", random.nextLong(100)));
        } else {
            ours.heartbeat(NAMESPACE, session);
        }
        heartbeats.put(session, clock.now());
    }

    private void sessionForeign() throws Exception {
        String session = "session-" + random.nextInt(SESSIONS);
        if (random.nextBoolean() || !heartbeats.containsKey(session)) {
            foreign.register(NAMESPACE, session, Map.of("hostname", "there"));
        } else {
            foreign.heartbeat(NAMESPACE, session);
        }
        heartbeats.put(session, clock.now());
    }

    /** Forgets the events before the first one that is not finished. */
    private Instant forget() {
        Instant before = events.stream()
                .filter(event -> event.end.isEmpty())
                .map(event -> event.createdAt)
                .findFirst()
                .orElse(clock.now().truncatedTo(ChronoUnit.MICROS));
        events.removeIf(event -> event.createdAt.isBefore(before));
        reports.removeIf(at -> at.isBefore(before));
        return before;
    }

    void compare() throws Exception {
        List<String> seen = foreign.events(NAMESPACE);
        assertThat(ours.list(NAMESPACE, Integer.MAX_VALUE).stream()
                        .map(one -> one.event().id() + " " + one.event().type() + " "
                                + one.status().wireName())
                        .toList())
                .isEqualTo(seen);
        assertThat(seen)
                .filteredOn(event -> event.startsWith("event-"))
                .isEqualTo(events.stream()
                        .map(event -> event.id + " " + TYPE + " " + event.status(clock.now()))
                        .toList());
        assertThat(seen)
                .filteredOn(event -> event.contains(" " + Event.DEAD_LETTER + " "))
                .hasSize(reports.size());
        compareDeadLetters();
        compareSessions();
        if (!events.isEmpty()) {
            compareClaims(events.get(random.nextInt(events.size())).id);
        }
    }

    private void compareDeadLetters() throws Exception {
        assertThat(foreign.deadLetters(NAMESPACE)).isEqualTo(deadLetters);
        assertThat(ours.deadLetters(NAMESPACE, Integer.MAX_VALUE).stream()
                        .map(letter -> letter.eventId() + " " + letter.handlerId() + " " + letter.attempts() + " "
                                + letter.lastError())
                        .toList())
                .isEqualTo(deadLetters);
    }

    private void compareSessions() throws Exception {
        List<String> seen = foreign.sessions(NAMESPACE);
        assertThat(ours.sessions(NAMESPACE).stream()
                        .map(session -> session.sessionId() + " " + UtcTimestamp.format(session.startedAt()) + " "
                                + UtcTimestamp.format(session.lastHeartbeat()) + " "
                                + CanonicalJson.write(session.metadata()))
                        .sorted()
                        .toList())
                .isEqualTo(seen);
        assertThat(seen.stream()
                        .map(session -> session.split(" ", -1)[0] + " " + session.split(" ", -1)[2])
                        .toList())
                .isEqualTo(heartbeats.entrySet().stream()
                        .map(session -> session.getKey() + " " + UtcTimestamp.format(session.getValue()))
                        .toList());
    }

    private void compareClaims(String id) throws Exception {
        assertThat(ours.inspect(NAMESPACE, id).orElseThrow().claims().stream()
                        .map(claim -> claim.handlerId() + " " + claim.sessionId() + " " + claim.attempts() + " "
                                + claim.lastError().orElse("null"))
                        .toList())
                .isEqualTo(foreign.claims(NAMESPACE, id));
    }
}
