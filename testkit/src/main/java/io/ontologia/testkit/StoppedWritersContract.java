package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes commit to one store. The clock of one is four minutes ahead, that of another four minutes behind. At random
 * points one of them is stopped as {@code kill -STOP} does, for longer than its lock lasts, and continued, or it is killed and
 * started again. {@code -Dontologia.stop.times=100} sets how often.
 */
public abstract class StoppedWritersContract {
    private static final int WRITERS = 3;
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration SKEW = Duration.ofMinutes(4);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** A writer says something; events of one writer come in the order in which it said them. */
    private record Event(int writer, String line) {}

    /** For whatever the test and its processes keep on disk. */
    @TempDir
    protected Path folder;

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<CommitLoopCheck.Ack> acks = new ArrayList<>();
    private final Map<Integer, ChildJvm> writers = new HashMap<>();
    private final int[] lines = new int[WRITERS];

    /** The URI of a store that is not there yet. */
    protected abstract String newStore();

    /** How to reach it. */
    protected Map<String, String> settings() {
        return Map.of();
    }

    @Test
    void a_writer_that_is_stopped_for_longer_than_its_lock_lasts_loses_nothing_and_repeats_nothing() {
        long times = Long.getLong("ontologia.stop.times", 2);
        Seeds.forEach("stopped writers", 1, random -> {
            String uri = newStore();
            try {
                for (int writer = 0; writer < WRITERS; writer++) {
                    start(writer, uri);
                }
                for (int writer = 0; writer < WRITERS; writer++) {
                    awaitLine(writer);
                }
                for (long i = 0; i < times; i++) {
                    disturb(random, uri);
                }
                for (ChildJvm writer : writers.values()) {
                    assertThat(writer.isAlive()).as("no writer has failed").isTrue();
                    writer.kill();
                }
            } finally {
                writers.values().forEach(ChildJvm::close);
            }
            List<Event> rest = new ArrayList<>();
            events.drainTo(rest);
            rest.forEach(this::heard);

            long commits = CommitLoopCheck.check(uri, settings(), acks);
            System.out.printf(
                    "%d times stopped or killed; %d commits, %d of them acknowledged%n", times, commits, acks.size());
        });
    }

    private void disturb(RandomGenerator random, String uri) throws Exception {
        int writer = random.nextInt(WRITERS);
        ChildJvm process = Objects.requireNonNull(writers.get(writer));
        awaitLine(writer);
        if (random.nextInt(5) == 0) {
            process.kill();
            start(writer, uri);
        } else {
            process.pause();
            awaitLeaseOver(writer);
            process.resume();
        }
        awaitLine(writer);
        awaitAck();
    }

    private void start(int writer, String uri) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(uri, "writer" + writer));
        Map<String, String> all = new HashMap<>(settings());
        all.put("cache_dir", folder.resolve("cache" + writer).toString());
        all.put(CommitLoop.STOPPED, "yes");
        all.put(CommitLoop.LEASE_MS, Long.toString(LEASE.toMillis()));
        all.put(CommitLoop.LOCK_TIMEOUT_MS, Long.toString(LEASE.toMillis()));
        all.put(CommitLoop.CLOCK_AHEAD_MS, Long.toString(SKEW.toMillis() * (writer - 1)));
        all.forEach((name, value) -> {
            arguments.add(name);
            arguments.add(value);
        });
        writers.put(
                writer,
                new ChildJvm(
                        CommitLoop.class,
                        "128m",
                        folder,
                        line -> events.add(new Event(writer, line)),
                        arguments.toArray(String[]::new)));
    }

    /** Returns when the lock of a stopped writer is over, and each of the others has said what became of that. */
    private void awaitLeaseOver(int stopped) throws InterruptedException {
        long start = Clock.system().monotonicNanos();
        long end = start + LEASE.toNanos() * 3 / 2;
        for (long left = end - start; left > 0; left = end - Clock.system().monotonicNanos()) {
            hear(left);
        }
        int[] before = lines.clone();
        for (int writer = 0; writer < WRITERS; writer++) {
            while (writer != stopped && lines[writer] == before[writer]) {
                hear(LIMIT.toNanos());
            }
        }
    }

    /** Returns when any of the writers has made another commit. */
    private void awaitAck() throws InterruptedException {
        int before = acks.size();
        long end = Clock.system().monotonicNanos() + LIMIT.toNanos();
        while (acks.size() == before) {
            hear(end - Clock.system().monotonicNanos());
            assertThat(end)
                    .as("a commit after the fault")
                    .isGreaterThan(Clock.system().monotonicNanos());
        }
    }

    /** Returns when a writer has said something: with a clock that is behind, it may be no more than that it has to wait. */
    private void awaitLine(int writer) throws InterruptedException {
        int before = lines[writer];
        long end = Clock.system().monotonicNanos() + LIMIT.toNanos();
        while (lines[writer] == before) {
            hear(end - Clock.system().monotonicNanos());
            assertThat(end)
                    .as("a line of writer %d", writer)
                    .isGreaterThan(Clock.system().monotonicNanos());
        }
    }

    private void hear(long nanos) throws InterruptedException {
        Event event = events.poll(nanos, TimeUnit.NANOSECONDS);
        if (event != null) {
            heard(event);
        }
    }

    private void heard(Event event) {
        lines[event.writer()]++;
        String[] words = event.line().split(" ", -1);
        if (words[0].equals("ack") && words.length == 4) {
            acks.add(new CommitLoopCheck.Ack(
                    Long.parseLong(words[1]), "writer" + event.writer(), Long.parseLong(words[2])));
        }
    }
}
