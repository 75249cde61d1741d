package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.CommitLoop.Counter;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A server without space refuses every write, for longer or shorter than a lock lasts, and has space again later. */
class FullStoreTest {
    private static final int SEEDS = Integer.getInteger("ontologia.full.seeds", 40);

    private final SettableClock clock = new SettableClock();

    /** A store that can be full. Certainly nothing is written then. */
    private static final class Full extends ForwardingObjectStore {
        boolean full;

        Full(ObjectStore store) {
            super(store);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            if (full
                    && (operation == StoreOperation.PUT
                            || operation == StoreOperation.PUT_IF_ABSENT
                            || operation == StoreOperation.PUT_IF_MATCH)) {
                throw new OntologiaException(
                        ErrorKind.UNAVAILABLE, "cannot store an object", "no space is left", "free some space");
            }
            return request.get();
        }
    }

    @Test
    void the_first_commit_after_a_full_server_has_space_again_succeeds() {
        Seeds.forEach("full server", SEEDS, random -> {
            Full store = new Full(ObjectStores.open("memory:", clock));
            try (Session one = open(TestStoreProvider.uriOf(store));
                    Session same = open(TestStoreProvider.uriOf(store))) {
                long number = 0;
                for (int round = 0; round < 3; round++) {
                    commit(one, ++number);
                    store.full = true;
                    for (int i = random.nextInt(1, 4); i > 0; i--) {
                        pass(random);
                        long next = number + 1;
                        assertThatThrownBy(() -> commit(one, next))
                                .isInstanceOfSatisfying(
                                        OntologiaException.class,
                                        e -> assertThat(e.kind()).as("%s", e).isEqualTo(ErrorKind.UNAVAILABLE));
                        one.discard();
                        assertThat(read(one)).isEqualTo(number);
                    }
                    pass(random);
                    store.full = false;
                    commit(one, ++number);
                    assertThat(read(one)).isEqualTo(number);
                    assertThat(read(same)).isEqualTo(number);
                }
            }
        });
    }

    /** Up to 40 seconds: a lock lasts 30. */
    private void pass(RandomGenerator random) {
        clock.advance(Duration.ofMillis(random.nextInt(40_000)));
    }

    private Session open(String uri) {
        return Ontologia.open(
                uri, SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)), Counter.class);
    }

    private static void commit(Session session, long number) {
        session.ensure(new Counter("shared", "a", number));
        assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
    }

    private static long read(Session session) {
        return session.find(Counter.class, "shared").map(Counter::value).orElse(0L);
    }
}
