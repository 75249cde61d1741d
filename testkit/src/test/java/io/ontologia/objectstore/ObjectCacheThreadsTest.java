package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads on one cache. */
@Timeout(60)
class ObjectCacheThreadsTest extends CacheFixture {
    private static final int THREADS = 16;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Object> results = Collections.synchronizedList(new ArrayList<>());

    private volatile boolean over;

    @AfterEach
    void end_threads_that_still_wait_for_others() {
        over = true;
    }

    @Test
    void however_many_ask_at_once_an_object_is_downloaded_once() throws Exception {
        ObjectCache cache = cache();
        put("a", 300);
        ObjectStore slow = waitingForAll(THREADS - 1);

        for (int i = 0; i < THREADS; i++) {
            start(() -> cache.open(slow, "a", Expected.anything()));
        }
        join();

        assertThat(results)
                .hasSize(THREADS)
                .allSatisfy(result -> assertThat(result)
                        .isInstanceOfSatisfying(
                                CachedObject.class,
                                object -> assertThat(object.path()).hasBinaryContent(content("a"))));
        assertThat(store.downloads("a")).isEqualTo(1);
        assertThat(cache.stats().hits()).isEqualTo(THREADS - 1);
        results.forEach(result -> ((CachedObject) result).close());
    }

    @Test
    void an_object_larger_than_the_bound_is_downloaded_once_too() throws Exception {
        ObjectCache cache = cache();
        put("a", 5000);
        ObjectStore slow = waitingForAll(THREADS - 1);

        for (int i = 0; i < THREADS; i++) {
            start(() -> cache.open(slow, "a", Expected.anything()));
        }
        join();

        assertThat(store.downloads("a")).isEqualTo(1);
        results.forEach(result -> ((CachedObject) result).close());
    }

    @Test
    void a_download_that_fails_fails_for_all_who_wait_and_is_not_remembered() throws Exception {
        ObjectCache cache = cache();
        put("a", 300);
        ObjectStore failing = new DelegatingStore(waitingForAll(3)) {
            @Override
            public Optional<ObjectSummary> download(String key, Path target) {
                super.download(key, target);
                throw new OntologiaException(ErrorKind.UNAVAILABLE, "cannot read", "the network is down", "");
            }
        };

        for (int i = 0; i < 4; i++) {
            start(() -> cache.open(failing, "a", Expected.anything()));
        }
        join();

        assertThat(results)
                .hasSize(4)
                .allSatisfy(result -> assertThat(result)
                        .isInstanceOfSatisfying(
                                OntologiaException.class,
                                e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE)));
        assertThat(store.downloads("a")).isEqualTo(1);
        assertOpens(cache, "a");
    }

    @Test
    void whoever_expects_something_else_is_not_failed_by_the_expectation_of_another() throws Exception {
        ObjectCache cache = cache();
        put("a", 300);
        CountDownLatch downloading = new CountDownLatch(1);
        ObjectStore slow = new DelegatingStore(waitingForAll(1)) {
            @Override
            public Optional<ObjectSummary> download(String key, Path target) {
                downloading.countDown();
                return super.download(key, target);
            }
        };

        start(() -> cache.open(slow, "a", Expected.anything().sha256(Sha256.hex("something else"))));
        downloading.await();
        start(() -> cache.open(store, "a", Expected.anything()));
        join();

        assertThat(results).hasSize(2).hasAtLeastOneElementOfType(OntologiaException.class);
        results.stream().filter(CachedObject.class::isInstance).forEach(result -> {
            assertThat(((CachedObject) result).path()).hasBinaryContent(content("a"));
            ((CachedObject) result).close();
        });
        assertThat(results).hasAtLeastOneElementOfType(CachedObject.class);
    }

    @Test
    void an_interrupted_thread_stops_waiting_and_the_download_goes_on() throws Exception {
        ObjectCache cache = cache();
        put("a", 300);
        CountDownLatch downloading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ObjectStore slow = new DelegatingStore(store) {
            @Override
            public Optional<ObjectSummary> download(String key, Path target) {
                downloading.countDown();
                await(goOn);
                return super.download(key, target);
            }
        };
        start(() -> cache.open(slow, "a", Expected.anything()));
        downloading.await();
        Thread impatient = start(() -> cache.open(slow, "a", Expected.anything()));

        impatient.interrupt();
        impatient.join();
        goOn.countDown();
        join();

        assertThat(results.get(0))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CLOSED));
        assertThat(results.get(1)).isInstanceOf(CachedObject.class);
        ((CachedObject) results.get(1)).close();
    }

    @Test
    void every_read_is_right_while_threads_of_two_caches_evict_from_one_folder() throws Exception {
        List<ObjectCache> caches = List.of(cache(), cache());
        for (int i = 0; i < 12; i++) {
            put("k" + i, 100 + 30 * i);
        }
        AtomicInteger right = new AtomicInteger();

        for (int i = 0; i < 4; i++) {
            SplittableRandom random = new SplittableRandom(i);
            ObjectCache cache = caches.get(i % 2);
            start(() -> {
                for (int n = 0; n < 50; n++) {
                    String key = "k" + random.nextInt(12);
                    try (CachedObject object = cache.open(store, key, Expected.anything())) {
                        assertThat(object.path()).hasBinaryContent(content(key));
                        right.incrementAndGet();
                    }
                }
                return "done";
            });
        }
        join();

        assertThat(results).containsOnly("done");
        assertThat(right).hasValue(200);
        assertThat(caches.get(0).stats().bytes()).isLessThanOrEqualTo(BOUND);
    }

    private Thread start(Supplier<Object> work) {
        Thread thread = new Thread(() -> {
            try {
                results.add(work.get());
            } catch (RuntimeException | AssertionError e) {
                results.add(e);
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return thread;
    }

    private void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** A store whose downloads end only when so many of the started threads wait. */
    private ObjectStore waitingForAll(int count) {
        return new DelegatingStore(store) {
            @Override
            public Optional<ObjectSummary> download(String key, Path target) {
                while (!over && (threads.size() <= count || waiting() < count)) {
                    Thread.onSpinWait();
                }
                return super.download(key, target);
            }
        };
    }

    private long waiting() {
        return threads.stream()
                .filter(thread -> thread.getState() == Thread.State.WAITING)
                .count();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
