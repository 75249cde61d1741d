package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four processes commit to one store and are killed at random points, now and then all at once, and started again. {@code
 * -Dontologia.kill.commits=1000} sets after how many acknowledged commits that ends; with {@code
 * -Dontologia.kill.seconds=60} it is a time instead, and every five seconds one of them is killed.
 */
public abstract class KilledWritersContract {
    private static final long SECONDS_BETWEEN_KILLS = 5;

    private static final int WRITERS = 4;

    /** A writer says something; events of one writer come in the order in which it said them. */
    private record Event(int writer, String line) {}

    /** For whatever the test and its processes keep on disk. */
    @TempDir
    protected Path folder;

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<CommitLoopCheck.Ack> acks = new ArrayList<>();
    private final @Nullable ChildJvm[] writers = new ChildJvm[WRITERS];
    private int kills;
    private int killsWhileCommitting;

    /** The URI of a store that is not there yet. */
    protected abstract String newStore();

    /** How to reach it. */
    protected Map<String, String> settings() {
        return Map.of();
    }

    /** How many commits are enough, when nothing else is said. */
    protected int commits() {
        return 200;
    }

    @Test
    void a_killed_writer_loses_no_acknowledged_commit_and_leaves_no_part_of_one() {
        Seeds.forEach("killed writers", 1, random -> {
            String uri = newStore();
            try {
                for (int writer = 0; writer < WRITERS; writer++) {
                    start(writer, uri);
                }
                long seconds = Long.getLong("ontologia.kill.seconds", 0);
                if (seconds > 0) {
                    killAtTimes(random, uri, seconds);
                } else {
                    killNowAndThen(random, uri, Long.getLong("ontologia.kill.commits", commits()));
                }
                for (int writer = 0; writer < WRITERS; writer++) {
                    kill(writer);
                }
            } finally {
                for (ChildJvm writer : writers) {
                    if (writer != null) {
                        writer.close();
                    }
                }
            }
            drain();

            long commits = CommitLoopCheck.check(uri, settings(), acks);
            System.out.printf(
                    "%d kills, %d of them while committing; %d commits, %d of them acknowledged%n",
                    kills, killsWhileCommitting, commits, acks.size());
        });
    }

    private void killAtTimes(RandomGenerator random, String uri, long seconds) throws Exception {
        long start = Clock.system().monotonicNanos();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        long nextKill = start + TimeUnit.SECONDS.toNanos(SECONDS_BETWEEN_KILLS);
        while (Clock.system().monotonicNanos() < end) {
            Event event = events.poll(100, TimeUnit.MILLISECONDS);
            if (event != null) {
                heard(event);
            }
            if (Clock.system().monotonicNanos() >= nextKill) {
                nextKill += TimeUnit.SECONDS.toNanos(SECONDS_BETWEEN_KILLS);
                int writer = random.nextInt(WRITERS);
                kill(writer);
                start(writer, uri);
            }
        }
    }

    private void killNowAndThen(RandomGenerator random, String uri, long wanted) throws Exception {
        long nextKill = 5L + random.nextInt(10);
        while (acks.size() < wanted) {
            Event event = events.poll(2, TimeUnit.MINUTES);
            assertThat(event).as("a sign of life").isNotNull();
            heard(event);
            if (acks.size() >= nextKill && (event.line().startsWith("begin") || random.nextInt(4) == 0)) {
                nextKill = acks.size() + 5L + random.nextInt(20);
                if (random.nextInt(5) == 0) {
                    for (int writer = 0; writer < WRITERS; writer++) {
                        kill(writer);
                    }
                    for (int writer = 0; writer < WRITERS; writer++) {
                        start(writer, uri);
                    }
                } else {
                    killsWhileCommitting += event.line().startsWith("begin") ? 1 : 0;
                    kill(event.writer());
                    start(event.writer(), uri);
                }
            }
        }
    }

    private void start(int writer, String uri) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(uri, "writer" + writer));
        Map<String, String> all = new HashMap<>(settings());
        all.put("cache_dir", folder.resolve("cache" + writer).toString());
        all.forEach((name, value) -> {
            arguments.add(name);
            arguments.add(value);
        });
        writers[writer] = new ChildJvm(
                CommitLoop.class,
                "128m",
                folder,
                line -> events.add(new Event(writer, line)),
                arguments.toArray(String[]::new));
    }

    private void kill(int writer) throws InterruptedException {
        ChildJvm process = writers[writer];
        if (process != null) {
            process.kill();
            kills++;
        }
    }

    private void drain() {
        List<Event> rest = new ArrayList<>();
        events.drainTo(rest);
        rest.forEach(this::heard);
    }

    private void heard(Event event) {
        String[] words = event.line().split(" ", -1);
        // The last line of a killed writer may be cut off; what it did not say in full was not acknowledged.
        if (words[0].equals("ack") && words.length == 4) {
            acks.add(new CommitLoopCheck.Ack(
                    Long.parseLong(words[1]), "writer" + event.writer(), Long.parseLong(words[2])));
        }
    }
}
