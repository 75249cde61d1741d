package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.ClaimState;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventInspection;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Session;
import io.ontologia.core.spi.EventStore;
import io.ontologia.testkit.ChildJvm;
import io.ontologia.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four processes drain the events of one file while one of them after the other is killed and started again. {@code
 * -Dontologia.kill.events=20000} sets how many events there are.
 */
class KilledWorkersIT {
    private static final int WORKERS = 4;
    private static final int BROKEN_EVERY = 97;
    private static final long URGENT = 500;

    /** A worker says something; lines of one worker come in the order in which it said them. */
    private record Line(int worker, String what, long number) {}

    @TempDir
    Path folder;

    private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
    private final @Nullable ChildJvm[] workers = new ChildJvm[WORKERS];
    private final Map<Long, Integer> ends = new HashMap<>();
    private final Map<Long, Integer> failures = new HashMap<>();
    private final List<Long> firstStarts = new ArrayList<>();
    private final Set<Long> begun = new HashSet<>();
    private int kills;
    private int urgentInFront;
    private int killsSoFar;

    @Test
    void killed_workers_lose_no_event_and_only_what_failed_too_often_is_a_dead_letter() {
        long count = Long.getLong("ontologia.kill.events", 1500);
        Seeds.forEach("killed workers", 1, random -> {
            String uri = "sqlite:///" + folder.resolve("onto.db");
            try (Session session = DrainLoop.open(uri)) {
                EventStore bus = session.storage().events(DrainLoop.OPTIONS);
                List<Event> events = bus.enqueue(LongStream.range(0, count)
                        .mapToObj(KilledWorkersIT::job)
                        .toList());
                try {
                    drain(random, uri, count);
                } finally {
                    for (ChildJvm worker : workers) {
                        if (worker != null) {
                            worker.close();
                        }
                    }
                }
                System.out.printf(
                        "%d events, %d kills, %d handled more than once%n",
                        count,
                        kills,
                        ends.values().stream().filter(times -> times > 1).count());
                check(bus, events);
            }
        });
    }

    private static boolean isBroken(long number) {
        return number % BROKEN_EVERY == 5;
    }

    private static boolean isUrgent(long number) {
        return number % 3 == 1;
    }

    private static NewEvent job(long number) {
        return NewEvent.of(DrainLoop.NAMESPACE, new DrainLoop.Job(number, isBroken(number)))
                .priority(isUrgent(number) ? URGENT : NewEvent.DEFAULT_PRIORITY);
    }

    private void drain(RandomGenerator random, String uri, long count) throws Exception {
        for (int worker = 0; worker < WORKERS; worker++) {
            start(worker, uri);
        }
        long broken =
                LongStream.range(0, count).filter(KilledWorkersIT::isBroken).count();
        long nextKill = count / 20;
        while (ends.size() < count - broken || gaveUp() < broken) {
            Line line = lines.poll(2, TimeUnit.MINUTES);
            assertThat(line)
                    .as("a sign of life; %d of %d are done", ends.size(), count)
                    .isNotNull();
            heard(line);
            if (ends.size() >= nextKill) {
                nextKill = ends.size() + count / 20 + random.nextLong(count / 10);
                int victim = random.nextInt(WORKERS);
                kill(victim);
                start(victim, uri);
            }
        }
        for (ChildJvm worker : workers) {
            if (worker != null) {
                worker.stop();
                assertThat(worker.await()).isZero();
            }
        }
        List<Line> rest = new ArrayList<>();
        lines.drainTo(rest);
        rest.forEach(this::heard);
    }

    private long gaveUp() {
        return failures.values().stream()
                .filter(times -> times >= DrainLoop.OPTIONS.maxAttempts())
                .count();
    }

    private void start(int worker, String uri) throws IOException {
        workers[worker] = new ChildJvm(DrainLoop.class, "96m", folder, line -> said(worker, line), uri);
    }

    private void said(int worker, String line) {
        String[] words = line.split(" ", -1);
        // The last line of a killed worker may be cut off.
        if (words.length == 3) {
            lines.add(new Line(worker, words[0], Long.parseLong(words[1])));
        }
    }

    private void kill(int worker) throws InterruptedException {
        ChildJvm process = workers[worker];
        if (process != null) {
            process.kill();
            kills++;
        }
    }

    private void heard(Line line) {
        switch (line.what()) {
            case "start" -> {
                if (begun.add(line.number())) {
                    firstStarts.add(line.number());
                    if (firstStarts.stream().skip(urgentInFront).allMatch(KilledWorkersIT::isUrgent)) {
                        urgentInFront = firstStarts.size();
                        killsSoFar = kills;
                    }
                }
            }
            case "end" -> ends.merge(line.number(), 1, Integer::sum);
            case "fail" -> failures.merge(line.number(), 1, Integer::sum);
            default -> assertThat(line.what()).isEqualTo("stopped");
        }
    }

    private void check(EventStore bus, List<Event> events) {
        Map<String, DeadLetter> letters = new HashMap<>();
        bus.deadLetters(DrainLoop.NAMESPACE, events.size()).forEach(letter -> letters.put(letter.eventId(), letter));
        for (int number = 0; number < events.size(); number++) {
            Event event = events.get(number);
            EventInspection found = bus.inspect(DrainLoop.NAMESPACE, event.id()).orElseThrow();
            ClaimState claim = found.claims().get(0);
            if (isBroken(number)) {
                assertThat(claim.deadLetteredAt()).as("event %d", number).isPresent();
                assertThat(claim.attempts()).isEqualTo(DrainLoop.OPTIONS.maxAttempts());
                assertThat(letters.get(event.id()))
                        .isNotNull()
                        .satisfies(letter -> assertThat(letter.lastError()).isEqualTo("IllegalStateException: broken"));
            } else {
                assertThat(claim.ackAt()).as("event %d", number).isPresent();
                assertThat(ends).containsKey((long) number);
                assertThat(letters).doesNotContainKey(event.id());
            }
        }
        // When the first ordinary event began, nobody could claim an urgent one any more: they had all been claimed,
        // though
        // those that were in the hands of other workers, or of killed ones, may still have had to begin.
        long late = firstStarts.stream()
                .skip(urgentInFront)
                .filter(KilledWorkersIT::isUrgent)
                .count();
        System.out.printf("%d urgent events before the first ordinary one, %d after it%n", urgentInFront, late);
        assertThat(late).isLessThanOrEqualTo((long) (WORKERS + killsSoFar) * DrainLoop.OPTIONS.claimLimit());
    }
}
