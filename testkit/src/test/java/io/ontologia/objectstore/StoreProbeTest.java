package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.StoreCapabilities.ConditionalDelete;
import io.ontologia.testkit.CountingObjectStore;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoreProbeTest {
    private final ObjectStore memory = ObjectStores.open("memory:");
    private final Thread test = Thread.currentThread();

    @AfterEach
    void nothing_is_left_behind() {
        assertThat(memory.list(ListRequest.of("")).objects()).isEmpty();
    }

    @Test
    void a_store_that_enforces_every_condition_passes() {
        StoreCapabilities capabilities = probe(memory);

        assertThat(capabilities.conditionalDelete()).isEqualTo(ConditionalDelete.ENFORCED);
        assertThat(capabilities.releaseStyle()).isEqualTo(ReleaseStyle.EXPIRE_AND_DELETE);
    }

    @Test
    void a_probe_takes_a_few_hundred_requests_at_most() {
        CountingObjectStore counting = new CountingObjectStore(memory);

        probe(counting);

        assertThat(counting.total()).isBetween(100, 400);
    }

    @Test
    void a_store_that_ignores_if_none_match_is_refused() {
        assertRefused("ignores If-None-Match on PUT", new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfAbsent(String key, Payload payload) {
                return new PutOutcome.Written(put(key, payload));
            }
        });
    }

    @Test
    void a_store_that_ignores_if_match_is_refused() {
        assertRefused("ignores If-Match on PUT", new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                return new PutOutcome.Written(put(key, payload));
            }
        });
    }

    @Test
    void a_store_that_says_refused_and_writes_anyway_is_refused() {
        assertRefused("ignores If-Match on PUT", new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                PutOutcome outcome = super.putIfMatch(key, payload, expected);
                if (outcome instanceof PutOutcome.Refused) {
                    put(key, payload);
                }
                return outcome;
            }
        });
    }

    @Test
    void a_store_that_refuses_the_current_version_is_refused() {
        assertRefused("refuses If-Match with the current ETag", new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                return new PutOutcome.Refused();
            }
        });
    }

    @Test
    void a_store_that_checks_if_none_match_before_it_writes_is_refused() {
        assertRefused("If-None-Match on PUT, but not when several writers come at once", new DelegatingStore(memory) {
            private final CyclicBarrier allChecked = new CyclicBarrier(8);

            @Override
            public PutOutcome putIfAbsent(String key, Payload payload) {
                boolean absent = get(key).isEmpty();
                awaitInRace(allChecked);
                return absent ? new PutOutcome.Written(put(key, payload)) : new PutOutcome.Refused();
            }
        });
    }

    @Test
    void a_store_that_checks_if_match_before_it_writes_is_refused() {
        assertRefused("If-Match on PUT, but not when several writers come at once", new DelegatingStore(memory) {
            private final CyclicBarrier allChecked = new CyclicBarrier(8);

            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                boolean matches =
                        get(key).filter(o -> o.etag().equals(expected)).isPresent();
                awaitInRace(allChecked);
                return matches ? new PutOutcome.Written(put(key, payload)) : new PutOutcome.Refused();
            }
        });
    }

    @Test
    void a_store_to_which_deleting_what_is_gone_is_a_success_enforces_conditional_deletes() {
        StoreCapabilities capabilities = probe(new DelegatingStore(memory) {
            @Override
            public DeleteOutcome deleteIfMatch(String key, ETag expected) {
                DeleteOutcome outcome = super.deleteIfMatch(key, expected);
                return get(key).isPresent() ? outcome : new DeleteOutcome.Deleted();
            }
        });

        assertThat(capabilities.conditionalDelete()).isEqualTo(ConditionalDelete.ENFORCED);
    }

    @Test
    void a_store_that_ignores_the_condition_of_deletes_passes_but_they_must_not_be_used() {
        StoreCapabilities capabilities = probe(new DelegatingStore(memory) {
            @Override
            public DeleteOutcome deleteIfMatch(String key, ETag expected) {
                delete(key);
                return new DeleteOutcome.Deleted();
            }
        });

        assertThat(capabilities.conditionalDelete()).isEqualTo(ConditionalDelete.IGNORED);
        assertThat(capabilities.releaseStyle()).isEqualTo(ReleaseStyle.EXPIRE);
    }

    @Test
    void a_store_that_knows_no_conditional_deletes_passes_but_they_must_not_be_used() {
        StoreCapabilities capabilities = probe(new DelegatingStore(memory) {
            @Override
            public DeleteOutcome deleteIfMatch(String key, ETag expected) {
                throw new OntologiaException(ErrorKind.UNAVAILABLE, "cannot delete", "not implemented", "");
            }
        });

        assertThat(capabilities.conditionalDelete()).isEqualTo(ConditionalDelete.IGNORED);
    }

    @Test
    void a_store_that_checks_the_condition_of_a_delete_before_it_deletes_passes_but_they_must_not_be_used() {
        Map<String, CountDownLatch> replaced = new ConcurrentHashMap<>();
        StoreCapabilities capabilities = probe(new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                PutOutcome outcome = super.putIfMatch(key, payload, expected);
                replaced.computeIfAbsent(key, k -> new CountDownLatch(1)).countDown();
                return outcome;
            }

            @Override
            public DeleteOutcome deleteIfMatch(String key, ETag expected) {
                if (Thread.currentThread() == test) {
                    return super.deleteIfMatch(key, expected);
                }
                await(replaced.computeIfAbsent(key, k -> new CountDownLatch(1)));
                delete(key);
                return new DeleteOutcome.Deleted();
            }
        });

        assertThat(capabilities.conditionalDelete()).isEqualTo(ConditionalDelete.IGNORED);
    }

    @Test
    void lost_replies_in_a_race_prove_nothing_against_a_store() {
        StoreCapabilities capabilities = probe(new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                PutOutcome outcome = super.putIfMatch(key, payload, expected);
                return Thread.currentThread() == test ? outcome : new PutOutcome.Unknown(lostReply());
            }
        });

        assertThat(capabilities.conditionalDelete()).isEqualTo(ConditionalDelete.ENFORCED);
    }

    @Test
    void a_store_that_cannot_be_reached_is_reported_as_such() {
        ObjectStore unreachable = new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfAbsent(String key, Payload payload) {
                return new PutOutcome.Unknown(lostReply());
            }
        };

        assertThatThrownBy(() -> probe(unreachable))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
    }

    private static StoreCapabilities probe(ObjectStore store) {
        return StoreProbe.check(store, new SplittableRandom(7));
    }

    private static void assertRefused(String cause, ObjectStore store) {
        assertThatThrownBy(() -> probe(store))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageStartingWith("cannot use the store memory:")
                .hasMessageContaining(cause)
                .hasMessageContaining("use a server that enforces conditional writes");
    }

    private static OntologiaException lostReply() {
        return new OntologiaException(ErrorKind.UNKNOWN_OUTCOME, "a write got no reply", "the connection broke", "");
    }

    private void awaitInRace(CyclicBarrier barrier) {
        if (Thread.currentThread() != test) {
            try {
                barrier.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
