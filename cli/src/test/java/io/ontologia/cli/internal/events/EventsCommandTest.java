package io.ontologia.cli.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.core.Claim;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Backend.class)
class EventsCommandTest {
    private static final EventOptions ONE_ATTEMPT = EventOptions.of(Map.of("event_max_attempts", "1"));

    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private final SettableClock clock = new SettableClock(Workspace.START);
    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = new Workspace(folder, backend);
        shop.onto("init").succeeded();
    }

    private void bus(Consumer<EventStore> work) {
        SessionOptions defaults = SessionOptions.defaults();
        try (Session session = Ontologia.openStored(
                shop.uri(), defaults.storage(defaults.storage().clock(clock)))) {
            work.accept(session.storage().events(ONE_ATTEMPT));
        }
    }

    private static NewEvent order(String id, long priority) {
        return NewEvent.of("shop", "order", Map.of("n", 1L))
                .identity(id, Workspace.START)
                .priority(priority);
    }

    private static List<Claim> claim(EventStore bus, String handler, int limit) {
        return bus.claim(new ClaimRequest(
                "shop", "worker-1", List.of(new ClaimRequest.Subscription(handler, Set.of("order"), limit))));
    }

    /** One event that is dead, one that is done, one that waits. */
    private void threeEvents() {
        bus(bus -> {
            bus.registerSession("shop", "worker-1", Map.of("pid", 7L));
            bus.enqueue(List.of(order("dead", 300), order("done", 200), order("waiting", 100)));
            List<Claim> claims = claim(bus, "billing", 2);
            bus.release(claims.get(0), "no such customer");
            bus.ack(claims.subList(1, 2));
        });
    }

    @Test
    void an_empty_bus_is_shown_as_empty() {
        assertThat(shop.onto("events", "list-namespaces", "--json").succeeded().json())
                .isEqualTo(List.of());
        assertThat(shop.onto("events", "show", "--namespace", "shop", "--json")
                        .succeeded()
                        .json())
                .isEqualTo(List.of());
        assertThat(shop.onto("events", "list-namespaces").succeeded().out())
                .isEqualTo("namespace  events  sessions  dead letters\n");
    }

    @Test
    void namespaces_and_sessions_are_listed() {
        threeEvents();

        OntoRun namespaces = shop.onto("events", "list-namespaces", "--json").succeeded();
        OntoRun alive =
                shop.onto("events", "sessions", "--namespace", "shop", "--json").succeeded();
        OntoRun dead =
                shop.onto("events", "sessions", "--namespace", "shop", "--json").succeeded();

        assertThat(namespaces.json())
                .isEqualTo(List.of(Map.of("namespace", "shop", "events", 4L, "sessions", 1L, "dead_letters", 1L)));
        assertThat(alive.at(0, "session_id")).isEqualTo("worker-1");
        assertThat(alive.at(0, "metadata", "pid")).isEqualTo(7L);
        assertThat(alive.at(0, "started_at")).isEqualTo("2026-03-01T09:00:00.000000+00:00");
        assertThat(dead.at(0, "is_dead")).isEqualTo(true);
        assertThat(shop.onto("events", "sessions", "--namespace", "shop").out()).contains("worker-1", "dead");
    }

    @Test
    void events_are_shown_in_the_order_of_claims_with_their_status() {
        threeEvents();

        OntoRun shown =
                shop.onto("events", "show", "--namespace", "shop", "--json").succeeded();
        OntoRun two = shop.onto("events", "show", "--namespace", "shop", "--limit", "2", "--json");

        assertThat(shown.column("id")).startsWith("dead", "done").contains("waiting");
        assertThat(shown.column("status")).contains("dead_lettered", "acked", "pending");
        assertThat(shown.namesAt(0))
                .containsExactly(
                        "id",
                        "namespace",
                        "type",
                        "payload",
                        "created_at",
                        "priority",
                        "root_event_id",
                        "chain_depth",
                        "status");
        assertThat(two.column("id")).containsExactly("dead", "done");
        assertThat(shop.onto("events", "show", "--namespace", "shop").out())
                .contains("dead_lettered", "event.dead_letter");
        shop.onto("events", "show", "--namespace", "shop", "--limit", "0").failedWith(2);
        shop.onto("events", "show").failedWith(2);
    }

    @Test
    void dead_letters_say_why() {
        threeEvents();

        OntoRun letters = shop.onto("events", "dead-letters", "--namespace", "shop", "--json")
                .succeeded();

        assertThat(letters.at(0, "event_id")).isEqualTo("dead");
        assertThat(letters.at(0, "event_type")).isEqualTo("order");
        assertThat(letters.at(0, "event_payload")).isEqualTo(Map.of("n", 1L));
        assertThat(letters.at(0, "last_error")).isEqualTo("no such customer");
        assertThat(shop.onto("events", "dead-letters", "--namespace", "shop").out())
                .contains("billing", "no such customer");
    }

    @Test
    void an_inspected_event_shows_each_handler() {
        threeEvents();
        bus(bus -> claim(bus, "audit", 1));

        OntoRun found =
                shop.onto("events", "inspect", "--event-id", "dead", "--json").succeeded();
        OntoRun text = shop.onto("events", "inspect", "--event-id", "dead", "--namespace", "shop");

        assertThat(found.at("status")).isEqualTo("dead_lettered");
        assertThat(found.at("claims", 0, "handler_id")).isEqualTo("audit");
        assertThat(found.at("claims", 1, "handler_id")).isEqualTo("billing");
        assertThat(found.at("claims", 1, "attempts")).isEqualTo(1L);
        assertThat(found.at("claims", 1, "last_error")).isEqualTo("no such customer");
        assertThat(text.succeeded().out()).contains("audit", "billing", "no such customer");
        assertThat(shop.onto("events", "inspect", "--event-id", "waiting").out())
                .contains("no handler has claimed it");
        assertThat(shop.onto("events", "inspect", "--event-id", "nowhere")
                        .failedWith(4)
                        .err())
                .contains("nowhere");
        shop.onto("events", "inspect", "--event-id", "dead", "--namespace", "other")
                .failedWith(4);
    }

    @Test
    void a_replayed_event_is_there_to_be_claimed() {
        threeEvents();

        OntoRun copy = shop.onto("events", "replay", "--namespace", "shop", "--event-id", "dead", "--json")
                .succeeded();

        assertThat(copy.at("type")).isEqualTo("order");
        assertThat(copy.at("priority")).isEqualTo(300L);
        assertThat(copy.at("root_event_id")).isEqualTo(copy.at("id"));
        bus(bus -> assertThat(claim(bus, "billing", 1))
                .extracting(Claim::event)
                .extracting(Event::id)
                .containsExactly(copy.textAt("id")));
        shop.onto("events", "replay", "--namespace", "shop", "--event-id", "nowhere")
                .failedWith(4);
    }

    @Test
    void a_clean_up_shows_what_it_would_do_and_does_it_when_told_to() {
        threeEvents();

        OntoRun plan = shop.onto("events", "cleanup", "--namespace", "shop", "--before", "30s", "--json")
                .succeeded();
        OntoRun young = shop.onto("events", "cleanup", "--namespace", "shop", "--before", "7d")
                .succeeded();
        assertThat(shop.onto("events", "show", "--namespace", "shop", "--json").column("id"))
                .hasSize(4);
        OntoRun done = shop.onto(
                        "events", "cleanup", "--namespace", "shop", "--before", "2026-03-01T09:00:01Z", "--apply")
                .succeeded();

        assertThat(plan.at("events")).isEqualTo(4L);
        assertThat(plan.at("claims")).isEqualTo(2L);
        assertThat(plan.at("applied")).isEqualTo(false);
        assertThat(young.out()).contains("would remove 0 events", "add --apply");
        assertThat(done.out()).startsWith("removed 4 events and 2 claims from before 2026-03-01T09:00:01");
        assertThat(shop.onto("events", "show", "--namespace", "shop", "--json").json())
                .isEqualTo(List.of());
        assertThat(shop.onto("events", "dead-letters", "--namespace", "shop", "--json")
                        .column("event_id"))
                .containsExactly("dead");
        shop.onto("events", "cleanup", "--namespace", "shop", "--before", "soon")
                .failedWith(2);
        shop.onto("events", "cleanup", "--namespace", "shop", "--before", "1d", "--apply", "--dry-run")
                .failedWith(2);
    }

    @Test
    void a_watcher_sees_what_is_there_and_then_only_changes() {
        threeEvents();

        OntoRun all = shop.onto("events", "watch", "--namespace", "shop", "--for", "3s", "--json")
                .succeeded();
        OntoRun nothing = shop.onto("events", "watch", "--namespace", "shop", "--from-now", "--for", "3s", "--json")
                .succeeded();

        assertThat(all.column("id")).hasSize(4).contains("dead", "done", "waiting");
        assertThat(nothing.json()).isEqualTo(List.of());
        assertThat(shop.onto("events", "watch", "--namespace", "shop", "--for", "1s")
                        .out())
                .contains("waiting", "pending");
    }
}
