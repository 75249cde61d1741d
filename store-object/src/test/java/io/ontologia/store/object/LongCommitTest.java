package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.store.object.internal.OpenStores;
import io.ontologia.store.object.internal.Threads;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Big commits over slow lines take longer than a lock lasts unless it is renewed. */
class LongCommitTest {
    private static final Duration LEASE = Duration.ofMillis(1_500);
    private static final int RENEWALS = 4;
    private static final EntityType NOTE = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");

    /** Data files take until the lock was written several times: renewed, or given back. */
    private static final class SlowFiles extends ForwardingObjectStore {
        private final CountDownLatch renewals = new CountDownLatch(RENEWALS);

        SlowFiles(ObjectStore target) {
            super(target);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }

        @Override
        public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
            PutOutcome outcome = super.putIfMatch(key, payload, expected);
            if (key.startsWith("meta/locks/")) {
                renewals.countDown();
            }
            return outcome;
        }

        @Override
        public ETag put(String key, Payload payload) {
            if (key.endsWith(".parquet")) {
                try {
                    assertThat(renewals.await(20, TimeUnit.SECONDS))
                            .as("the lock was renewed again and again")
                            .isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return super.put(key, payload);
        }
    }

    @Test
    void a_commit_keeps_its_lock_however_long_its_files_take() {
        StorageOptions defaults = StorageOptions.defaults();
        StorageOptions options = new StorageOptions(
                StorageOptions.Mode.READ_WRITE,
                defaults.durability(),
                Duration.ofSeconds(5),
                LEASE,
                defaults.clock(),
                new SplittableRandom(1),
                Map.of());
        TypeRef type = NOTE.ref();
        CommitRequest request = new CommitRequest(
                List.of(new DesiredRow(type, new Identity.OfEntity("a"), "{\"id\":\"a\"}")),
                Map.of(),
                Map.of(type, 1L),
                "writer",
                (unused, stored, wanted) -> stored.equals(wanted));

        try (Storage storage =
                OpenStores.open(new SlowFiles(ObjectStores.open("memory:")), options, Threads.background())) {
            storage.register(List.of(NOTE), "writer");

            assertThat(storage.commit(request)).isInstanceOf(CommitResult.Committed.class);
        }
    }
}
