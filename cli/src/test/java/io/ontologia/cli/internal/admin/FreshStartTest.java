package io.ontologia.cli.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.cli.internal.access.StoreContent;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Terminal;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.AcquireOutcome;
import io.ontologia.objectstore.Lease;
import io.ontologia.objectstore.LeaseExpiredException;
import io.ontologia.objectstore.LeaseLock;
import io.ontologia.objectstore.LeaseOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.ReleaseStyle;
import io.ontologia.objectstore.StoreCapabilities;
import io.ontologia.objectstore.StoreCapabilities.ConditionalDelete;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreCrashed;
import io.ontologia.testkit.StoreOperation;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What others see, and can do, while everything is removed; and what is left when that breaks off. */
class FreshStartTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");

    private final SettableClock clock = new SettableClock();
    private int processes;

    private String uri() {
        return "memory:" + UUID.randomUUID();
    }

    private ObjectStore objects(String uri) {
        return ObjectStores.open(uri, ObjectStoreOptions.defaults().clock(clock));
    }

    /** In a process of its own. */
    private Session open(String uri, String note) {
        SessionOptions options = SessionOptions.defaults().runtimeId("other");
        // Who opens it with the same options in one process shares what the process knows.
        Duration own = TTL.minusMillis(++processes);
        Session session = Ontologia.open(
                uri, options.storage(options.storage().clock(clock).leaseTtl(own)), Model.of(NOTE));
        session.ensure(new Row.OfEntity("Note", note, Map.of("n", 1L)));
        return session;
    }

    private void commit(String uri, String note) {
        try (Session session = open(uri, note)) {
            session.commit();
        }
        clock.advance(TTL);
    }

    private static List<String> keys(Session session) {
        return session.entities("Note").results().stream()
                .map(found -> ((Identity.OfEntity) found.identity()).key())
                .toList();
    }

    private Lease lock(ObjectStore store) {
        LeaseLock lock = new LeaseLock(
                store,
                StoreContent.LOCK,
                clock,
                new SplittableRandom(1),
                new LeaseOptions(TTL, Duration.ZERO, ReleaseStyle.EXPIRE));
        return ((AcquireOutcome.Acquired) lock.acquire("onto-init")).lease();
    }

    private void erase(ObjectStore store, Lease lease) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        FreshStart.of(store)
                .erase(
                        lease,
                        new StoreCapabilities(ConditionalDelete.ENFORCED),
                        clock,
                        new Output(nowhere, nowhere, Terminal.of(Map.of()), Output.Format.TEXT, clock));
    }

    @Test
    void who_comes_while_everything_is_removed_finds_no_store_and_makes_none() {
        String uri = uri();
        commit(uri, "old");
        ObjectStore server = objects(uri);
        AtomicInteger disturbances = new AtomicInteger();
        ObjectStore disturbed = new ForwardingObjectStore(server) {
            @Override
            protected <T> T around(StoreOperation operation, Supplier<T> request) {
                if (operation == StoreOperation.DELETE_ALL) {
                    assertThatThrownBy(() -> commit(uri, "new"))
                            .isInstanceOf(OntologiaException.class)
                            .hasMessageContaining("there is no store any more");
                    disturbances.incrementAndGet();
                }
                return request.get();
            }
        };

        try (Lease lease = lock(server)) {
            erase(disturbed, lease);
        }

        assertThat(disturbances).hasPositiveValue();
        assertThat(StoreContent.of(server)).isEmpty();
        commit(uri, "new");
        try (Session session = open(uri, "new")) {
            assertThat(session.entities("Note").count()).isEqualTo(1);
        }
    }

    @Test
    void who_sends_events_all_the_time_does_not_keep_it_from_its_end_but_who_commits_does() {
        String uri = uri();
        commit(uri, "old");
        ObjectStore server = objects(uri);
        AtomicInteger sent = new AtomicInteger();
        try (Lease lease = lock(server)) {
            erase(beforeEveryRemoval(server, () -> put(server, "events/shop/e" + sent.incrementAndGet())), lease);
        }

        assertThat(StoreContent.of(server))
                .hasSize(1)
                .allMatch(left -> left.key().startsWith("events/"));
        clock.advance(TTL);
        commit(uri, "new");
        clock.advance(TTL);
        try (Lease lease = lock(server)) {
            ObjectStore busy = beforeEveryRemoval(server, () -> put(server, "commits/9-" + sent.incrementAndGet()));
            assertThatThrownBy(() -> erase(busy, lease)).hasMessageContaining("others keep writing there");
        }
    }

    private static void put(ObjectStore server, String key) {
        server.put(key, Payload.of("x"));
    }

    /** Puts something there that is listed next time. */
    private static ObjectStore beforeEveryRemoval(ObjectStore server, Runnable disturbance) {
        return new ForwardingObjectStore(server) {
            @Override
            protected <T> T around(StoreOperation operation, Supplier<T> request) {
                if (operation == StoreOperation.DELETE_ALL) {
                    disturbance.run();
                }
                return request.get();
            }
        };
    }

    @Test
    void who_was_writing_does_not_bring_anything_back() {
        String uri = uri();
        ObjectStore server = objects(uri);
        try (Session writer = open(uri, "old")) {
            writer.commit();
            clock.advance(TTL);
            try (Lease lease = lock(server)) {
                erase(server, lease);
            }
            commit(uri, "new");

            writer.ensure(new Row.OfEntity("Note", "late", Map.of("n", 2L)));
            writer.commit();

            assertThat(keys(writer)).containsExactlyInAnyOrder("new", "late");
        }
        clock.advance(TTL);
        try (Session session = open(uri, "new")) {
            assertThat(keys(session)).containsExactlyInAnyOrder("new", "late");
        }
    }

    @Test
    void who_is_overtaken_before_its_last_request_leaves_the_new_store_alone() {
        String uri = uri();
        commit(uri, "old");
        ObjectStore server = objects(uri);
        ObjectStore overtaken = new ForwardingObjectStore(server) {
            @Override
            protected <T> T around(StoreOperation operation, Supplier<T> request) {
                if (operation == StoreOperation.DELETE_IF_MATCH) {
                    server.delete(StoreContent.HEAD);
                    clock.advance(TTL);
                    commit(uri, "new");
                }
                return request.get();
            }
        };

        try (Lease lease = lock(server)) {
            assertThatThrownBy(() -> erase(overtaken, lease)).hasMessageContaining("somebody else removes everything");
        }

        try (Session session = open(uri, "new")) {
            assertThat(keys(session)).containsExactly("new");
        }
    }

    @Test
    void who_lost_the_lock_removes_nothing_any_more() {
        String uri = uri();
        commit(uri, "old");
        ObjectStore server = objects(uri);
        int before = StoreContent.of(server).size();
        try (Lease lease = lock(server)) {
            clock.advance(TTL);

            assertThatThrownBy(() -> erase(server, lease)).isInstanceOf(LeaseExpiredException.class);
        }
        assertThat(StoreContent.of(server)).hasSize(before);
        commit(uri, "new");
    }

    @Test
    void dying_before_any_request_leaves_the_old_store_or_none_and_can_be_repeated() {
        int requests = 0;
        for (boolean crashed = true; crashed; requests++) {
            String uri = uri();
            commit(uri, "old");
            ObjectStore server = objects(uri);
            crashed = false;
            try {
                ObjectStore dying = new FaultyObjectStore(server, FaultPlan.crashBefore(requests + 1));
                erase(dying, lock(server));
            } catch (StoreCrashed e) {
                crashed = true;
            }
            clock.advance(TTL);
            boolean marked = server.get(StoreContent.HEAD)
                    .filter(StoreContent::isErasing)
                    .isPresent();
            if (marked) {
                assertThatThrownBy(() -> commit(uri, "new")).hasMessageContaining("there is no store any more");
                try (Lease lease = lock(server)) {
                    erase(server, lease);
                }
            }
            boolean isOld = server.get(StoreContent.HEAD).isPresent();
            assertThat(StoreContent.of(server)).matches(left -> isOld || left.isEmpty());
            commit(uri, "new");
            try (Session session = open(uri, "new")) {
                assertThat(session.entities("Note").count()).isEqualTo(isOld ? 2 : 1);
            }
        }
        assertThat(requests).isGreaterThan(10);
    }
}
