package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.testkit.CommitLoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many open a file at the same moment, which none of them has made before. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ManyOpensTest {
    private static final int OPENERS = 200;

    @TempDir
    private Path folder;

    @Test
    void two_hundred_that_open_a_new_file_at_once_all_succeed() throws Exception {
        String uri = "sqlite:///" + folder.resolve("onto.db");
        CyclicBarrier start = new CyclicBarrier(OPENERS);
        ExecutorService threads = Executors.newFixedThreadPool(OPENERS);
        try {
            List<Future<Long>> opened = new ArrayList<>();
            for (int i = 0; i < OPENERS; i++) {
                opened.add(threads.submit(() -> {
                    start.await();
                    try (Session session = CommitLoop.open(uri, Map.of())) {
                        return session.entities(CommitLoop.Counter.class).count();
                    }
                }));
            }

            for (Future<Long> open : opened) {
                assertThat(open.get()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
        try (Session session = Ontologia.open(uri, CommitLoop.Counter.class, CommitLoop.Last.class)) {
            session.ensure(new CommitLoop.Counter("a", "a", 1));
            session.commit();
        }
    }
}
