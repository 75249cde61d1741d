package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.EntityType;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.EventStatus;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Outbox;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.Json;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.SettableClock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The objects of the event bus, as others see them and as others write them. */
class EventObjectsTest {
    private static final String NOW = "2026-01-01T00:00:00.000000+00:00";

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final Session session = Ontologia.open(
            TestStoreProvider.uriOf(server),
            SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)),
            Model.of(new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id")));
    private final EventStore bus = session.storage().events(EventOptions.of(Map.of("event_max_attempts", "1")));

    @AfterEach
    void close() {
        session.close();
    }

    private Object json(String key) {
        return Objects.requireNonNull(Json.parse(server.get(key).orElseThrow().bytes()));
    }

    /** A document without the hash of itself, which other programs do not know. */
    private Map<Object, Object> specified(String key) {
        Map<Object, Object> fields = new LinkedHashMap<>((Map<?, ?>) json(key));
        assertThat(fields.remove("document_sha256")).asString().hasSize(64);
        return fields;
    }

    private List<String> keys(String prefix) {
        return server.list(ListRequest.of(prefix)).objects().stream()
                .map(ObjectSummary::key)
                .toList();
    }

    private Event event(String id) {
        return bus.enqueue(
                        List.of(NewEvent.of("my shop", "order", Map.of("n", 1L)).identity(id, clock.now())))
                .get(0);
    }

    private List<Claim> claim() {
        return bus.claim(new ClaimRequest(
                "my shop", "worker/1", List.of(new ClaimRequest.Subscription("billing.handle", Set.of("order"), 10))));
    }

    @Test
    void an_event_is_where_and_what_the_specification_says() {
        event("e 1");

        assertThat(specified("events/my%20shop/2026-01-01T00-00-00.000000+00-00_e%201.json"))
                .isEqualTo(Map.of(
                        "id",
                        "e 1",
                        "namespace",
                        "my shop",
                        "type",
                        "order",
                        "payload",
                        Map.of("n", 1L),
                        "created_at",
                        NOW,
                        "priority",
                        100L,
                        "root_event_id",
                        "e 1",
                        "chain_depth",
                        0L));
    }

    @Test
    void a_claim_is_where_and_what_the_specification_says() {
        event("e1");

        claim();

        Map<?, ?> claim = (Map<?, ?>) json("claims/my%20shop/e1/billing.handle.json");
        assertThat(claim.get("event_id")).isEqualTo("e1");
        assertThat(claim.get("handler_id")).isEqualTo("billing.handle");
        assertThat(claim.get("session_id")).isEqualTo("worker/1");
        assertThat(claim.get("claimed_at")).isEqualTo(NOW);
        assertThat(claim.get("lease_until")).isEqualTo("2026-01-01T00:00:30.000000+00:00");
        assertThat(claim.get("available_at")).isEqualTo(NOW);
        assertThat(claim.get("attempts")).isEqualTo(0L);
        for (String open : List.of("ack_at", "last_error", "dead_lettered_at")) {
            assertThat(claim.containsKey(open)).isTrue();
            assertThat(claim.get(open)).isNull();
        }
    }

    @Test
    void dead_letters_and_sessions_are_where_and_what_the_specification_says() {
        event("e1");
        bus.registerSession("my shop", "worker/1", Map.of("pid", 1L));

        bus.release(claim().get(0), "no");

        assertThat(specified("dead_letters/my%20shop/e1/billing.handle.json"))
                .isEqualTo(Map.of(
                        "event_id", "e1",
                        "handler_id", "billing.handle",
                        "namespace", "my shop",
                        "failed_at", NOW,
                        "attempts", 1L,
                        "last_error", "no",
                        "event_type", "order",
                        "event_payload", Map.of("n", 1L),
                        "root_event_id", "e1",
                        "chain_depth", 0L));
        Map<?, ?> registered = (Map<?, ?>) json("sessions/my%20shop/worker%2F1.json");
        assertThat(registered.get("session_id")).isEqualTo("worker/1");
        assertThat(registered.get("namespace")).isEqualTo("my shop");
        assertThat(registered.get("started_at")).isEqualTo(NOW);
        assertThat(registered.get("last_heartbeat")).isEqualTo(NOW);
        assertThat(registered.get("metadata")).isEqualTo(Map.of("pid", 1L));
    }

    @Test
    void what_others_write_is_read() {
        server.put("events/my%20shop/2026-01-01T00-00-00+00-00_theirs.json", Payload.of("""
                        {"id": "theirs", "namespace": "my shop", "type": "order", "payload": {"b": 1, "a": 2},
                         "created_at": "2026-01-01T00:00:00+00:00", "priority": 5, "root_event_id": "theirs",
                         "chain_depth": 0}"""));
        server.put("events/my%20shop/2026-01-01T00-00-00+00-00_taken.json", Payload.of("""
                        {"id": "taken", "namespace": "my shop", "type": "order", "payload": {},
                         "created_at": "2026-01-01T00:00:00+00:00", "priority": 5, "root_event_id": "taken",
                         "chain_depth": 0}"""));
        server.put("claims/my%20shop/taken/billing.handle.json", Payload.of("""
                        {"event_id": "taken", "handler_id": "billing.handle", "session_id": "s",
                         "claimed_at": "2026-01-01T00:00:00+00:00", "lease_until": "2026-01-01T00:00:30+00:00",
                         "ack_at": null, "attempts": 0, "available_at": "2026-01-01T00:00:00+00:00",
                         "last_error": null, "dead_lettered_at": null}"""));
        server.put("dead_letters/my%20shop/gone/h.json", Payload.of("""
                        {"event_id": "gone", "handler_id": "h", "namespace": "my shop", "attempts": 10,
                         "failed_at": "2026-01-01T00:00:00+00:00", "last_error": "handler failure"}"""));
        server.put("events/my%20shop/readme.txt", Payload.of("not an event"));

        List<Claim> claims = claim();

        assertThat(claims).extracting(one -> one.event().payloadJson()).containsExactly("{\"a\":2,\"b\":1}");
        assertThat(bus.deadLetters("my shop", 10).get(0).eventType()).isEmpty();
        assertThat(bus.inspect("taken").get(0).status(clock.now())).isEqualTo(EventStatus.CLAIMED);
    }

    @Test
    void a_commit_without_events_leaves_nothing_on_the_bus_and_one_with_events_says_so_in_its_manifest() {
        session.ensure(new Row.OfEntity("Note", "a", Map.of()));
        session.commit();
        assertThat(keys("meta/outbox")).isEmpty();
        assertThat(keys("events/")).isEmpty();

        session.ensure(new Row.OfEntity("Note", "b", Map.of()));
        session.commit(
                Map.of(), Outbox.of(NewEvent.of("shop", "changed", Map.of()).identity("x", clock.now())));

        String manifest = keys("commits/2-").stream()
                .filter(key -> key.endsWith("manifest.json"))
                .findFirst()
                .orElseThrow();
        assertThat(((List<?>) ((Map<?, ?>) json(manifest)).get("events")))
                .isEqualTo(List.of(specified("events/shop/2026-01-01T00-00-00.000000+00-00_x.json")));
        assertThat(((Map<?, ?>) json("meta/outbox.json")).get("delivered_commit_id"))
                .isEqualTo(2L);
    }
}
