package io.ontologia.objectstore;

import static io.ontologia.objectstore.DirectoryChange.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.internal.directory.DirectoryObjectStore;
import io.ontologia.testkit.CrashingFileSystem;
import io.ontologia.testkit.CrashingFileSystem.Effect;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A writer stops before every single operation that changes the disk, keeps what it has locked, and continues later. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedWriterIT {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final Optional<String> BESIDE = Optional.of("beside");

    /** What a second writer can be answered while the first one is stopped. */
    private enum Answer {
        DONE,
        BUSY
    }

    @TempDir(factory = MemoryDisk.class)
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"LARGE_OVERWRITE", "DELETE"})
    void writes_beside_a_stopped_writer_are_done_or_refused_as_busy_and_never_wait_without_end(DirectoryChange change)
            throws InterruptedException {
        Path root = folder.resolve(change.name());
        Set<Answer> answers = EnumSet.noneOf(Answer.class);
        change.prepare(root);
        try (ChildJvm writer = new ChildJvm(Stopping.class, root, change);
                ObjectStore store = open(root)) {
            Optional<String> last = change.before();
            for (String said = writer.receive(); !said.equals("finished"); said = writer.receive()) {
                Set<Answer> now = putBesideByThreads(store);
                answers.addAll(now);
                Optional<String> found = store.get(KEY).map(StoredObject::text);
                assertThat(now).as(said).hasSize(1);
                assertThat(found.equals(now.contains(Answer.DONE) ? BESIDE : last) || found.equals(change.after()))
                        .as("%s: %s", said, now)
                        .isTrue();
                last = found;
                writer.send("continue");
            }

            assertThat(putBesideByThreads(store)).containsExactly(Answer.DONE);
            assertThat(store.get(KEY).map(StoredObject::text)).isEqualTo(BESIDE);
        }
        assertThat(answers).containsExactlyInAnyOrder(Answer.values());
    }

    /** Two at once: one waits for the stopped process, the other for its neighbour. */
    private static Set<Answer> putBesideByThreads(ObjectStore store) throws InterruptedException {
        Set<Answer> answers = Collections.synchronizedSet(EnumSet.noneOf(Answer.class));
        List<Thread> threads = Stream.generate(() -> new Thread(() -> answers.add(putBeside(store))))
                .limit(2)
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        return answers;
    }

    private static Answer putBeside(ObjectStore store) {
        try {
            store.put(KEY, Payload.of(BESIDE.orElseThrow()));
            return Answer.DONE;
        } catch (OntologiaException e) {
            assertThat(e.kind()).isEqualTo(ErrorKind.BUSY);
            assertThat(e).hasMessageContaining("held for longer than 1000 ms");
            return Answer.BUSY;
        }
    }

    private static ObjectStore open(Path root) {
        return new DirectoryObjectStore(root, Clock.system(), new SplittableRandom(), LIMIT, FileModes.UMASK);
    }

    /** The process that stops: says before what, and continues when it hears a line. */
    static final class Stopping {
        public static void main(String[] arguments) {
            CrashingFileSystem.Hook hook = (effect, what) -> {
                if (effect == Effect.CHANGES) {
                    System.out.println("stopped before " + what);
                    readLine();
                }
            };
            Path root = new CrashingFileSystem(FileSystems.getDefault(), hook).path(Path.of(arguments[0]));
            try (ObjectStore store = new DirectoryObjectStore(root, Clock.system(), new SplittableRandom())) {
                DirectoryChange.valueOf(arguments[1]).run(store, "");
            }
            System.out.println("finished");
        }

        private static void readLine() throws IOException {
            for (int read = System.in.read(); read != '\n'; read = System.in.read()) {
                if (read < 0) {
                    Runtime.getRuntime().halt(1);
                }
            }
        }
    }
}
