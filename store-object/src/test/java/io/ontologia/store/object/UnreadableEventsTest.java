package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.CountingObjectStore;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events and claims that nobody can read do not keep anybody from the others. */
class UnreadableEventsTest {
    private static final String BAD_EVENT = "events/shop/2026-01-01T00-00-00.000000+00-00_bad.json";
    private static final String BAD_CLAIM = "claims/shop/bad/handler.json";
    private static final EventOptions OPTIONS = EventOptions.of(Map.of("event_max_attempts", "1"));

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final CountingObjectStore counting = new CountingObjectStore(server);
    private final List<Session> opened = new ArrayList<>();
    private final Session session = open(counting);
    private final EventStore bus = session.storage().events(OPTIONS);

    @AfterEach
    void close() {
        opened.forEach(Session::close);
    }

    private Session open(ObjectStore store) {
        Session process = Ontologia.open(
                TestStoreProvider.uriOf(store),
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)),
                Model.of(new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id")));
        opened.add(process);
        return process;
    }

    private EventStore process(ObjectStore store) {
        return open(store).storage().events(OPTIONS);
    }

    private NewEvent event(String id) {
        return NewEvent.of("shop", "order", Map.of()).identity(id, clock.now());
    }

    private void enqueue(String... ids) {
        bus.enqueue(List.of(ids).stream().map(this::event).toList());
    }

    private static List<String> claimed(EventStore bus, String type) {
        ClaimRequest request =
                new ClaimRequest("shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of(type), 10)));
        return bus.claim(request).stream().map(claim -> claim.event().id()).toList();
    }

    private List<String> claimed() {
        return claimed(bus, "order");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "[]",
                "{\"id\": \"bad\"}",
                "{\"id\": \"bad\", \"namespace\": \"shop\", \"type\": \"order\", \"payload\": {}, \"created_at\": \"?\"}"
            })
    void an_event_that_cannot_be_read_is_left_out_and_the_others_are_delivered(String content) {
        server.put(BAD_EVENT, Payload.of(content));
        enqueue("a", "z");

        assertThat(claimed()).containsExactly("a", "z");
        enqueue("b");
        assertThat(claimed()).containsExactly("b");
        assertThatThrownBy(() -> bus.inspect("shop", "bad")).isInstanceOf(OntologiaException.class);
        assertThat(bus.list("shop", 10)).extracting(one -> one.event().id()).containsExactly("a", "b", "z");
    }

    @Test
    void an_event_belongs_to_the_namespace_of_its_key() {
        server.put(
                BAD_EVENT,
                Payload.of("{\"id\": \"bad\", \"namespace\": \"other\", \"type\": \"order\", \"payload\": {},"
                        + " \"created_at\": \"2026-01-01T00:00:00.000000+00:00\"}"));

        assertThat(bus.list("shop", 10))
                .extracting(one -> one.event().namespace())
                .containsExactly("shop");
        assertThat(claimed()).containsExactly("bad");
        assertThat(bus.list("other", 10)).isEmpty();
    }

    @Test
    void a_clean_up_leaves_alone_what_nobody_can_read() {
        List<String> strange = List.of(
                "events/shop/readme.txt",
                "events/shop/2026-13-32T00-00-00.000000+00-00_bad.json",
                "events/shop/bad.json");
        strange.forEach(key -> server.put(key, Payload.of("no JSON")));
        enqueue("a");
        clock.advance(Duration.ofDays(1));

        assertThat(bus.previewCleanup("shop", clock.now()).events()).isEqualTo(1);
        assertThat(bus.cleanup("shop", clock.now()).events()).isEqualTo(1);

        assertThat(strange).allSatisfy(key -> assertThat(server.get(key)).isPresent());
        assertThat(server.list(ListRequest.of("events/")).objects()).hasSize(3);
    }

    @Test
    void an_event_that_cannot_be_read_is_fetched_once_and_again_when_it_was_replaced() {
        server.put(BAD_EVENT, Payload.of("no JSON"));
        claimed();
        counting.reset();

        assertThat(claimed()).isEmpty();
        assertThat(counting.total()).isLessThanOrEqualTo(2);
        clock.advance(Duration.ofSeconds(1));
        server.put(BAD_EVENT, Payload.of("""
                {"id": "bad", "namespace": "shop", "type": "order", "payload": {},
                 "created_at": "2026-01-01T00:00:00+00:00"}"""));

        assertThat(claimed()).containsExactly("bad");
    }

    @Test
    void a_claim_that_cannot_be_read_when_a_handler_is_met_is_left_out() {
        enqueue("a", "bad", "z");
        server.put(BAD_CLAIM, Payload.of("no JSON"));

        assertThat(claimed()).containsExactly("a", "z");
        assertThat(claimed()).isEmpty();
        assertThatThrownBy(() -> bus.inspect("shop", "bad")).isInstanceOf(OntologiaException.class);
    }

    @Test
    void a_claim_that_cannot_be_read_when_its_event_is_taken_is_left_out_until_it_is_gone() {
        claimed();
        enqueue("a", "bad", "z");
        server.put(BAD_CLAIM, Payload.of("no JSON"));

        assertThat(claimed()).containsExactly("a", "z");
        counting.reset();
        assertThat(claimed()).isEmpty();
        assertThat(counting.total()).isLessThanOrEqualTo(2);

        server.delete(BAD_CLAIM);
        clock.advance(Duration.ofSeconds(20));
        assertThat(claimed()).containsExactly("bad");
    }

    @Test
    void a_claim_that_cannot_be_read_any_more_is_left_out() {
        enqueue("bad");
        assertThat(claimed(process(server), "order")).containsExactly("bad");
        assertThat(claimed()).isEmpty();
        server.put(BAD_CLAIM, Payload.of("{\"event_id\": 7}"));
        clock.advance(Duration.ofSeconds(20));
        enqueue("a");

        assertThat(claimed()).containsExactly("a");
        clock.advance(Duration.ofSeconds(5));
        assertThat(claimed()).isEmpty();
    }

    @Test
    void the_events_of_a_commit_are_delivered_although_one_of_them_cannot_be_read() {
        session.ensure(new Row.OfEntity("Note", "n", Map.of()));
        session.commit(Map.of(), Outbox.of(event("a"), event("bad")));
        // As if the process had died before it could enqueue them, and somebody else had put something there.
        server.put("meta/outbox.json", Payload.of("{\"attempt_id\":\"x\",\"delivered_commit_id\":0}"));
        server.list(ListRequest.of("events/")).objects().forEach(object -> server.delete(object.key()));
        server.put(BAD_EVENT, Payload.of("no JSON"));

        assertThat(claimed(process(server), "order")).containsExactly("a");
    }

    @Test
    void a_dead_letter_is_done_with_although_the_event_that_tells_of_it_cannot_be_read() {
        enqueue("bad");
        List<Claim> claims = bus.claim(new ClaimRequest(
                "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 1))));
        bus.release(claims.get(0), "no");
        String telling = server.list(ListRequest.of("events/")).objects().stream()
                .map(ObjectSummary::key)
                .filter(key -> !key.equals(BAD_EVENT))
                .findFirst()
                .orElseThrow();
        // As if the worker had died before it could write the letter, and somebody else had put something there.
        server.put(telling, Payload.of("no JSON"));
        server.put(BAD_CLAIM, Payload.of("""
                {"event_id": "bad", "handler_id": "handler", "session_id": "dead", "attempts": 1,
                 "claimed_at": "2026-01-01T00:00:00+00:00", "lease_until": "2026-01-01T00:00:00+00:00",
                 "available_at": "2026-01-01T00:00:00+00:00", "failed_at": "2026-01-01T00:00:00+00:00",
                 "last_error": "no"}"""));

        EventStore other = process(server);
        assertThat(claimed(other, "order")).isEmpty();
        assertThat(claimed(other, Event.DEAD_LETTER)).isEmpty();

        assertThat(other.inspect("shop", "bad").orElseThrow().status(clock.now()))
                .isEqualTo(EventStatus.DEAD_LETTERED);
    }
}
