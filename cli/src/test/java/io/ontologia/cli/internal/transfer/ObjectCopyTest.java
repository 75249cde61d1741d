package io.ontologia.cli.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.access.StoreContent;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Terminal;
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
import io.ontologia.core.spi.Upkeep;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A copy of objects while others work at its source, or at its target. */
class ObjectCopyTest {
    private final SettableClock clock = new SettableClock();
    private final String from = "memory:" + UUID.randomUUID();
    private final String to = "memory:" + UUID.randomUUID();

    private ObjectStore objects(String uri) {
        return ObjectStores.open(uri, ObjectStoreOptions.defaults().clock(clock));
    }

    private SessionOptions options() {
        SessionOptions options = SessionOptions.defaults().runtimeId("test");
        return options.storage(options.storage().clock(clock));
    }

    private static EntityType type(String name) {
        return new EntityType(name, List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");
    }

    private void commit(String uri, String type, long times) {
        try (Session session = Ontologia.open(uri, options(), Model.of(type(type)))) {
            for (long n = 0; n < times; n++) {
                session.ensure(new Row.OfEntity(type, "x", Map.of("n", n)));
                session.commit();
            }
        }
        clock.advance(Duration.ofMinutes(1));
    }

    private ObjectCopy copy(ObjectStore source, ObjectStore target) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        return new ObjectCopy(
                source, target, clock, new Output(nowhere, nowhere, Terminal.of(Map.of()), Output.Format.TEXT, clock));
    }

    /** A store before whose n-th request of a kind something happens, once. */
    private static ObjectStore disturbed(ObjectStore store, StoreOperation kind, int nth, Runnable disturbance) {
        AtomicInteger requests = new AtomicInteger();
        return new ForwardingObjectStore(store) {
            @Override
            protected <T> T around(StoreOperation operation, Supplier<T> request) {
                if (operation == kind && requests.incrementAndGet() == nth) {
                    disturbance.run();
                }
                return request.get();
            }
        };
    }

    private void assertInOrder(String uri, long commits) {
        try (Maintenance maintenance = Ontologia.maintain(uri, options())) {
            assertThat(maintenance.check(Progress.none()))
                    .filteredOn(Finding::isProblem)
                    .isEmpty();
        }
        try (Session session = Ontologia.openStored(uri, options())) {
            assertThat(session.head()).isEqualTo(commits);
            assertThat(session.entities("Note").count()).isEqualTo(1);
        }
    }

    @Test
    void one_that_is_overtaken_leaves_the_store_alone_that_others_use_by_now() {
        commit(from, "Note", 3);
        for (int request = 1; request <= 5; request++) {
            ObjectStore target = objects(to);
            AtomicInteger disturbances = new AtomicInteger();
            ObjectStore shared = disturbed(target, StoreOperation.PUT_IF_ABSENT, request, () -> {
                disturbances.incrementAndGet();
                copy(objects(from), objects(to)).run();
                commit(to, "Later", 2);
            });

            assertThatThrownBy(() -> copy(objects(from), shared).run())
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("another process writes there");

            assertThat(disturbances).hasValue(1);
            assertInOrder(to, 5);
            StoreContent.of(target).forEach(object -> target.delete(object.key()));
        }
    }

    @Test
    void files_that_a_clean_up_took_meanwhile_are_not_missed() {
        commit(from, "Note", 12);
        maintain(upkeep -> upkeep.compact(Optional.empty(), "operator", Progress.none()));
        commit(from, "Note", 12);
        // The index is over by then, and names the snapshot that is about to give way to a larger one.
        AtomicInteger requests = new AtomicInteger();
        ObjectStore source = new ForwardingObjectStore(objects(from)) {
            @Override
            protected <T> T around(StoreOperation operation, Supplier<T> request) {
                return request.get();
            }

            @Override
            public Optional<ObjectSummary> download(String key, Path file) {
                if (key.startsWith("commits/") && requests.incrementAndGet() == 1) {
                    maintain(upkeep -> upkeep.compact(Optional.empty(), "operator", Progress.none()));
                    clock.advance(Duration.ofDays(8));
                    maintain(upkeep -> assertThat(
                                    upkeep.collectGarbage(Duration.ofDays(7)).keys())
                            .isNotEmpty());
                }
                return super.download(key, file);
            }
        };

        copy(source, objects(to)).run();

        assertThat(requests).hasPositiveValue();
        assertInOrder(to, 24);
    }

    private void maintain(Consumer<Upkeep> work) {
        try (Maintenance maintenance = Ontologia.maintain(from, options())) {
            work.accept(maintenance.storage().upkeep().orElseThrow());
        }
        clock.advance(Duration.ofMinutes(1));
    }

    @Test
    void a_compaction_at_the_source_meanwhile_does_no_harm() {
        commit(from, "Note", 12);
        for (int download = 1; download < 30; download += 4) {
            AtomicInteger compacted = new AtomicInteger();
            ObjectStore source = disturbed(objects(from), StoreOperation.DOWNLOAD, download, () -> {
                maintain(upkeep -> compacted.addAndGet(upkeep.compact(Optional.empty(), "operator", Progress.none())
                        .size()));
            });
            commit(from, "Note", 3);
            ObjectStore target = objects(to);

            copy(source, target).run();

            assertThat(compacted).hasPositiveValue();
            try (Session session = Ontologia.openStored(from, options())) {
                assertInOrder(to, session.head());
            }
            StoreContent.of(target).forEach(object -> target.delete(object.key()));
        }
    }
}
