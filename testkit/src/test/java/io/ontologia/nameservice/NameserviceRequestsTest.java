package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.CountingObjectStore;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.StoreOperation;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What calls cost in requests. */
class NameserviceRequestsTest {
    private static final Alias DB = Alias.parse("mydb");

    private final String uri = "memory:" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_lookup_is_one_request_for_each_object(Layout layout) {
        create(layout);
        CountingObjectStore counter = counter();
        Nameservice names = on(counter, layout);

        names.lookup(DB);
        int first = counter.total();
        names.lookup(DB);

        assertThat(first).isEqualTo(objects(layout));
        assertThat(counter.total()).isEqualTo(2 * objects(layout));
        assertThat(counter.count(StoreOperation.GET)).isEqualTo(counter.total());
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_lookup_sends_its_requests_at_the_same_time(Layout layout) {
        create(layout);
        MeetingStore store = new MeetingStore(ObjectStores.open(uri), objects(layout));

        assertThat(on(store, layout).lookup(DB)).isPresent();

        assertThat(store.met()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_push_on_what_this_client_wrote_or_read_is_one_conditional_write(Layout layout) {
        CountingObjectStore counter = counter();
        Nameservice names = on(counter, layout);
        NameRecord record = ((CreateOutcome.Created) names.create(NewRecord.ledger(DB))).record();
        for (Concern concern : Concern.values()) {
            ConcernValue current = record.concern(concern);
            for (int i = 0; i < 3; i++) {
                counter.reset();
                current = push(names, concern, current);

                assertThat(counter.counts()).isEqualTo(requests(layout, concern, 0));
            }
        }
        CountingObjectStore other = counter();
        Nameservice reader = on(other, layout);
        NameRecord read = reader.lookup(DB).orElseThrow();
        for (Concern concern : Concern.values()) {
            other.reset();
            push(reader, concern, read.concern(concern));

            assertThat(other.counts()).isEqualTo(requests(layout, concern, 0));
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_push_by_a_client_that_knows_nothing_reads_first(Layout layout) {
        Nameservice first = on(ObjectStores.open(uri), layout);
        NameRecord record = ((CreateOutcome.Created) first.create(NewRecord.ledger(DB))).record();
        for (Concern concern : Concern.values()) {
            ConcernValue current = push(first, concern, record.concern(concern));
            CountingObjectStore counter = counter();

            push(on(counter, layout), concern, current);

            assertThat(counter.counts()).isEqualTo(requests(layout, concern, 1));
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void one_concern_is_read_from_its_object_and_the_one_that_says_whether_the_record_exists(Layout layout) {
        Nameservice first = on(ObjectStores.open(uri), layout);
        NameRecord record = ((CreateOutcome.Created) first.create(NewRecord.ledger(DB))).record();
        for (Concern concern : Concern.values()) {
            push(first, concern, record.concern(concern));
            CountingObjectStore counter = counter();

            assertThat(on(counter, layout).concern(DB, concern)).isPresent();

            assertThat(counter.counts()).isEqualTo(Map.of(StoreOperation.GET, hasOwnObject(layout, concern) ? 2 : 1));
        }
    }

    @Test
    void pushes_to_different_concerns_in_layout_c_never_meet() {
        create(Layout.C);
        CountingObjectStore one = counter();
        CountingObjectStore two = counter();
        Nameservice transactor = on(one, Layout.C);
        Nameservice indexer = on(two, Layout.C);
        ConcernValue head = push(transactor, Concern.HEAD, ConcernValue.unborn());
        ConcernValue index = push(indexer, Concern.INDEX, ConcernValue.unborn());
        one.reset();
        two.reset();

        for (int i = 0; i < 10; i++) {
            head = push(transactor, Concern.HEAD, head);
            index = push(indexer, Concern.INDEX, index);
        }

        Map<StoreOperation, Integer> expected = Map.of(StoreOperation.GET, 10, StoreOperation.PUT_IF_MATCH, 10);
        assertThat(one.counts()).isEqualTo(expected);
        assertThat(two.counts()).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_listing_reads_each_object_once_and_many_at_a_time(Layout layout) {
        Nameservice names = on(ObjectStores.open(uri), layout);
        for (int i = 0; i < 10; i++) {
            names.create(NewRecord.ledger(Alias.parse("db" + i)));
        }
        CountingObjectStore counter = counter();
        MeetingStore store = new MeetingStore(counter, 8);

        assertThat(on(store, layout).list(NameQuery.all()).records()).hasSize(10);

        assertThat(counter.counts())
                .isEqualTo(Map.of(StoreOperation.LIST, 1, StoreOperation.GET, 10 * objects(layout)));
        assertThat(store.met()).isTrue();
    }

    private void create(Layout layout) {
        on(ObjectStores.open(uri), layout).create(NewRecord.ledger(DB));
    }

    private CountingObjectStore counter() {
        return new CountingObjectStore(ObjectStores.open(uri));
    }

    private static Nameservice on(ObjectStore store, Layout layout) {
        return Nameservices.on(store, layout, NameserviceOptions.defaults());
    }

    private static ConcernValue push(Nameservice names, Concern concern, ConcernValue current) {
        ConcernValue next = current.next(ConcernPayload.of(Map.of("state", "ready", "x", current.watermark())));
        assertThat(names.push(DB, concern, current, next)).isEqualTo(new PushOutcome.Updated(next));
        return next;
    }

    /** The requests of a push: the write, reads of what is not known, and a look at whether the record is still active. */
    private static Map<StoreOperation, Integer> requests(Layout layout, Concern concern, int unknown) {
        int reads = unknown + (hasOwnObject(layout, concern) ? 1 : 0);
        return reads == 0
                ? Map.of(StoreOperation.PUT_IF_MATCH, 1)
                : Map.of(StoreOperation.GET, reads, StoreOperation.PUT_IF_MATCH, 1);
    }

    private static boolean hasOwnObject(Layout layout, Concern concern) {
        return switch (layout) {
            case A -> false;
            case B -> concern == Concern.INDEX;
            case C -> concern != Concern.STATUS;
        };
    }

    private static int objects(Layout layout) {
        return switch (layout) {
            case A -> 1;
            case B -> 2;
            case C -> 4;
        };
    }

    /** Lets reads wait for each other until so many are under way at once. */
    private static final class MeetingStore extends ForwardingObjectStore {
        private final CountDownLatch together;

        MeetingStore(ObjectStore target, int together) {
            super(target);
            this.together = new CountDownLatch(together);
        }

        boolean met() {
            return together.getCount() == 0;
        }

        @Override
        public GetOutcome get(String key, GetOptions options) {
            together.countDown();
            try {
                assertThat(together.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return super.get(key, options);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }
    }
}
