package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.Storage;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commits that come while one is under way become visible together, each with its own id and metadata. */
class GroupCommitTest {
    private static final int WAITING = 8;
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");

    /** Holds the first two swaps of the head back until the test lets them go, and counts them all. */
    private static final class Gate extends ForwardingObjectStore {
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);
        private final CountDownLatch arrivedAgain = new CountDownLatch(1);
        private final CountDownLatch openAgain = new CountDownLatch(1);
        private final AtomicInteger swaps = new AtomicInteger();

        Gate(ObjectStore target) {
            super(target);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }

        @Override
        public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
            if (key.equals("meta/head.json")) {
                int swap = swaps.incrementAndGet();
                if (swap <= 2) {
                    pass(swap == 1 ? arrived : arrivedAgain, swap == 1 ? open : openAgain);
                }
            }
            return super.putIfMatch(key, payload, expected);
        }

        private static void pass(CountDownLatch arrived, CountDownLatch open) {
            arrived.countDown();
            try {
                assertThat(open.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private final Gate gate = new Gate(ObjectStores.open("memory:"));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Session session = Ontologia.open(TestStoreProvider.uriOf(gate), patient(), Model.of(NOTE));

    private List<Thread> waiters = List.of();

    @AfterEach
    void close() {
        gate.openAgain.countDown();
        session.close();
        threads.shutdownNow();
    }

    @Test
    void who_gets_tired_of_waiting_while_a_group_has_its_commit_blocks_nobody() throws Exception {
        List<Future<CommitResult>> commits = commitWhileOneIsUnderWay(List.of(request(1), request(2)));
        assertThat(gate.arrivedAgain.await(1, TimeUnit.MINUTES)).isTrue();

        // One of them leads, at the gate; the other one waits for its turn until it does not want to any more.
        while (waiters.stream().filter(GroupCommitTest::waitsForGood).count() < 1) {
            Thread.onSpinWait();
        }
        gate.openAgain.countDown();

        for (Future<CommitResult> commit : commits) {
            assertThat(commit.get(1, TimeUnit.MINUTES)).isInstanceOf(CommitResult.Committed.class);
        }
        assertThat(session.storage().commit(request(3))).isInstanceOf(CommitResult.Committed.class);
    }

    /** Waits for a lock without a limit, in which the leader at the gate does not. */
    private static boolean waitsForGood(Thread thread) {
        return thread.getState() == Thread.State.WAITING;
    }

    @Test
    void who_waits_for_a_commit_shares_the_next_swap_of_the_head() throws Exception {
        gate.openAgain.countDown();
        List<Future<CommitResult>> commits = commitWhileOneIsUnderWay(
                IntStream.rangeClosed(1, WAITING).mapToObj(n -> request(n)).toList());

        List<Long> ids = new ArrayList<>();
        for (Future<CommitResult> commit : commits) {
            ids.add(((CommitResult.Committed) commit.get(1, TimeUnit.MINUTES)).commitId());
        }
        assertThat(gate.swaps).hasValue(2);
        assertThat(ids.get(0)).isEqualTo(1);
        assertThat(ids)
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, WAITING + 1)
                        .mapToObj(Long::valueOf)
                        .toList());
        List<CommitInfo> log = session.log().last(WAITING + 1);
        assertThat(log).extracting(entry -> entry.metadata().get("n")).doesNotHaveDuplicates();
        assertThat(session.entities("Note").results()).hasSize(WAITING + 1);
        assertThat(session.entities("Note").asOf(1).results())
                .extracting(row -> row.value().fields().get("n"))
                .containsExactly(0L);
    }

    @Test
    void what_is_wrong_with_one_commit_is_no_reason_to_refuse_the_others() throws Exception {
        gate.openAgain.countDown();
        CommitRequest good = request(2);
        List<Future<CommitResult>> commits = commitWhileOneIsUnderWay(List.of(
                request(1),
                new CommitRequest(
                        good.rows(), Map.of("n", new Object()), good.schemaVersions(), "writer", good.equality()),
                new CommitRequest(good.rows(), Map.of(), Map.of(TypeRef.entity("Note"), 7L), "writer", good.equality()),
                request(3)));

        assertThat(commits.get(1).get(1, TimeUnit.MINUTES)).isInstanceOf(CommitResult.Committed.class);
        assertThatThrownBy(() -> commits.get(2).get(1, TimeUnit.MINUTES)).hasMessageContaining("java.lang.Object");
        assertThatThrownBy(() -> commits.get(3).get(1, TimeUnit.MINUTES)).hasMessageContaining("Note");
        assertThat(commits.get(4).get(1, TimeUnit.MINUTES)).isInstanceOf(CommitResult.Committed.class);
        assertThat(session.head()).isEqualTo(3);
        assertThat(session.entities("Note").results())
                .extracting(row -> row.value().fields().get("n"))
                .containsExactlyInAnyOrder(0L, 1L, 3L);
    }

    @Test
    void commits_of_one_group_to_the_same_row_follow_each_other() throws Exception {
        TypeRef type = TypeRef.entity("Note");
        List<CommitRequest> requests = LongStream.rangeClosed(1, WAITING)
                .mapToObj(n -> new CommitRequest(
                        List.of(new DesiredRow(type, new Identity.OfEntity("k0"), "{\"id\":\"k0\",\"n\":" + n + "}")),
                        Map.of("n", n),
                        Map.of(type, 1L),
                        "writer",
                        (unused, stored, wanted) -> stored.equals(wanted)))
                .toList();

        gate.openAgain.countDown();
        for (Future<CommitResult> commit : commitWhileOneIsUnderWay(requests)) {
            assertThat(commit.get(1, TimeUnit.MINUTES)).isInstanceOf(CommitResult.Committed.class);
        }

        assertThat(session.entities("Note").withHistory().results())
                .extracting(row -> row.commitId())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, WAITING + 1).boxed().toList());
        Object last = session.log().last(1).get(0).metadata().get("n");
        assertThat(session.entities("Note").results())
                .extracting(row -> row.value().fields().get("n"))
                .containsExactly(last);
    }

    /** Lets a first commit wait for its swap until all others stand in the queue. */
    private List<Future<CommitResult>> commitWhileOneIsUnderWay(List<CommitRequest> requests) throws Exception {
        Storage storage = session.storage();
        List<Future<CommitResult>> commits = new ArrayList<>();
        commits.add(threads.submit(() -> storage.commit(request(0))));
        assertThat(gate.arrived.await(1, TimeUnit.MINUTES)).isTrue();
        CountDownLatch started = new CountDownLatch(requests.size());
        List<Thread> waiting = new CopyOnWriteArrayList<>();
        for (CommitRequest request : requests) {
            commits.add(threads.submit(() -> {
                waiting.add(Thread.currentThread());
                started.countDown();
                return storage.commit(request);
            }));
        }
        assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
        // All of them stand in the queue when each waits for its turn.
        while (waiting.stream().anyMatch(thread -> thread.getState() != Thread.State.TIMED_WAITING)) {
            Thread.onSpinWait();
        }
        gate.open.countDown();
        waiters = waiting;
        return commits;
    }

    private static SessionOptions patient() {
        SessionOptions defaults = SessionOptions.defaults();
        return defaults.storage(defaults.storage().lockTimeout(Duration.ofSeconds(3)));
    }

    private static CommitRequest request(long n) {
        TypeRef type = TypeRef.entity("Note");
        return new CommitRequest(
                List.of(new DesiredRow(
                        type, new Identity.OfEntity("k" + n), "{\"id\":\"k" + n + "\",\"n\":" + n + "}")),
                Map.of("n", n),
                Map.of(type, 1L),
                "writer",
                (unused, stored, wanted) -> stored.equals(wanted));
    }
}
