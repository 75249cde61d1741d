package io.ontologia.store.object.internal.events;

import io.ontologia.core.spi.Doorbells;
import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.ObjectStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/** What everybody in this process who uses the event bus of a store shares: what was seen of it, and who listens. */
public final class EventBus {
    private final EventObjects objects;
    private final ClaimObjects claims;
    private final Burials burials;
    private final SessionObjects sessions;
    private final Outbox outbox;
    private final Doorbells bells;
    private final Clock clock;
    private final RandomGenerator random;
    private final Map<String, NamespacePoll> polls = new ConcurrentHashMap<>();

    /** Where the events of commits come from. */
    public interface Outbox {
        /** Enqueues events of commits that nobody has enqueued yet. */
        void deliver();

        /** The same, and makes sure that they will never be enqueued again. */
        void settle();
    }

    public EventBus(
            ObjectStore store,
            EventObjects objects,
            ClaimObjects claims,
            Outbox outbox,
            Doorbells bells,
            Clock clock,
            RandomGenerator random) {
        this.objects = objects;
        this.claims = claims;
        this.outbox = outbox;
        this.bells = bells;
        this.clock = clock;
        this.random = random;
        this.burials = new Burials(objects, claims, bells::ring);
        this.sessions = new SessionObjects(store, clock, random);
    }

    /** A check of all its objects. */
    public EventCheck check(EventCheck.Report report) {
        return new EventCheck(objects, report);
    }

    EventObjects objects() {
        return objects;
    }

    ClaimObjects claims() {
        return claims;
    }

    Burials burials() {
        return burials;
    }

    SessionObjects sessions() {
        return sessions;
    }

    Outbox outbox() {
        return outbox;
    }

    Doorbells bells() {
        return bells;
    }

    Clock clock() {
        return clock;
    }

    RandomGenerator random() {
        return random;
    }

    NamespacePoll poll(String namespace) {
        return polls.computeIfAbsent(
                namespace, name -> new NamespacePoll(name, objects, claims, burials, outbox::deliver, clock));
    }
}
