package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who asks for several events, and the store fails while they are claimed, gets those that were. */
class PartlyClaimedTest {

    /** Cannot be reached for claims whose key has a certain part. */
    private static final class Failing extends ForwardingObjectStore {
        private String failing = "";

        Failing(ObjectStore target) {
            super(target);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }

        @Override
        public PutOutcome putIfAbsent(String key, Payload payload) {
            if (key.startsWith("claims/") && !failing.isEmpty() && key.contains(failing)) {
                throw new OntologiaException(ErrorKind.UNAVAILABLE, "cannot write", "the network is down", "wait");
            }
            return super.putIfAbsent(key, payload);
        }
    }

    private final SettableClock clock = new SettableClock();
    private final Failing store = new Failing(ObjectStores.open("memory:", clock));
    private final Session session = Ontologia.openStored(
            TestStoreProvider.uriOf(store),
            SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)));
    private final EventStore bus = session.storage().events(EventOptions.defaults());

    @AfterEach
    void close() {
        session.close();
    }

    private void enqueue(String... ids) {
        bus.enqueue(List.of(ids).stream()
                .map(id -> NewEvent.of("shop", "order", Map.of()).identity(id, clock.now()))
                .toList());
    }

    private List<String> claimed(String... handlers) {
        ClaimRequest request = new ClaimRequest(
                "shop",
                "worker",
                List.of(handlers).stream()
                        .map(handler -> new ClaimRequest.Subscription(handler, Set.of("order"), 10))
                        .toList());
        return bus.claim(request).stream()
                .map(claim -> claim.event().id() + " " + claim.handlerId())
                .toList();
    }

    @Test
    void what_was_claimed_beside_one_that_failed_is_returned_and_only_who_got_nothing_is_told_why() {
        enqueue("a", "b", "c");
        store.failing = "/b/";

        assertThat(claimed("one")).containsExactly("a one", "c one");
        assertThatThrownBy(() -> claimed("one"))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
        store.failing = "";
        assertThat(claimed("one")).containsExactly("b one");
    }

    @Test
    void what_was_claimed_for_a_handler_before_another_one_failed_is_returned() {
        enqueue("a", "b");
        store.failing = "two";

        assertThat(claimed("one", "two", "three")).containsExactly("a one", "b one");
        store.failing = "";
        assertThat(claimed("one", "two", "three")).containsExactly("a two", "b two", "a three", "b three");
    }
}
