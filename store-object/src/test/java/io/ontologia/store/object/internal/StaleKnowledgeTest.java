package io.ontologia.store.object.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Registry;
import io.ontologia.store.object.internal.layout.TypeIndex;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process knows of a store that others changed since: it must neither act nor answer by it. */
class StaleKnowledgeTest {
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");
    private static final EntityType TAG = new EntityType("Tag", NOTE.payload(), "id");

    private final SettableClock clock = new SettableClock();
    private final StorageOptions options =
            StorageOptions.defaults().clock(clock).lockTimeout(Duration.ZERO);
    private final String uri = "memory:" + UUID.randomUUID();
    private final ObjectStore server = objects();

    private ObjectStore objects() {
        return ObjectStores.open(uri, ObjectStoreOptions.defaults().clock(clock));
    }

    /** A process of its own; whatever lock another one held, its time is over. */
    private ObjectStorage process() {
        clock.advance(Duration.ofMinutes(1));
        return (ObjectStorage) OpenStores.open(objects(), options, Threads.none());
    }

    private static CommitResult commit(Storage where, EntityType type, long n) {
        return where.commit(new CommitRequest(
                List.of(new DesiredRow(type.ref(), new Identity.OfEntity("x"), "{\"id\":\"x\",\"n\":" + n + "}")),
                Map.of(),
                Map.of(type.ref(), 1L),
                "test",
                (ref, stored, wanted) -> stored.equals(wanted)));
    }

    @Test
    void nothing_to_do_is_not_said_by_what_was_read_at_opening() {
        ObjectStorage first = process();
        first.register(List.of(NOTE), "test");
        commit(first, NOTE, 1);
        ObjectStorage early = process();
        ObjectStorage other = process();
        commit(other, NOTE, 2);
        clock.advance(Duration.ofMinutes(1));

        CommitResult result = commit(early, NOTE, 1);

        assertThat(result).isInstanceOf(CommitResult.Committed.class);
        assertThat(commit(early, NOTE, 1)).isInstanceOf(CommitResult.NothingToDo.class);
    }

    @Test
    void who_was_idle_does_not_take_back_what_others_put_into_an_index() {
        ObjectStorage idle = process();
        idle.register(List.of(NOTE, TAG), "test");
        commit(idle, NOTE, 1);
        commit(idle, TAG, 1);
        ObjectStorage other = process();
        for (long n = 2; n <= 17; n++) {
            commit(other, NOTE, n);
        }
        other.upkeep().orElseThrow().compact(Optional.empty(), "operator", Progress.none());
        other.close();
        TypeIndex before = index();

        idle.close();

        assertThat(before.entries()).anyMatch(entry -> !entry.isOfOneCommit());
        assertThat(index().entries()).isEqualTo(before.entries());
        assertThat(index().upTo()).isEqualTo(before.upTo());
    }

    private TypeIndex index() {
        return TypeIndex.parse(
                NOTE.ref(), server.get(Keys.index(NOTE.ref())).orElseThrow().bytes());
    }

    @Test
    void who_was_idle_while_files_gave_way_to_a_snapshot_goes_on_committing(@TempDir Path caches) {
        ObjectStorage idle = process(caches.resolve("idle"));
        idle.register(List.of(NOTE), "test");
        commit(idle, NOTE, 1);
        ObjectStorage other = process(caches.resolve("other"));
        for (long n = 2; n <= 10; n++) {
            commit(other, NOTE, n);
        }
        Upkeep upkeep = other.upkeep().orElseThrow();
        upkeep.compact(Optional.empty(), "operator", Progress.none());
        clock.advance(Duration.ofDays(8));
        assertThat(upkeep.removeCovered(Duration.ofDays(7)).keys()).isNotEmpty();
        other.close();

        assertThat(commit(idle, NOTE, 10)).isInstanceOf(CommitResult.NothingToDo.class);
        assertThat(commit(idle, NOTE, 11)).isInstanceOf(CommitResult.Committed.class);
    }

    /** A process with a cache of its own, as on another machine. */
    private ObjectStorage process(Path cache) {
        clock.advance(Duration.ofMinutes(1));
        return (ObjectStorage)
                OpenStores.open(objects(), options.settings(Map.of("cache_dir", cache.toString())), Threads.none());
    }

    @Test
    void the_copy_of_an_index_never_goes_back() {
        ObjectStorage first = process();
        first.register(List.of(NOTE), "test");
        commit(first, NOTE, 1);
        commit(first, NOTE, 2);
        first.upkeep().orElseThrow().compact(Optional.empty(), "operator", Progress.none());
        TypeIndex early = index();
        for (long n = 3; n <= 5; n++) {
            commit(first, NOTE, n);
        }
        first.upkeep().orElseThrow().compact(Optional.empty(), "operator", Progress.none());
        first.close();
        byte[] copy = server.get(Keys.checkpoint(NOTE.ref())).orElseThrow().bytes();
        // A slow process replaces an index that got lost with what it knew.
        server.delete(Keys.index(NOTE.ref()));
        Chain chain = new Chain(server, Threads.none().transfers());
        FileResolver resolver = new FileResolver(
                server, chain, new Erasures(server), Threads.none().transfers());
        IndexKeeper slow = new IndexKeeper(
                server,
                resolver,
                new Views(server, catalog()),
                (type, part, head) -> part,
                Runnable::run,
                new SplittableRandom(2));

        slow.install(early);

        assertThat(early.upTo()).isEqualTo(2);
        assertThat(server.get(Keys.checkpoint(NOTE.ref())).orElseThrow().bytes())
                .isEqualTo(copy);
        assertThat(TypeIndex.parse(NOTE.ref(), copy).upTo()).isEqualTo(5);
    }

    private static OntologyType with(String field) {
        return new EntityType(
                "Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of(field, Primitive.INT)), "id");
    }

    private Catalog catalog() {
        return new Catalog(server, new Chain(server, Threads.none().transfers()), clock, new SplittableRandom(1));
    }

    private Head head() {
        return Head.parse(server.get(Keys.HEAD).orElseThrow().bytes());
    }

    private static List<String> described(List<SchemaVersion> versions) {
        return versions.stream()
                .map(version -> version.version() + ":"
                        + version.describe().payload().get(1).name())
                .toList();
    }

    @Test
    void two_who_propose_the_same_version_leave_the_one_that_comes_into_force() {
        process().register(List.of(NOTE), "test");
        Catalog slow = catalog();
        Registry known = slow.refreshed(head());
        Catalog quick = catalog();
        SchemaVersion winner =
                quick.propose(with("quick"), quick.refreshed(head()), "quick", "migration", Optional.empty());

        slow.propose(with("slow"), known, "slow", "migration", Optional.empty());
        Registry after = quick.change(head(), registry -> registry.with(winner));
        List<SchemaVersion> inForce = catalog().versions(NOTE.ref(), after);
        Catalog next = catalog();
        SchemaVersion third = next.propose(with("third"), after, "next", "migration", Optional.empty());
        Registry last = next.change(head(), registry -> registry.with(third));

        assertThat(described(inForce)).containsExactly("1:n", "2:quick");
        assertThat(described(catalog().versions(NOTE.ref(), last))).containsExactly("1:n", "2:quick", "3:third");
        assertThat(described(catalog().versions(NOTE.ref()))).containsExactly("1:n", "2:quick", "3:third");
    }

    @Test
    void who_proposes_by_what_was_true_earlier_is_refused_and_takes_nothing_away() {
        process().register(List.of(NOTE), "test");
        Catalog slow = catalog();
        Registry known = slow.refreshed(head());
        Catalog quick = catalog();
        SchemaVersion winner =
                quick.propose(with("quick"), quick.refreshed(head()), "quick", "migration", Optional.empty());
        quick.change(head(), registry -> registry.with(winner));

        assertThatThrownBy(() -> slow.propose(with("slow"), known, "slow", "migration", Optional.empty()))
                .isInstanceOf(SchemaOutdatedException.class);

        assertThat(described(catalog().versions(NOTE.ref()))).containsExactly("1:n", "2:quick");
    }

    @Test
    void what_never_came_into_force_is_forgotten_with_its_type() {
        process().register(List.of(NOTE), "test");
        Catalog catalog = catalog();
        catalog.propose(with("failed"), catalog.refreshed(head()), "test", "migration", Optional.empty());
        SchemaVersion second =
                catalog.propose(with("second"), catalog.refreshed(head()), "test", "migration", Optional.empty());
        Registry known = catalog.change(head(), registry -> registry.with(second));

        catalog.tidy(NOTE.ref(), known);
        Registry dropped = catalog.change(head(), registry -> registry.without(NOTE.ref(), 2));

        assertThat(described(catalog.versions(NOTE.ref(), dropped))).containsExactly("1:n", "2:second");
        catalog.propose(with("third"), dropped, "test", "initial", Optional.empty());
        assertThat(described(catalog.versions(NOTE.ref()))).containsExactly("1:n", "2:second", "3:third");
    }

    @Test
    void of_two_reads_the_one_that_began_later_counts() throws Exception {
        process().register(List.of(NOTE), "test");
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger reads = new AtomicInteger();
        List<Thread> slow = new ArrayList<>();
        Catalog shared = new Catalog(
                new ForwardingObjectStore(server) {
                    @Override
                    protected <T> T around(StoreOperation operation, Supplier<T> request) {
                        int number = reads.incrementAndGet();
                        T reply = request.get();
                        if (number == 1) {
                            reached.countDown();
                            await(goOn);
                        } else if (number == 2) {
                            goOn.countDown();
                            join(slow.get(0));
                        }
                        return reply;
                    }
                },
                new Chain(server, Threads.none().transfers()),
                clock,
                new SplittableRandom(1));
        Head head = head();
        slow.add(new Thread(() -> shared.refreshed(head)));
        slow.get(0).start();
        await(reached);
        process().register(List.of(TAG), "test");

        Registry later = shared.refreshed(head);

        assertThat(later.types()).containsKey(TAG.ref());
        assertThat(shared.asOf(head).types()).containsKey(TAG.ref());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(Duration.ofMinutes(1).toMillis());
            assertThat(thread.isAlive()).isFalse();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_proposal_that_was_repeated_is_there_once() {
        process().register(List.of(NOTE), "test");
        Catalog catalog = catalog();
        for (int i = 0; i < 3; i++) {
            catalog.propose(with("repeated"), catalog.refreshed(head()), "test", "migration", Optional.empty());
        }

        assertThat(described(catalog.versions(NOTE.ref()))).containsExactly("1:n", "2:repeated");
        assertThat(described(catalog.versions(NOTE.ref(), catalog.refreshed(head()))))
                .containsExactly("1:n");
    }

    @Test
    void a_store_that_began_anew_is_seen_as_it_is() {
        ObjectStorage early = process();
        early.register(List.of(NOTE), "test");
        for (long n = 1; n <= 5; n++) {
            commit(early, NOTE, n);
        }
        server.list(ListRequest.of("")).objects().forEach(object -> server.delete(object.key()));
        ObjectStorage next = process();
        next.register(List.of(NOTE), "test");
        commit(next, NOTE, 7);
        clock.advance(Duration.ofMinutes(1));

        CommitResult result = commit(early, NOTE, 8);
        early.close();

        assertThat(result)
                .isInstanceOfSatisfying(
                        CommitResult.Committed.class,
                        committed -> assertThat(committed.commitId()).isEqualTo(2));
        assertThat(index().upTo()).isEqualTo(2);
        assertThat(process().check(Progress.none()))
                .filteredOn(Finding::isProblem)
                .isEmpty();
    }

    @Test
    void who_only_reads_goes_on_from_where_a_store_began_anew() {
        ObjectStorage first = process();
        first.register(List.of(NOTE), "test");
        commit(first, NOTE, 1);
        Views views = new Views(server, catalog());
        views.current();
        server.put(Keys.HEAD, Payload.of(Head.empty(clock.now(), "anew").bytes()));

        View now = views.current();

        assertThat(now.head().commitId()).isZero();
        assertThat(views.lastKnown()).contains(now);
    }

    @Test
    void the_beginning_of_a_copy_is_no_garbage() {
        ObjectStorage copy = process();
        server.put(Keys.RESTORE, Payload.of("{}"));
        server.put("commits/1-abcdef01/manifest.json", Payload.of("{}"));
        clock.advance(Duration.ofDays(30));
        Upkeep upkeep = copy.upkeep().orElseThrow();

        assertThat(upkeep.findGarbage(Duration.ZERO).keys()).isEmpty();
        server.delete(Keys.RESTORE);
        assertThat(upkeep.findGarbage(Duration.ZERO).keys()).containsExactly("commits/1-abcdef01/manifest.json");
    }

    @Test
    void a_change_that_waits_is_given_up_only_when_its_commit_can_no_longer_be_made() {
        ObjectStorage first = process();
        first.register(List.of(NOTE), "test");
        commit(first, NOTE, 1);
        StoredObject head = server.get(Keys.HEAD).orElseThrow();
        new Catalog(server, new Chain(server, Threads.none().transfers()), clock, new SplittableRandom(1))
                .change(
                        Head.parse(head.bytes()),
                        current ->
                                current.waitingFor(new Registry.Pending(2, "commits/2-late/manifest.json", current)));

        ObjectStorage other = process();
        other.register(List.of(TAG), "other");

        assertThat(server.putIfMatch(Keys.HEAD, Payload.of("late"), head.etag()))
                .isInstanceOf(PutOutcome.Refused.class);
        assertThat(commit(other, TAG, 1)).isInstanceOf(CommitResult.Committed.class);
        assertThat(other.check(Progress.none())).filteredOn(Finding::isProblem).isEmpty();
    }
}
