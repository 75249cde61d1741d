package io.ontologia.store.object.internal.events;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventCleanup;
import io.ontologia.core.EventInspection;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventOptions;
import io.ontologia.core.EventSession;
import io.ontologia.core.ListedEvent;
import io.ontologia.core.NewEvent;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventNames;
import io.ontologia.core.spi.EventStore;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Stored;
import io.ontologia.store.object.internal.layout.ClaimDocument;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event bus on objects, as one user of this process has it. */
public final class ObjectEvents implements EventStore {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectEvents.class);
    private static final int JITTER_MILLIS = 100;

    private final Supplier<EventBus> reading;
    private final Supplier<EventBus> writing;
    private final EventOptions options;

    /**
     * @param reading throws when the store was closed
     * @param writing throws when the store was closed or may not be written to
     */
    public ObjectEvents(Supplier<EventBus> reading, Supplier<EventBus> writing, EventOptions options) {
        this.reading = reading;
        this.writing = writing;
        this.options = options;
    }

    private EventRecords records() {
        return new EventRecords(reading.get().objects());
    }

    private static Instant now(EventBus bus) {
        return bus.clock().now().truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public List<Event> enqueue(Collection<NewEvent> events) {
        EventBus bus = writing.get();
        Instant now = now(bus);
        List<Event> stored = bus.objects()
                .put(events.stream()
                        .map(event -> event.complete(now, bus.random()))
                        .toList());
        stored.stream().map(Event::namespace).distinct().forEach(bus.bells()::ring);
        return stored;
    }

    @Override
    public List<Claim> claim(ClaimRequest request) {
        return writing.get().poll(request.namespace()).claim(request, options);
    }

    @Override
    public List<ClaimOutcome> renew(List<Claim> claims) {
        EventBus bus = writing.get();
        return bus.objects()
                .all(
                        claims,
                        claim -> bus.claims()
                                .extend(claim, options.claimLease())
                                .<ClaimOutcome>map(end -> new ClaimOutcome.Renewed(claim.leaseUntil(end)))
                                .orElseGet(ClaimOutcome.LostClaim::new));
    }

    @Override
    public List<ClaimOutcome> ack(List<Claim> claims) {
        EventBus bus = writing.get();
        Instant now = now(bus);
        return each(bus, claims, document -> document.acked(now));
    }

    @Override
    public List<ClaimOutcome> handBack(List<Claim> claims) {
        EventBus bus = writing.get();
        Instant now = now(bus);
        return each(bus, claims, document -> document.leaseUntil(now));
    }

    private List<ClaimOutcome> each(EventBus bus, List<Claim> claims, UnaryOperator<ClaimDocument> how) {
        return bus.objects()
                .all(
                        claims,
                        claim -> bus.claims()
                                .settle(claim, how)
                                .<ClaimOutcome>map(unused -> new ClaimOutcome.Done())
                                .orElseGet(ClaimOutcome.LostClaim::new));
    }

    @Override
    public ClaimOutcome release(Claim claim, String error) {
        EventBus bus = writing.get();
        Instant now = now(bus);
        String reason = error.isBlank() ? "handler failure" : error;
        long jitter = bus.random().nextInt(JITTER_MILLIS + 1);
        Optional<ClaimObjects.Held> changed = bus.claims().settle(claim, document -> {
            long attempts = document.state().attempts() + 1;
            return attempts >= options.maxAttempts()
                    ? document.failedForGood(reason, now, now.plus(options.claimLease()))
                    : document.failed(
                            reason, now, now.plus(options.backoff(attempts)).plusMillis(jitter));
        });
        if (changed.isEmpty()) {
            return new ClaimOutcome.LostClaim();
        }
        ClaimObjects.Held held = changed.get();
        if (held.claim().failedAt().isEmpty()) {
            return new ClaimOutcome.Retry(held.state().attempts(), held.state().availableAt());
        }
        bury(bus, claim, held);
        return new ClaimOutcome.DeadLettered(held.state().attempts());
    }

    /** The claim says that the event is dead; who cannot write its letter now leaves that to the next one. */
    private void bury(EventBus bus, Claim claim, ClaimObjects.Held held) {
        try {
            bus.burials().bury(claim.event(), ClaimObjects.Name.of(claim), held, options);
        } catch (OntologiaException e) {
            LOG.atWarn()
                    .addKeyValue("event", claim.event().id())
                    .addKeyValue("reason", e.getMessage())
                    .log("dead letter not written yet");
        }
    }

    @Override
    public EventSession registerSession(String namespace, String sessionId, Map<String, @Nullable Object> metadata) {
        requireSession(namespace, sessionId);
        return writing.get().sessions().register(namespace, sessionId, metadata);
    }

    @Override
    public EventSession heartbeat(String namespace, String sessionId) {
        requireSession(namespace, sessionId);
        EventBus bus = writing.get();
        bus.poll(namespace).spareNext();
        return bus.sessions().heartbeat(namespace, sessionId);
    }

    private static void requireSession(String namespace, String sessionId) {
        EventNames.require("namespace", namespace);
        EventNames.require("session id", sessionId);
    }

    @Override
    public List<EventSession> sessions(String namespace) {
        EventNames.require("namespace", namespace);
        return records().sessions(namespace);
    }

    @Override
    public List<EventNamespace> namespaces() {
        return records().namespaces();
    }

    @Override
    public List<ListedEvent> list(String namespace, int limit) {
        EventNames.require("namespace", namespace);
        return records().list(namespace, limit, reading.get().clock().now());
    }

    @Override
    public List<DeadLetter> deadLetters(String namespace, int limit) {
        EventNames.require("namespace", namespace);
        return records().deadLetters(namespace, limit);
    }

    @Override
    public Optional<EventInspection> inspect(String namespace, String eventId) {
        EventNames.require("namespace", namespace);
        EventNames.require("event id", eventId);
        return records().inspect(namespace, eventId);
    }

    @Override
    public List<EventInspection> inspect(String eventId) {
        EventNames.require("event id", eventId);
        return records().inspect(eventId);
    }

    @Override
    public Event replay(String namespace, String eventId) {
        Event original = inspect(namespace, eventId)
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.NOT_FOUND,
                        "cannot replay event " + eventId,
                        "namespace '" + namespace + "' has no such event",
                        "'onto events show' lists those it has"))
                .event();
        NewEvent copy = Stored.read(
                "event " + eventId,
                () -> NewEvent.of(namespace, original.type(), original.payload())
                        .priority(original.priority()));
        return enqueue(List.of(copy)).get(0);
    }

    @Override
    public EventCleanup cleanup(String namespace, Instant before) {
        EventNames.require("namespace", namespace);
        EventBus bus = writing.get();
        bus.outbox().settle();
        try {
            return records().cleanup(namespace, before);
        } finally {
            bus.poll(namespace).forget();
        }
    }

    @Override
    public EventCleanup previewCleanup(String namespace, Instant before) {
        EventNames.require("namespace", namespace);
        return records().previewCleanup(namespace, before);
    }

    @Override
    public Registration onEnqueue(String namespace, Runnable listener) {
        return reading.get().bells().listen(EventNames.require("namespace", namespace), listener);
    }
}
