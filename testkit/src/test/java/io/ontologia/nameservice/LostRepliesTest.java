package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.nameservice.internal.object.ObjectNameservice;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.testkit.Fault;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies get lost; no push is counted twice, and none of ours is taken for somebody else's. */
class LostRepliesTest {
    private static final Alias DB = Alias.parse("mydb");

    private final ObjectStore server = ObjectStores.open("memory:", new SettableClock());

    static Stream<Arguments> faults() {
        List<Arguments> all = new ArrayList<>();
        for (Layout layout : Layout.values()) {
            for (Concern concern : Concern.values()) {
                for (Fault fault : List.of(
                        new Fault.LoseReply(), new Fault.LoseRequest(), new Fault.LandLate(1), new Fault.LandLate(2))) {
                    all.add(Arguments.of(layout, concern, fault));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void a_push_whose_reply_is_lost_is_settled(Layout layout, Concern concern, Fault fault) {
        Nameservice good = on(server, layout, 1);
        fill(good);
        // One attempt only: what the store cannot settle comes through.
        FaultyObjectStore client = new FaultyObjectStore(
                server,
                FaultPlan.at(StoreOperation.PUT_IF_MATCH, 1, fault),
                new SettableClock(),
                new Retry(RetryPolicy.once(), new SettableClock(), new SplittableRandom(0)));

        PushOutcome outcome = on(client, layout, 2).push(DB, concern, value(5, "x"), value(6, "ours"));
        client.deliverLateRequests();

        assertThat(outcome).isEqualTo(new PushOutcome.Updated(value(6, "ours")));
        assertThat(good.concern(DB, concern)).contains(value(6, "ours"));
    }

    @Test
    void a_push_that_somebody_pushed_another_concern_over_is_ours() {
        Nameservice other = on(server, Layout.A, 1);
        fill(other);
        ObjectStore store = new MeddlingStore(
                server,
                () -> assertThat(other.push(DB, Concern.CONFIG, value(5, "x"), value(6, "theirs")))
                        .isInstanceOf(PushOutcome.Updated.class));

        PushOutcome outcome = on(store, Layout.A, 2).push(DB, Concern.HEAD, value(5, "x"), value(6, "ours"));

        assertThat(outcome).isEqualTo(new PushOutcome.Updated(value(6, "ours")));
    }

    @Test
    void a_push_that_was_overtaken_is_unknown_and_not_a_conflict() {
        Nameservice other = on(server, Layout.B, 1);
        fill(other);
        ObjectStore store = new MeddlingStore(
                server,
                () -> assertThat(other.push(DB, Concern.HEAD, value(6, "ours"), value(7, "theirs")))
                        .isInstanceOf(PushOutcome.Updated.class));

        PushOutcome outcome = on(store, Layout.B, 2).push(DB, Concern.HEAD, value(5, "x"), value(6, "ours"));

        assertThat(outcome).isInstanceOf(PushOutcome.Unknown.class);
        assertThat(other.concern(DB, Concern.HEAD)).contains(value(7, "theirs"));
    }

    @Test
    void a_push_that_got_lost_and_then_met_an_equal_one_is_a_conflict() {
        Nameservice other = on(server, Layout.B, 1);
        fill(other);
        ObjectStore store = new LosingStore(
                server,
                () -> assertThat(other.push(DB, Concern.HEAD, value(5, "x"), value(6, "same")))
                        .isInstanceOf(PushOutcome.Updated.class));

        PushOutcome outcome = on(store, Layout.B, 2).push(DB, Concern.HEAD, value(5, "x"), value(6, "same"));

        assertThat(outcome)
                .as("the same value, but by somebody else's push")
                .isEqualTo(new PushOutcome.Conflict(value(6, "same")));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void creations_retractions_restorations_and_purges_survive_lost_replies(Layout layout) {
        for (StoreOperation operation : List.of(StoreOperation.PUT_IF_ABSENT, StoreOperation.PUT_IF_MATCH)) {
            for (int nth = 1; nth <= 12; nth++) {
                for (Fault fault : List.of(new Fault.LoseReply(), new Fault.LoseRequest())) {
                    ObjectStore fresh = ObjectStores.open("memory:", new SettableClock());
                    Nameservice names =
                            on(new FaultyObjectStore(fresh, FaultPlan.at(operation, nth, fault)), layout, 2);

                    assertThat(names.create(NewRecord.ledger(DB))).isInstanceOf(CreateOutcome.Created.class);
                    assertThat(names.retract(DB, "")).isInstanceOf(LifecycleOutcome.Changed.class);
                    assertThat(names.restore(DB)).isInstanceOf(LifecycleOutcome.Changed.class);
                    assertThat(names.concern(DB, Concern.STATUS).orElseThrow().watermark())
                            .isEqualTo(3);
                    assertThat(names.retract(DB, "")).isInstanceOf(LifecycleOutcome.Changed.class);
                    assertThat(names.purge(DB)).isEqualTo(new PurgeOutcome.Purged());
                    assertThat(names.create(NewRecord.ledger(DB))).isInstanceOf(CreateOutcome.Created.class);
                }
            }
        }
    }

    private static Nameservice on(ObjectStore store, Layout layout, long seed) {
        return new ObjectNameservice(store, layout, new SettableClock(), new SplittableRandom(seed), Runnable::run);
    }

    private static void fill(Nameservice names) {
        names.create(NewRecord.ledger(DB));
        for (Concern concern : Concern.values()) {
            names.push(DB, concern, names.concern(DB, concern).orElseThrow(), value(5, "x"));
        }
    }

    private static ConcernValue value(long watermark, String text) {
        return ConcernValue.of(watermark, Map.of("state", "ready", "t", watermark, "text", text));
    }

    private static PutOutcome unknown() {
        return new PutOutcome.Unknown(
                new OntologiaException(ErrorKind.UNKNOWN_OUTCOME, "the reply is lost", "so the test wants it", ""));
    }

    /** Its first conditional write lands, then somebody does something, and then the reply is lost. */
    private static final class MeddlingStore extends ForwardingObjectStore {
        private final Runnable meddle;
        private boolean done;

        MeddlingStore(ObjectStore target, Runnable meddle) {
            super(target);
            this.meddle = meddle;
        }

        @Override
        public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
            PutOutcome outcome = super.putIfMatch(key, payload, expected);
            if (done) {
                return outcome;
            }
            done = true;
            meddle.run();
            return unknown();
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }
    }

    /** Its first conditional write is lost, and somebody does something meanwhile. */
    private static final class LosingStore extends ForwardingObjectStore {
        private final Runnable meddle;
        private boolean done;

        LosingStore(ObjectStore target, Runnable meddle) {
            super(target);
            this.meddle = meddle;
        }

        @Override
        public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
            if (done) {
                return super.putIfMatch(key, payload, expected);
            }
            done = true;
            meddle.run();
            return unknown();
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }
    }
}
