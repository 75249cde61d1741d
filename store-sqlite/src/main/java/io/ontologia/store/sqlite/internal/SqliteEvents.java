package io.ontologia.store.sqlite.internal;

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
import io.ontologia.core.spi.Doorbells;
import io.ontologia.core.spi.EventNames;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The event bus in one SQLite file. Every operation is one transaction. */
final class SqliteEvents implements EventStore {
    private static final String REGISTER = """
            INSERT INTO sessions (session_id, namespace, started_at, last_heartbeat, metadata) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (session_id) DO UPDATE SET namespace = excluded.namespace,
                last_heartbeat = excluded.last_heartbeat, metadata = excluded.metadata""";

    private static final String HEARTBEAT = """
            INSERT INTO sessions (session_id, namespace, started_at, last_heartbeat, metadata) VALUES (?, ?, ?, ?, '{}')
            ON CONFLICT (session_id) DO UPDATE SET last_heartbeat = excluded.last_heartbeat""";

    private final Connections connections;
    private final StorageOptions storage;
    private final EventOptions options;
    private final ClaimSearch search;
    private final Doorbells bells;

    SqliteEvents(
            Connections connections,
            StorageOptions storage,
            EventOptions options,
            ClaimSearch search,
            Doorbells bells) {
        this.connections = connections;
        this.storage = storage;
        this.options = options;
        this.search = search;
        this.bells = bells;
    }

    private <T> T write(String what, Transactions.Work<T> work) {
        return Transactions.brieflyOnWriter(connections, what, connection -> {
            connection.begin("BEGIN IMMEDIATE");
            return Transactions.finish(connection, () -> work.run(connection));
        });
    }

    private <T> T read(String what, Transactions.Work<T> work) {
        return Transactions.onReader(connections, what, work);
    }

    private Instant now() {
        return storage.clock().now();
    }

    @Override
    public List<Event> enqueue(Collection<NewEvent> events) {
        Instant now = now();
        List<Event> complete = events.stream()
                .map(event -> event.complete(now, storage.random()))
                .toList();
        List<Event> stored = write("cannot enqueue events", connection -> EventRows.insert(connection, complete));
        stored.stream().map(Event::namespace).distinct().forEach(bells::ring);
        return stored;
    }

    @Override
    public List<Claim> claim(ClaimRequest request) {
        return write("cannot claim events", connection -> {
            search.catchUp(connection);
            ClaimRows rows = new ClaimRows(connection, options, now());
            List<Claim> claims = new ArrayList<>();
            for (ClaimRequest.Subscription wanted : request.subscriptions()) {
                List<ClaimSearch.Candidate> found = search.find(connection, request.namespace(), wanted);
                claims.addAll(rows.take(request, wanted.handlerId(), found));
            }
            return claims;
        });
    }

    private interface OnClaim {
        ClaimOutcome apply(ClaimRows rows, Claim claim) throws SQLException;
    }

    private List<ClaimOutcome> each(String what, List<Claim> claims, OnClaim work) {
        return write(what, connection -> {
            ClaimRows rows = new ClaimRows(connection, options, now());
            List<ClaimOutcome> outcomes = new ArrayList<>();
            for (Claim claim : claims) {
                outcomes.add(work.apply(rows, claim));
            }
            return outcomes;
        });
    }

    @Override
    public List<ClaimOutcome> renew(List<Claim> claims) {
        return each("cannot renew claims", claims, ClaimRows::renew);
    }

    @Override
    public List<ClaimOutcome> ack(List<Claim> claims) {
        return write("cannot acknowledge events", connection -> {
            ClaimRows rows = new ClaimRows(connection, options, now());
            List<ClaimOutcome> outcomes = new ArrayList<>();
            for (Claim claim : claims) {
                ClaimOutcome outcome = rows.ack(claim);
                outcomes.add(outcome);
                if (outcome instanceof ClaimOutcome.Done) {
                    search.finished(claim.event(), claim.handlerId());
                }
            }
            return outcomes;
        });
    }

    @Override
    public ClaimOutcome release(Claim claim, String error) {
        ClaimOutcome outcome = each(
                        "cannot release a claim",
                        List.of(claim),
                        (rows, one) -> rows.release(one, error, storage.random()))
                .get(0);
        if (outcome instanceof ClaimOutcome.DeadLettered) {
            bells.ring(claim.event().namespace());
        }
        return outcome;
    }

    @Override
    public List<ClaimOutcome> handBack(List<Claim> claims) {
        return each("cannot hand back claims", claims, ClaimRows::handBack);
    }

    @Override
    public EventSession registerSession(String namespace, String sessionId, Map<String, @Nullable Object> metadata) {
        EventNames.require("namespace", namespace);
        EventNames.require("session id", sessionId);
        String text = CanonicalJson.write(metadata);
        return write("cannot register session " + sessionId, connection -> {
            String now = UtcTimestamp.format(now());
            connection.update(REGISTER, sessionId, namespace, now, now, text);
            return EventReads.session(connection, sessionId);
        });
    }

    @Override
    public EventSession heartbeat(String namespace, String sessionId) {
        EventNames.require("namespace", namespace);
        EventNames.require("session id", sessionId);
        return write("cannot note a heartbeat", connection -> {
            String now = UtcTimestamp.format(now());
            connection.update(HEARTBEAT, sessionId, namespace, now, now);
            return EventReads.session(connection, sessionId);
        });
    }

    @Override
    public List<EventSession> sessions(String namespace) {
        EventNames.require("namespace", namespace);
        return read("cannot list sessions", connection -> EventReads.sessions(connection, namespace));
    }

    @Override
    public List<EventNamespace> namespaces() {
        return read("cannot list namespaces", EventReads::namespaces);
    }

    @Override
    public List<ListedEvent> list(String namespace, int limit) {
        EventNames.require("namespace", namespace);
        return read("cannot list events", connection -> EventReads.list(connection, namespace, limit, now()));
    }

    @Override
    public List<DeadLetter> deadLetters(String namespace, int limit) {
        EventNames.require("namespace", namespace);
        return read("cannot list dead letters", connection -> EventReads.deadLetters(connection, namespace, limit));
    }

    @Override
    public Optional<EventInspection> inspect(String namespace, String eventId) {
        EventNames.require("namespace", namespace);
        return inspect(eventId).stream()
                .filter(found -> found.event().namespace().equals(namespace))
                .findFirst();
    }

    @Override
    public List<EventInspection> inspect(String eventId) {
        EventNames.require("event id", eventId);
        return read("cannot inspect event " + eventId, connection -> EventReads.inspect(connection, eventId));
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
        return write("cannot clean up", connection -> EventReads.cleanup(connection, namespace, before));
    }

    @Override
    public EventCleanup previewCleanup(String namespace, Instant before) {
        EventNames.require("namespace", namespace);
        return read("cannot plan a clean-up", connection -> EventReads.planCleanup(connection, namespace, before));
    }

    @Override
    public Registration onEnqueue(String namespace, Runnable listener) {
        return bells.listen(EventNames.require("namespace", namespace), listener);
    }
}
