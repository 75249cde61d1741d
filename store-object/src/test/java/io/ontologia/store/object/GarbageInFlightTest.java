package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A clean-up runs while a writer, a compaction or another clean-up is stopped before one of its requests, each of them in turn,
 * for longer than any grace period. Whatever was acknowledged is there afterwards, and the store is in order.
 */
class GarbageInFlightTest {
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");

    private final SettableClock clock = new SettableClock();
    private final ObjectStore prepared = ObjectStores.open("memory:", clock);
    private ObjectStore server = ObjectStores.open("memory:", clock);
    private StoppingStore client = new StoppingStore(server);
    private final TreeSet<String> acknowledged = new TreeSet<>();

    private SessionOptions options(Clock time, String name) {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults().clock(time))
                .runtimeId(name);
    }

    private Session open(ObjectStore store) {
        return Ontologia.open(TestStoreProvider.uriOf(store), options(clock, "writer"), Model.of(NOTE));
    }

    private void commit(Session session, String key) {
        session.ensure(new Row.OfEntity("Note", key, Map.of("n", 1L)));
        try {
            assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
            acknowledged.add(key);
        } catch (OntologiaException e) {
            session.discard();
        }
    }

    private void write(String... keys) {
        try (Session session = open(server)) {
            for (String key : keys) {
                commit(session, key);
            }
        }
    }

    private void upkeep(ObjectStore store, Clock time, Consumer<Upkeep> work) {
        try (Maintenance maintenance = Ontologia.maintain(TestStoreProvider.uriOf(store), options(time, "upkeep"))) {
            work.accept(maintenance.storage().upkeep().orElseThrow());
        }
    }

    private void cleanUpLater() {
        clock.advance(Duration.ofDays(8));
        upkeep(server, clock, upkeep -> upkeep.collectGarbage(Duration.ZERO));
    }

    /** A store with one commit for each key, copied from one that is made once. */
    private void begin(String... keys) {
        if (prepared.list(ListRequest.of("")).objects().isEmpty()) {
            server = prepared;
            write(keys);
        }
        ObjectStore copy = ObjectStores.open("memory:", clock);
        prepared.list(ListRequest.of(""))
                .objects()
                .forEach(object -> copy.put(
                        object.key(),
                        Payload.of(prepared.get(object.key()).orElseThrow().bytes())));
        server = copy;
        client = new StoppingStore(server);
        acknowledged.clear();
        acknowledged.addAll(List.of(keys));
    }

    private void assertInOrder(String when) {
        try (Session session = open(server)) {
            assertThat(session.entities("Note").list().stream()
                            .map(row -> ((Row.OfEntity) row).key())
                            .toList())
                    .as(when)
                    .containsExactlyInAnyOrderElementsOf(acknowledged);
            assertThat(session.entities("Note").withHistory().count()).as(when).isEqualTo(acknowledged.size());
        }
        try (Maintenance maintenance =
                Ontologia.maintain(TestStoreProvider.uriOf(server), options(clock, "operator"))) {
            assertThat(maintenance.check(Progress.none()).stream()
                            .filter(Finding::isProblem)
                            .toList())
                    .as(when)
                    .isEmpty();
        }
    }

    @Test
    void a_commit_that_is_stopped_before_any_request_is_made_again_or_refused() {
        boolean stopped = true;
        for (int request = 0; stopped; request++) {
            begin("a");
            try (Session session = open(client)) {
                commit(session, "b");
                client.before(request, this::cleanUpLater);
                commit(session, "c");
                stopped = client.wasStopped();
                client.before(-1, () -> {});
            }
            assertInOrder("stopped before request " + request);
            assertThat(acknowledged).contains("c");
        }
    }

    @Test
    void a_compaction_that_is_stopped_before_any_request_publishes_no_file_that_is_gone() {
        boolean stopped = true;
        for (int request = 0; stopped; request++) {
            begin("a", "b", "c", "d", "e", "f", "g", "h");
            client.before(-1, () -> {});
            int before = request;
            upkeep(client, clock, upkeep -> {
                client.before(before, this::cleanUpLater);
                try {
                    upkeep.compact(Optional.empty(), "compactor", Progress.none());
                } catch (OntologiaException e) {
                    // Refused; nothing that answers depend on was changed.
                }
            });
            stopped = client.wasStopped();
            client.before(-1, () -> {});
            assertInOrder("stopped before request " + request);
        }
    }

    @Test
    void a_clean_up_that_is_stopped_before_any_request_removes_nothing_that_a_later_commit_needs() {
        boolean stopped = true;
        for (int request = 0; stopped; request++) {
            begin("a");
            server.put("commits/2-0badc0de/manifest.json", Payload.of("{}"));
            clock.advance(Duration.ofDays(8));
            int before = request;
            upkeep(client, clock, upkeep -> {
                client.before(before, () -> {
                    clock.advance(Duration.ofDays(8));
                    write("b", "c");
                });
                try {
                    upkeep.collectGarbage(Duration.ofDays(7));
                } catch (OntologiaException e) {
                    // Refused; nothing that is needed was removed.
                }
            });
            stopped = client.wasStopped();
            client.before(-1, () -> {});
            assertInOrder("stopped before request " + request);
        }
    }

    @Test
    void a_clean_up_on_a_machine_whose_clock_is_ahead_goes_by_the_clock_of_the_store() {
        write("a");
        server.put("commits/2-0badc0de/manifest.json", Payload.of("{}"));
        Instant ahead = clock.now().plus(Duration.ofDays(30));

        upkeep(
                server,
                new SettableClock(ahead),
                upkeep -> assertThat(upkeep.collectGarbage(Duration.ofDays(7)).keys())
                        .isEmpty());
        clock.advance(Duration.ofDays(8));

        upkeep(
                server,
                new SettableClock(ahead),
                upkeep -> assertThat(upkeep.collectGarbage(Duration.ofDays(7)).keys())
                        .containsExactly("commits/2-0badc0de/manifest.json"));
    }
}
