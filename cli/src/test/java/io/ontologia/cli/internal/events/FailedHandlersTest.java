package io.ontologia.cli.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.Workspace;
import io.ontologia.core.ClaimLostException;
import io.ontologia.core.Entity;
import io.ontologia.core.EventHandler;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Handlers;
import io.ontologia.core.Key;
import io.ontologia.core.Named;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.Worker;
import io.ontologia.core.WorkerOptions;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** However a handler fails, an operator with nothing but the console sees why. */
@ParameterizedClass
@EnumSource(Backend.class)
class FailedHandlersTest {
    /** An event. */
    @Named("order")
    record Order(String id) {}

    /** Something to commit. */
    record Invoice(@Key String id) implements Entity {}

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

    @Test
    void one_that_throws_ends_as_a_dead_letter_with_its_message() {
        handle(Map.of("event_max_attempts", "2"), (order, context) -> {
            throw new IllegalStateException("no ink");
        });

        assertThat(inspected("status")).isEqualTo("dead_lettered");
        assertThat(inspected("claims", 0, "attempts")).isEqualTo(2L);
        assertThat(inspected("claims", 0, "last_error")).isEqualTo("IllegalStateException: no ink");
        assertThat(text()).contains("billing", "no ink", "dead_lettered");
    }

    @Test
    void one_that_hangs_is_given_up_and_says_for_how_long_it_hung() {
        List<Worker> self = new ArrayList<>();
        handle(self, Map.of("event_max_attempts", "1"), (order, context) -> {
            for (int i = 0; i < 7; i++) {
                clock.advance(Duration.ofSeconds(10));
                self.get(0).keepAlive();
            }
            context.ensure(new Invoice("late"));
            try {
                context.commit();
            } catch (ClaimLostException e) {
                // As it should be.
            }
        });

        assertThat(inspected("claims", 0, "last_error"))
                .isEqualTo("the handler was not done after 60000 ms, and given up");
        assertThat(text()).contains("not done after 60000 ms");
        assertThat(shop.onto("query", "entities", "Invoice", "--json")
                        .succeeded()
                        .json())
                .isEqualTo(List.of());
    }

    @Test
    void one_that_causes_itself_ends_at_the_longest_chain() {
        handle(
                Map.of("event_max_attempts", "1", "max_event_chain_depth", "3"),
                (order, context) -> context.emit(new Order("next")));

        Object last = shop.onto("events", "dead-letters", "--namespace", "shop", "--json")
                .succeeded()
                .at(0, "event_id");
        assertThat(shop.onto("events", "inspect", "--event-id", String.valueOf(last))
                        .succeeded()
                        .out())
                .contains("max_event_chain_depth is 3");
    }

    @Test
    void one_that_wants_more_than_a_batch_says_so() {
        handle(Map.of("event_max_attempts", "1"), (order, context) -> {
            context.ensure(new Invoice("1"), new Invoice("2"), new Invoice("3"));
            context.commit();
        });

        assertThat(String.valueOf(inspected("claims", 0, "last_error"))).contains("max_batch_size");
        assertThat(text()).contains("max_batch_size");
    }

    private void handle(Map<String, String> settings, EventHandler<Order> handler) {
        handle(new ArrayList<>(), settings, handler);
    }

    /** Lets a worker with one handler work on one event until there is nothing left to do. */
    private void handle(List<Worker> self, Map<String, String> settings, EventHandler<Order> handler) {
        SessionOptions defaults = SessionOptions.defaults();
        SessionOptions options =
                defaults.storage(defaults.storage().clock(clock)).maxBatchSize(2);
        WorkerOptions working =
                WorkerOptions.of("shop").events(EventOptions.of(settings)).handlerLimit(Duration.ofMinutes(1));
        try (Session session = Ontologia.open(shop.uri(), options, Invoice.class);
                Worker worker = Worker.of(session, working, Handlers.none().on(Order.class, "billing", handler))) {
            self.add(worker);
            session.storage()
                    .events(EventOptions.of(settings))
                    .enqueue(List.of(NewEvent.of("shop", new Order("o1")).identity("o1", Workspace.START)));
            for (int i = 0; i < 10; i++) {
                worker.step();
                clock.advance(Duration.ofMinutes(1));
            }
        }
    }

    private @Nullable Object inspected(Object... path) {
        return shop.onto("events", "inspect", "--event-id", "o1", "--json")
                .succeeded()
                .at(path);
    }

    private String text() {
        return shop.onto("events", "inspect", "--event-id", "o1").succeeded().out();
    }
}
