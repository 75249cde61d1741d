package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.AcquireOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.LeaseLock;
import io.ontologia.objectstore.LeaseOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Other processes take the write lock and give it back, each time just before we would have had it. */
class ContendedLockTest {
    private static final String LOCK = "meta/locks/ontology_write.json";
    private static final EntityType NOTE = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);

    /** Lets somebody else be faster with the lock, a number of times. */
    private final class Faster extends ForwardingObjectStore {
        private int timesLeft;

        Faster(int times) {
            super(server);
            this.timesLeft = times;
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }

        @Override
        public PutOutcome putIfAbsent(String key, Payload payload) {
            othersFirst(key);
            return super.putIfAbsent(key, payload);
        }

        @Override
        public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
            othersFirst(key);
            return super.putIfMatch(key, payload, expected);
        }

        private void othersFirst(String key) {
            if (key.equals(LOCK) && timesLeft-- > 0) {
                LeaseLock lock =
                        new LeaseLock(server, LOCK, clock, new SplittableRandom(timesLeft), LeaseOptions.defaults());
                ((AcquireOutcome.Acquired) lock.acquire("other")).lease().release();
            }
        }
    }

    @Test
    void who_loses_the_lock_to_passers_by_waits_for_it_as_long_as_it_may() {
        StorageOptions storage = StorageOptions.defaults().clock(clock);
        SessionOptions options = SessionOptions.defaults().storage(storage);
        Ontologia.open(TestStoreProvider.uriOf(server), options, Model.of(NOTE)).close();

        try (Session session = Ontologia.open(TestStoreProvider.uriOf(new Faster(6)), options, Model.of(NOTE))) {
            session.ensure(new Row.OfEntity("Note", "a", Map.of()));

            assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
        }
    }
}
