package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimLostException;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.EventOptions;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Outbox;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commits on behalf of a claim, while others in the same process do something with the claim. */
class CommitsForClaimsTest {
    private static final Duration STORE_LEASE = Duration.ofSeconds(30);
    private static final EntityType NOTE = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");

    /** Lets a test do something, once, while a request is under way. */
    private static final class Interrupted extends ForwardingObjectStore {
        private final Queue<Runnable> beforeUpload = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> afterClaimLanded = new ConcurrentLinkedQueue<>();
        private int manifests;

        Interrupted(ObjectStore target) {
            super(target);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }

        @Override
        public ETag put(String key, Payload payload) {
            if (key.startsWith("commits/")) {
                runNext(beforeUpload);
                manifests += key.endsWith("manifest.json") ? 1 : 0;
            }
            return super.put(key, payload);
        }

        @Override
        public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
            PutOutcome outcome = super.putIfMatch(key, payload, expected);
            if (key.startsWith("claims/")) {
                runNext(afterClaimLanded);
            }
            return outcome;
        }

        private static void runNext(Queue<Runnable> waiting) {
            Runnable next = waiting.poll();
            if (next != null) {
                next.run();
            }
        }
    }

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final Interrupted store = new Interrupted(server);
    private final Session session = open(store);
    private final Session other = open(server);
    private final EventStore bus = session.storage().events(EventOptions.of(Map.of("event_claim_lease_ms", "3000")));

    private Session open(ObjectStore where) {
        return Ontologia.open(
                TestStoreProvider.uriOf(where),
                SessionOptions.defaults()
                        .storage(StorageOptions.defaults().clock(clock).leaseTtl(STORE_LEASE)),
                Model.of(NOTE));
    }

    @AfterEach
    void close() {
        session.close();
        other.close();
    }

    private static List<Claim> claim(EventStore bus, String worker) {
        return bus.claim(new ClaimRequest(
                "shop", worker, List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 1))));
    }

    private Claim claimed() {
        bus.enqueue(List.of(NewEvent.of("shop", "order", Map.of())));
        return claim(bus, "worker").get(0);
    }

    private CommitResult commit(Claim claim) {
        session.ensure(new Row.OfEntity("Note", "a", Map.of()));
        return session.commit(Map.of(), Outbox.none().onBehalfOf(claim));
    }

    /** Gives the claim up, as for a handler that takes too long, and lets another process have the event. */
    private void giveUp(Claim claim) {
        assertThat(bus.release(claim, "overdue")).isInstanceOf(ClaimOutcome.Retry.class);
        clock.advance(Duration.ofSeconds(1));
        assertThat(claim(other.storage().events(EventOptions.defaults()), "other"))
                .hasSize(1);
    }

    private void assertRefused(Claim claim) {
        assertThatThrownBy(() -> commit(claim)).isInstanceOf(ClaimLostException.class);
        assertThat(session.head()).isZero();
        session.discard();
    }

    @Test
    void a_commit_is_refused_when_its_claim_is_given_up_while_its_files_go_up() {
        Claim claim = claimed();
        store.beforeUpload.add(() -> giveUp(claim));

        assertRefused(claim);
    }

    @Test
    void a_commit_is_refused_when_its_claim_is_given_up_before_the_reply_that_it_was_extended() {
        Claim claim = claimed();
        store.afterClaimLanded.add(() -> giveUp(claim));

        assertRefused(claim);
    }

    @Test
    void a_commit_is_refused_when_its_claim_is_given_up_and_only_the_reply_to_that_is_missing() throws Exception {
        Claim claim = claimed();
        CountDownLatch landed = new CountDownLatch(1);
        CountDownLatch replied = new CountDownLatch(1);
        ExecutorService keeper = Executors.newSingleThreadExecutor();
        store.beforeUpload.add(() -> {
            store.afterClaimLanded.add(() -> {
                landed.countDown();
                await(replied);
            });
            keeper.execute(() -> bus.handBack(List.of(claim)));
            await(landed);
        });

        try {
            assertRefused(claim);
        } finally {
            replied.countDown();
            keeper.shutdown();
        }
        assertThat(keeper.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_commit_is_refused_when_its_claim_is_handed_back_or_acknowledged_while_its_files_go_up() {
        Claim handedBack = claimed();
        store.beforeUpload.add(() -> bus.handBack(List.of(handedBack)));
        assertRefused(handedBack);

        Claim acknowledged = claim(bus, "worker").get(0);
        store.beforeUpload.add(() -> bus.ack(List.of(acknowledged)));
        assertRefused(acknowledged);
    }

    @Test
    void renewing_a_claim_never_takes_back_what_a_commit_was_promised() {
        Claim claim = claimed();
        commit(claim);

        ClaimOutcome outcome = bus.renew(List.of(claim)).get(0);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        ClaimOutcome.Renewed.class,
                        renewed -> assertThat(renewed.claim().leaseUntil())
                                .isEqualTo(clock.now().plus(STORE_LEASE)));
        clock.advance(STORE_LEASE.minusSeconds(1));
        assertThat(claim(other.storage().events(EventOptions.defaults()), "other"))
                .isEmpty();
    }

    @Test
    void a_claim_that_is_renewed_while_the_files_go_up_is_good_for_the_commit() {
        Claim claim = claimed();
        store.beforeUpload.add(() -> {
            clock.advance(Duration.ofSeconds(1));
            assertThat(bus.renew(List.of(claim)).get(0)).isInstanceOf(ClaimOutcome.Renewed.class);
        });

        assertThat(commit(claim)).isInstanceOf(CommitResult.Committed.class);
        assertThat(store.manifests).isEqualTo(1);
    }
}
