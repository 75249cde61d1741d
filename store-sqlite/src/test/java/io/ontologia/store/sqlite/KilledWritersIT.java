package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Session;
import io.ontologia.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four processes commit to one file and are killed at random points, now and then all at once, and started again. {@code
 * -Dontologia.kill.commits=200} sets after how many acknowledged commits that ends.
 */
class KilledWritersIT {
    private static final int WRITERS = 4;

    /** A writer says something; events of one writer come in the order in which it said them. */
    private record Event(int writer, String line) {}

    @TempDir
    Path folder;

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<CommitCheck.Ack> acks = new ArrayList<>();
    private final @Nullable ChildJvm[] writers = new ChildJvm[WRITERS];
    private int kills;
    private int killsWhileCommitting;

    @Test
    void a_killed_writer_loses_no_acknowledged_commit_and_leaves_no_part_of_one() {
        long wanted = Long.getLong("ontologia.kill.commits", 200);
        Seeds.forEach("killed writers", 1, random -> {
            Path file = folder.resolve("onto.db");
            try {
                for (int writer = 0; writer < WRITERS; writer++) {
                    start(writer, file);
                }
                killNowAndThen(random, file, wanted);
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

            long commits = commitsAfterReopening(file);
            System.out.printf(
                    "%d kills, %d of them while committing; %d commits, %d of them acknowledged%n",
                    kills, killsWhileCommitting, commits, acks.size());
            assertThat(CommitCheck.check(file, acks)).isEqualTo(commits);
        });
    }

    private void killNowAndThen(RandomGenerator random, Path file, long wanted) throws Exception {
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
                        start(writer, file);
                    }
                } else {
                    killsWhileCommitting += event.line().startsWith("begin") ? 1 : 0;
                    kill(event.writer());
                    start(event.writer(), file);
                }
            }
        }
    }

    private void start(int writer, Path file) throws IOException {
        writers[writer] = new ChildJvm(
                CommitLoop.class,
                "128m",
                line -> events.add(new Event(writer, line)),
                "sqlite:///" + file,
                "writer" + writer);
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
            acks.add(
                    new CommitCheck.Ack(Long.parseLong(words[1]), "writer" + event.writer(), Long.parseLong(words[2])));
        }
    }

    private static long commitsAfterReopening(Path file) {
        try (Session session = CommitLoop.open("sqlite:///" + file)) {
            return session.head();
        }
    }
}
