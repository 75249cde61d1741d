package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Commits that come while one is under way become visible together, each with its own id and metadata. */
class GroupCommitTest {
    private static final int WAITING = 8;
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");

    /** Holds the first swap of the head back until the test lets it go, and counts them all. */
    private static final class Gate extends ForwardingObjectStore {
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);
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
            if (key.equals("meta/head.json") && swaps.incrementAndGet() == 1) {
                arrived.countDown();
                try {
                    assertThat(open.await(1, TimeUnit.MINUTES)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return super.putIfMatch(key, payload, expected);
        }
    }

    @Test
    void who_waits_for_a_commit_shares_the_next_swap_of_the_head() throws Exception {
        Gate gate = new Gate(ObjectStores.open("memory:"));
        ExecutorService threads = Executors.newFixedThreadPool(WAITING + 1);
        try (Session session =
                Ontologia.open(TestStoreProvider.uriOf(gate), SessionOptions.defaults(), Model.of(NOTE))) {
            Storage storage = session.storage();
            List<Future<CommitResult>> commits = new ArrayList<>();
            commits.add(threads.submit(() -> storage.commit(request(0))));
            assertThat(gate.arrived.await(1, TimeUnit.MINUTES)).isTrue();
            CountDownLatch started = new CountDownLatch(WAITING);
            List<Thread> waiting = new java.util.concurrent.CopyOnWriteArrayList<>();
            for (int i = 1; i <= WAITING; i++) {
                int number = i;
                commits.add(threads.submit(() -> {
                    waiting.add(Thread.currentThread());
                    started.countDown();
                    return storage.commit(request(number));
                }));
            }
            assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
            // All of them stand in the queue when each waits for its turn.
            while (waiting.stream().anyMatch(thread -> thread.getState() != Thread.State.TIMED_WAITING)) {
                Thread.onSpinWait();
            }

            gate.open.countDown();

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
        } finally {
            threads.shutdownNow();
        }
    }

    private static CommitRequest request(long n) {
        TypeRef type = TypeRef.entity("Note");
        return new CommitRequest(
                List.of(new DesiredRow(
                        type,
                        new io.ontologia.core.Identity.OfEntity("k" + n),
                        "{\"id\":\"k" + n + "\",\"n\":" + n + "}")),
                Map.of("n", n),
                Map.of(type, 1L),
                "writer",
                (unused, stored, wanted) -> stored.equals(wanted));
    }
}
