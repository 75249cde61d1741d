package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.testkit.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads that are open while rows change and are looked up. In a process of its own, because the engine ends the process when
 * this goes wrong.
 */
class ReadersBesideWritersIT {
    private static final int MANY = 100_000;

    @TempDir
    Path folder;

    record Item(@Key String id, long v) implements Entity {}

    @Test
    void a_stream_stays_open_while_rows_change_and_are_looked_up() throws Exception {
        assertEnds("stream");
    }

    @Test
    void many_rows_are_listed_while_others_change_and_are_looked_up() throws Exception {
        assertEnds("list");
    }

    private void assertEnds(String scenario) throws Exception {
        List<String> lines = new ArrayList<>();
        try (ChildJvm child = new ChildJvm(
                Scenario.class,
                "512m",
                folder,
                lines::add,
                scenario,
                folder.resolve("cache").toString())) {
            assertThat(child.await()).isZero();
        }
        assertThat(lines).contains("done");
    }

    /** What the process does. */
    static final class Scenario {
        public static void main(String[] arguments) throws Exception {
            SessionOptions options = SessionOptions.defaults()
                    .maxBatchSize(MANY)
                    .storage(StorageOptions.defaults().settings(Map.of("cache_dir", arguments[1])));
            if (arguments[0].equals("stream")) {
                stream(options);
            } else {
                list(options);
            }
            System.out.println("done");
        }

        private static void stream(SessionOptions options) {
            try (Session session = Ontologia.open("memory:", options, Item.class)) {
                change(session, "a", 0);
                change(session, "b", 0);
                try (Stream<Item> open = session.entities(Item.class).stream()) {
                    for (int i = 1; i <= 4; i++) {
                        change(session, "a", i);
                    }
                    if (open.mapToLong(Item::v).sum() != 0) {
                        throw new AssertionError("the stream saw a change that was made after it was opened");
                    }
                }
            }
        }

        private static void list(SessionOptions options) throws InterruptedException {
            try (Session session = Ontologia.open("memory:list", options, Item.class)) {
                session.ensureAll(IntStream.range(0, MANY).mapToObj(i -> new Item("k" + i, 0)));
                session.commit();
                AtomicBoolean stop = new AtomicBoolean();
                CountDownLatch reading = new CountDownLatch(1);
                List<Throwable> failures = new ArrayList<>();
                Thread reader = new Thread(() -> read(options, reading, stop));
                reader.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
                reader.start();
                reading.await();
                for (int i = 1; i <= 60; i++) {
                    change(session, "k" + i % 3, i);
                }
                stop.set(true);
                reader.join();
                if (!failures.isEmpty()) {
                    throw new AssertionError(failures.get(0));
                }
            }
        }

        private static void read(SessionOptions options, CountDownLatch reading, AtomicBoolean stop) {
            try (Session session = Ontologia.open("memory:list", options, Item.class)) {
                while (!stop.get()) {
                    if (session.entities(Item.class).list().size() != MANY) {
                        throw new AssertionError("rows are missing");
                    }
                    reading.countDown();
                }
            }
        }

        private static void change(Session session, String key, long value) {
            session.ensure(new Item(key, value));
            session.commit();
            if (session.find(Item.class, key).orElseThrow().v() != value) {
                throw new AssertionError("'" + key + "' is not found as it was committed");
            }
        }
    }
}
