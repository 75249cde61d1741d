package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four processes with four threads each write to one directory at the same time. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectoryObjectStoreProcessesIT {
    private static final int PROCESSES = 4;
    private static final int THREADS = 4;
    private static final int ROUNDS = 1000;
    private static final int INCREMENTS = 100;
    private static final String COUNTER = "shared/counter";
    private static final String SWAPPED = "shared/swapped";

    @TempDir(factory = MemoryDisk.class)
    private Path root;

    private final List<ChildJvm> racers = new ArrayList<>();

    @BeforeEach
    void startRacers() {
        for (int i = 0; i < PROCESSES; i++) {
            racers.add(new ChildJvm(Racer.class, root, i));
        }
        racers.forEach(racer -> assertThat(racer.receive()).isEqualTo("ready"));
    }

    @AfterEach
    void killRacers() {
        racers.forEach(ChildJvm::close);
    }

    @Test
    void of_sixteen_that_create_one_object_exactly_one_does() {
        try (ObjectStore store = DirectoryChange.open(root)) {
            for (int round = 0; round < ROUNDS; round++) {
                String key = "created/" + round;

                List<String> winners = winners(ask("create " + key));

                assertThat(winners).as("winners of round %d", round).hasSize(1);
                StoredObject stored = store.get(key).orElseThrow();
                assertThat(stored.text() + "=" + stored.etag()).isEqualTo(winners.get(0));
            }
        }
    }

    @Test
    void of_sixteen_that_replace_one_version_exactly_one_does() {
        try (ObjectStore store = DirectoryChange.open(root)) {
            ETag current = store.put(SWAPPED, Payload.of("start"));
            for (int round = 0; round < ROUNDS; round++) {

                List<String> winners = winners(ask("swap " + current));

                assertThat(winners).as("winners of round %d", round).hasSize(1);
                StoredObject stored = store.get(SWAPPED).orElseThrow();
                assertThat(stored.text() + "=" + stored.etag()).isEqualTo(winners.get(0));
                current = stored.etag();
            }
        }
    }

    @Test
    void no_increment_of_a_counter_is_lost() {
        try (ObjectStore store = DirectoryChange.open(root)) {
            store.put(COUNTER, Payload.of("0 nobody"));

            List<String> done = ask("count " + INCREMENTS);

            assertThat(done).hasSize(PROCESSES).containsOnly("done");
            assertThat(counterValue(store.get(COUNTER).orElseThrow())).isEqualTo(PROCESSES * THREADS * INCREMENTS);
        }
    }

    @Test
    void threads_of_two_processes_that_wait_for_each_others_locks_are_not_taken_for_a_deadlock() {
        List<String> done = ask("scatter 200");

        assertThat(done).hasSize(PROCESSES).containsOnly("done");
    }

    private List<String> ask(String command) {
        racers.forEach(racer -> racer.send(command));
        return racers.stream().map(ChildJvm::receive).toList();
    }

    private static List<String> winners(List<String> answers) {
        return answers.stream()
                .flatMap(answer -> List.of(answer.split(" ", -1)).stream())
                .filter(word -> !word.equals("refused"))
                .toList();
    }

    private static int counterValue(StoredObject counter) {
        return Integer.parseInt(counter.text().split(" ", -1)[0]);
    }

    /** One of the processes: does what every line says on all its threads, and answers with what they say. */
    static final class Racer {
        private final ObjectStore store;
        private final String name;
        private int attempt;

        private Racer(ObjectStore store, String name) {
            this.store = store;
            this.name = name;
        }

        public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try (ObjectStore store = DirectoryChange.open(Path.of(arguments[0]));
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                Racer racer = new Racer(store, arguments[1]);
                System.out.println("ready");
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    String[] words = line.split(" ", -1);
                    List<String> answers = new ArrayList<>();
                    for (Future<String> answer : threads.invokeAll(racer.tasks(words[0], words[1]))) {
                        answers.add(answer.get());
                    }
                    System.out.println(answers.stream().allMatch("done"::equals) ? "done" : String.join(" ", answers));
                }
            } finally {
                threads.shutdownNow();
            }
        }

        private List<Callable<String>> tasks(String verb, String argument) {
            attempt++;
            IntFunction<Callable<String>> task = switch (verb) {
                case "create" -> n -> () -> said(n, store.putIfAbsent(argument, payload(n)));
                case "swap" -> n -> () -> said(n, store.putIfMatch(SWAPPED, payload(n), new ETag(argument)));
                case "count" -> n -> () -> count(n, Integer.parseInt(argument));
                case "scatter" -> n -> () -> scatter(n, Integer.parseInt(argument));
                default -> throw new IllegalArgumentException(verb);
            };
            return IntStream.range(0, THREADS).mapToObj(task).toList();
        }

        private String text(int thread) {
            return name + "." + thread + "." + attempt;
        }

        private Payload payload(int thread) {
            return Payload.of(text(thread));
        }

        private String said(int thread, PutOutcome outcome) {
            return outcome instanceof PutOutcome.Written written
                    ? text(thread) + "=" + written.etag()
                    : outcome instanceof PutOutcome.Refused ? "refused" : outcome.toString();
        }

        private String count(int thread, int times) {
            int tries = 0;
            for (int done = 0; done < times; tries++) {
                StoredObject counter = store.get(COUNTER).orElseThrow();
                Payload next = Payload.of((counterValue(counter) + 1) + " " + text(thread) + "." + tries);
                PutOutcome outcome = store.putIfMatch(COUNTER, next, counter.etag());
                if (outcome instanceof PutOutcome.Written) {
                    done++;
                } else if (outcome instanceof PutOutcome.Unknown unknown) {
                    throw unknown.reason();
                }
            }
            return "done";
        }

        private String scatter(int thread, int times) {
            for (int i = 0; i < times; i++) {
                store.put("scattered/" + i * (thread + 1) % 16, payload(thread));
            }
            return "done";
        }
    }
}
