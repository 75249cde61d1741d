package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CountingObjectStoreTest {
    @Test
    void every_operation_is_counted_under_its_own_name() {
        CountingObjectStore store = new CountingObjectStore(ObjectStores.open("memory:"));

        ETag etag = store.put("k", Payload.of("1"));
        store.putIfMatch("k", Payload.of("2"), etag);
        store.putIfAbsent("k", Payload.of("3"));
        store.get("k");
        store.get("missing");
        store.list(ListRequest.of(""));
        store.deleteIfMatch("k", etag);
        store.delete("k");
        store.deleteAll(List.of("k", "l"));

        assertThat(store.counts())
                .isEqualTo(Map.of(
                        StoreOperation.PUT, 1,
                        StoreOperation.PUT_IF_MATCH, 1,
                        StoreOperation.PUT_IF_ABSENT, 1,
                        StoreOperation.GET, 2,
                        StoreOperation.LIST, 1,
                        StoreOperation.DELETE_IF_MATCH, 1,
                        StoreOperation.DELETE, 1,
                        StoreOperation.DELETE_ALL, 1));
        assertThat(store.total()).isEqualTo(9);
        assertThat(store.count(StoreOperation.GET)).isEqualTo(2);
        assertThat(store.count(StoreOperation.DOWNLOAD)).isZero();
    }

    @Test
    void requests_one_after_the_other_are_a_wave_each() {
        CountingObjectStore store = new CountingObjectStore(ObjectStores.open("memory:"));

        store.put("a", Payload.of("1"));
        store.get("a");
        assertThatThrownBy(() -> store.get("bad//key")).isInstanceOf(OntologiaException.class);
        store.get("a");

        assertThat(store.waves()).isEqualTo(4);
    }

    @Test
    void requests_in_flight_together_are_one_wave() {
        CountingObjectStore store =
                new CountingObjectStore(new MeetingObjectStore(ObjectStores.open("memory:"), new CyclicBarrier(4)));

        try (Racers racers = new Racers(4)) {
            racers.race(n -> store.put("k" + n, Payload.of("x")));
            racers.race(n -> store.get("k" + n));
        }

        assertThat(store.total()).isEqualTo(8);
        assertThat(store.waves()).isEqualTo(2);
    }

    @Test
    void counting_can_start_anew() {
        CountingObjectStore store = new CountingObjectStore(ObjectStores.open("memory:"));
        store.get("a");

        store.reset();
        store.get("a");

        assertThat(store.total()).isEqualTo(1);
        assertThat(store.waves()).isEqualTo(1);
    }

    /** Holds requests until so many are in flight. */
    private static final class MeetingObjectStore extends ForwardingObjectStore {
        private final CyclicBarrier meeting;

        MeetingObjectStore(ObjectStore target, CyclicBarrier meeting) {
            super(target);
            this.meeting = meeting;
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            try {
                meeting.await(1, TimeUnit.MINUTES);
                T reply = request.get();
                meeting.await(1, TimeUnit.MINUTES);
                return reply;
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new AssertionError("the requests did not meet", e);
            }
        }
    }
}
