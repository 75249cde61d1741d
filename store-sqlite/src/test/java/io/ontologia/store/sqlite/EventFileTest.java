package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of the event bus, as others see them and as others leave them. */
class EventFileTest {
    private static final List<String> TABLES = List.of("""
        CREATE TABLE events (
            id TEXT PRIMARY KEY,
            namespace TEXT NOT NULL,
            type TEXT NOT NULL,
            payload TEXT NOT NULL,
            created_at TEXT NOT NULL,
            priority INTEGER NOT NULL DEFAULT 100,
            root_event_id TEXT NOT NULL,
            chain_depth INTEGER NOT NULL DEFAULT 0
        )""", """
        CREATE INDEX idx_events_namespace_type_order
            ON events(namespace, type, priority DESC, created_at ASC, id ASC)""", """
        CREATE TABLE event_claims (
            event_id TEXT NOT NULL,
            handler_id TEXT NOT NULL,
            session_id TEXT NOT NULL,
            claimed_at TEXT NOT NULL,
            lease_until TEXT NOT NULL,
            ack_at TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            available_at TEXT NOT NULL,
            last_error TEXT,
            dead_lettered_at TEXT,
            PRIMARY KEY (event_id, handler_id)
        )""", """
        CREATE INDEX idx_event_claims_handler_state
            ON event_claims(handler_id, ack_at, dead_lettered_at, lease_until, available_at)""", """
        CREATE INDEX idx_event_claims_event ON event_claims(event_id)""", """
        CREATE TABLE dead_letters (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            event_id TEXT NOT NULL,
            handler_id TEXT NOT NULL,
            namespace TEXT NOT NULL,
            failed_at TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            last_error TEXT NOT NULL,
            event_type TEXT NOT NULL,
            event_payload TEXT NOT NULL,
            root_event_id TEXT NOT NULL,
            chain_depth INTEGER NOT NULL
        )""", """
        CREATE INDEX idx_dead_letters_namespace_failed ON dead_letters(namespace, failed_at DESC)""", """
        CREATE TABLE sessions (
            session_id TEXT PRIMARY KEY,
            namespace TEXT NOT NULL,
            started_at TEXT NOT NULL,
            last_heartbeat TEXT NOT NULL,
            metadata TEXT
        )""", """
        CREATE INDEX idx_sessions_heartbeat ON sessions(last_heartbeat)""", """
        CREATE INDEX idx_sessions_namespace ON sessions(namespace)""");

    @TempDir
    Path folder;

    private final SettableClock clock = new SettableClock();
    private RawFile file = new RawFile(Path.of("unused"));

    @BeforeEach
    void prepare() {
        file = new RawFile(folder.resolve("onto.db"));
    }

    private Session open(StorageOptions.Mode mode) {
        return Ontologia.openStored(
                file.uri(),
                SessionOptions.defaults()
                        .storage(StorageOptions.defaults().clock(clock).mode(mode)));
    }

    private Session open() {
        return open(StorageOptions.Mode.READ_WRITE);
    }

    private static EventStore bus(Session session) {
        return session.storage().events(EventOptions.defaults());
    }

    private static List<String> claim(EventStore bus) {
        return bus
                .claim(new ClaimRequest(
                        "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 100))))
                .stream()
                .map(claim -> claim.event().id())
                .toList();
    }

    @Test
    void the_tables_and_indexes_are_those_of_the_specification() {
        open().close();
        RawFile spec = new RawFile(folder.resolve("spec.db"));
        TABLES.forEach(spec::execute);

        for (String name : spec.column("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")) {
            for (String pragma : List.of("table_xinfo", "index_xinfo")) {
                String sql = "SELECT concat_ws('|', cid, name, \"%s\") FROM pragma_%s('%s')"
                        .formatted(pragma.equals("table_xinfo") ? "type" : "desc", pragma, name);
                assertThat(file.column(sql)).as(sql).isEqualTo(spec.column(sql));
            }
            assertThat(file.column("SELECT name FROM sqlite_master WHERE name = '" + name + "'"))
                    .containsExactly(name);
        }
    }

    @Test
    void a_file_from_before_the_event_bus_gets_one_when_it_is_opened_for_writing() {
        open().close();
        for (String table : List.of("events", "event_claims", "dead_letters", "sessions")) {
            file.execute("DROP TABLE " + table);
        }

        try (Session session = open(StorageOptions.Mode.READ_ONLY)) {
            assertThat(bus(session).namespaces()).isEmpty();
            assertThat(bus(session).list("shop", 10)).isEmpty();
            assertThat(bus(session).inspect("x")).isEmpty();
            assertThat(bus(session).deadLetters("shop", 10)).isEmpty();
        }
        assertThat(file.column("SELECT name FROM sqlite_master WHERE name = 'events'"))
                .isEmpty();
        try (Session session = open()) {
            bus(session).enqueue(List.of(NewEvent.of("shop", "order", Map.of())));
            assertThat(bus(session).namespaces()).containsExactly(new EventNamespace("shop", 1, 0, 0));
        }
    }

    @Test
    void events_that_others_insert_are_claimed_in_whatever_order_they_come() {
        try (Session session = open()) {
            EventStore bus = bus(session);
            bus.enqueue(List.of(NewEvent.of("shop", "order", Map.of()).identity("ours", clock.now())));
            assertThat(claim(bus)).containsExactly("ours");

            insert("earlier", "2020-01-01T00:00:00+00:00");
            insert("later", "2026-01-01T00:00:01.5Z");
            insert("same", "2026-01-01T00:00:00.000000+00:00");

            assertThat(claim(bus)).containsExactly("earlier", "same", "later");
            assertThat(claim(bus)).isEmpty();
        }
    }

    private void insert(String id, String createdAt) {
        file.execute("INSERT INTO events (id, namespace, type, payload, created_at, root_event_id) VALUES ('" + id
                + "', 'shop', 'order', '{\"a\": 1}', '" + createdAt + "', '" + id + "')");
    }

    @Test
    void a_claim_that_somebody_removes_by_hand_is_made_again_in_the_end() {
        try (Session session = open()) {
            EventStore bus = bus(session);
            bus.enqueue(List.of(NewEvent.of("shop", "order", Map.of()).identity("e", clock.now())));
            List<Claim> claims = bus.claim(new ClaimRequest(
                    "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 100))));
            bus.ack(claims);
            assertThat(claim(bus)).isEmpty();

            file.execute("DELETE FROM event_claims");
            clock.advance(Duration.ofMinutes(11));

            assertThat(claim(bus)).containsExactly("e");
        }
    }

    @Test
    void a_reader_leaves_the_file_as_it_is() throws Exception {
        try (Session session = open()) {
            bus(session).enqueue(List.of(NewEvent.of("shop", "order", Map.of())));
        }
        byte[] before = Files.readAllBytes(file.path());

        try (Session session = open(StorageOptions.Mode.READ_ONLY)) {
            assertThat(bus(session).list("shop", 10)).hasSize(1);
        }

        assertThat(Files.readAllBytes(file.path())).isEqualTo(before);
    }
}
