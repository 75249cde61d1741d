package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.EntityType;
import io.ontologia.core.EventOptions;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Outbox;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.SettableClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A check of a store reads the objects of its event bus. */
class EventCheckTest {
    private static final EntityType NOTE = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");
    private static final EventOptions OPTIONS = EventOptions.of(Map.of("event_max_attempts", "1"));

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);

    /** Leaves events that are cleaned up, finished, dead, claimed and pending, in this order. */
    @BeforeEach
    void prepare() {
        try (Session session = Ontologia.open(
                TestStoreProvider.uriOf(server),
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)),
                Model.of(NOTE))) {
            EventStore bus = session.storage().events(OPTIONS);
            commit(session, "cleaned-1");
            commit(session, "cleaned-2");
            bus.ack(claim(bus, 1));
            Instant before = clock.now();
            commit(session, "finished");
            commit(session, "dead");
            assertThat(bus.cleanup("shop", before).events()).isEqualTo(2);
            bus.ack(claim(bus, 1));
            bus.release(claim(bus, 1).get(0), "broken");
            commit(session, "claimed");
            claim(bus, 1);
            commit(session, "pending");
            bus.enqueue(List.of(event("direct")));
            // Moves the mark of the outbox to the newest commit.
            bus.cleanup("shop", Instant.EPOCH);
        }
    }

    private NewEvent event(String id) {
        return NewEvent.of("shop", "order", Map.of("number", "one")).identity(id, clock.now());
    }

    private void commit(Session session, String id) {
        session.ensure(new Row.OfEntity("Note", id, Map.of()));
        session.commit(Map.of(), Outbox.of(event(id)));
        clock.advance(Duration.ofSeconds(1));
    }

    private static List<Claim> claim(EventStore bus, int limit) {
        return bus.claim(new ClaimRequest(
                "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), limit))));
    }

    private List<Finding> problems() {
        try (Maintenance operator = Ontologia.maintain(
                TestStoreProvider.uriOf(server),
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)))) {
            return operator.check(Progress.none()).stream()
                    .filter(Finding::isProblem)
                    .toList();
        }
    }

    private String key(String prefix, String part) {
        return server.list(ListRequest.of(prefix)).objects().stream()
                .map(ObjectSummary::key)
                .filter(key -> key.contains(part))
                .findFirst()
                .orElseThrow();
    }

    private void assertFound(String code, String key) {
        assertThat(problems()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo(code);
            assertThat(finding.example()).isEqualTo(key);
        });
    }

    @Test
    void a_healthy_event_bus_has_no_findings() {
        assertThat(server.list(ListRequest.of("events/")).objects()).hasSize(6);
        assertThat(server.list(ListRequest.of("claims/")).objects()).hasSize(3);
        assertThat(server.list(ListRequest.of("dead_letters/")).objects()).hasSize(1);
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "events/, _direct, one, onf, unreadable-event",
        "events/, _pending, one, onf, unreadable-event",
        "events/, _direct, {, [, unreadable-event",
        "claims/, claimed, {, [, unreadable-claim",
        "claims/, claimed, claimed_at, clained_at, unreadable-claim",
        "claims/, finished, 'event_id\":\"f', 'event_id\":\"g', unreadable-claim",
        "dead_letters/, dead, broken, brokeo, unreadable-dead-letter",
        "dead_letters/, dead, {, [, unreadable-dead-letter",
        "claims/, claimed, 'attempts\":0', 'attempts\":1', unreadable-claim",
        "claims/, finished, 2026, 2027, unreadable-claim",
        "meta/outbox.json, outbox, 'commit_id\":6', 'commit_id\":5', unreadable-outbox",
        "meta/outbox.json, outbox, {, [, unreadable-outbox"
    })
    void one_changed_byte_is_found_with_its_object(String prefix, String part, String from, String to, String code) {
        String key = key(prefix, part);
        String text = new String(server.get(key).orElseThrow().bytes(), StandardCharsets.UTF_8);
        assertThat(text).contains(from);
        server.put(key, Payload.of(text.replaceFirst(Pattern.quote(from), to)));

        assertFound(code, key);
    }

    @Test
    void a_deleted_event_of_a_commit_is_found_while_an_older_one_is_there() {
        String key = key("events/", "_pending");
        server.delete(key);

        assertFound("missing-event", key);
    }

    private static String unsealed(String document) {
        return document.replaceFirst(",\"document_seal\":\\{[^}]*}", "");
    }

    @Test
    void a_deleted_dead_letter_is_found_by_its_claim() {
        String key = key("dead_letters/", "dead");
        server.delete(key);

        assertFound("missing-dead-letter", key);
    }

    @Test
    void a_deleted_claim_is_found_by_its_dead_letter() {
        String key = key("claims/", "dead");
        server.delete(key);

        assertFound("missing-claim", key);
    }

    @Test
    void claims_and_dead_letters_of_events_that_were_cleaned_up_are_no_problem() {
        try (Session session = Ontologia.open(
                TestStoreProvider.uriOf(server),
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)))) {
            session.storage().events(OPTIONS).cleanup("shop", clock.now());
        }

        assertThat(server.list(ListRequest.of("claims/")).objects()).isEmpty();
        assertThat(server.list(ListRequest.of("dead_letters/")).objects()).hasSize(1);
        assertThat(problems()).isEmpty();
    }

    @Test
    void a_deleted_mark_of_the_outbox_is_found() {
        server.delete("meta/outbox.json");

        assertFound("missing-outbox", "meta/outbox.json");
    }

    @Test
    void an_event_without_a_hash_is_compared_with_its_commit() {
        String key = key("events/", "_pending");
        String text = new String(server.get(key).orElseThrow().bytes(), StandardCharsets.UTF_8);
        String unsealed = text.replaceFirst("\"document_sha256\":\"[0-9a-f]+\",", "");
        server.put(key, Payload.of(unsealed));
        assertThat(unsealed).isNotEqualTo(text);
        assertThat(problems()).isEmpty();

        server.put(key, Payload.of(unsealed.replace("one", "two")));

        assertFound("changed-event", key);
    }

    @Test
    void an_event_that_was_not_enqueued_yet_is_not_missing() {
        server.delete(key("events/", "_pending"));
        String mark = new String(server.get("meta/outbox.json").orElseThrow().bytes(), StandardCharsets.UTF_8);
        assertThat(mark).contains("\"delivered_commit_id\":6");
        server.put("meta/outbox.json", Payload.of(unsealed(mark).replace("_id\":6", "_id\":5")));

        assertThat(problems()).isEmpty();
    }
}
