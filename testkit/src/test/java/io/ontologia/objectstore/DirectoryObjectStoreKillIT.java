package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.internal.directory.DirectoryObjectStore;
import io.ontologia.testkit.CrashingFileSystem;
import io.ontologia.testkit.CrashingFileSystem.Effect;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A writer is killed before every single operation that changes the disk. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectoryObjectStoreKillIT {
    private static final int NEVER = 0;
    private static final int AT_ONCE = 3;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DELETE_IF_MATCH")
    void a_writer_killed_at_any_step_leaves_the_old_or_the_new_object_and_no_lock(DirectoryChange change)
            throws Exception {
        int steps = stepsOf(change);
        List<Boolean> changed = new ArrayList<>();
        ExecutorService killers = Executors.newFixedThreadPool(AT_ONCE);

        try {
            List<Future<Boolean>> kills = IntStream.rangeClosed(1, steps)
                    .mapToObj(step -> killers.submit(() -> isChangedWhenKilledBefore(step, change)))
                    .toList();
            for (Future<Boolean> kill : kills) {
                changed.add(kill.get());
            }
        } finally {
            killers.shutdownNow();
        }

        System.out.printf(
                "%s: killed before each of %d steps, new from step %d on%n", change, steps, changed.indexOf(true) + 1);
        assertThat(changed).as("once the change is there, it stays").isSorted();
        assertThat(changed).contains(false, true);
    }

    private int stepsOf(DirectoryChange change) {
        Path root = folder.resolve(change + "-undisturbed");
        try (ChildJvm writer = new ChildJvm(Victim.class, root, change, change.prepare(root), NEVER)) {
            String[] said = writer.receive().split(" ", -1);
            assertThat(said[0]).isEqualTo("finished");
            assertThat(DirectoryAftermath.of(root).isAsAfter(change)).isTrue();
            return Integer.parseInt(said[1]);
        }
    }

    private boolean isChangedWhenKilledBefore(int step, DirectoryChange change) {
        Path root = folder.resolve(change + "-" + step);
        String etag = change.prepare(root);
        String stopped;
        try (ChildJvm writer = new ChildJvm(Victim.class, root, change, etag, step)) {
            stopped = writer.receive();
        }
        try {
            assertThat(stopped).startsWith("stopped ");
            DirectoryAftermath aftermath = DirectoryAftermath.of(root);
            aftermath.assertOldOrNew(change, etag);
            aftermath.assertUsable(etag);
            SettableClock tomorrow = new SettableClock(Clock.system().now().plus(Duration.ofHours(25)));
            new DirectoryObjectStore(root, tomorrow, new SplittableRandom()).close();
            assertThat(aftermath.temporaryFiles()).isEmpty();
            return aftermath.isAsAfter(change);
        } catch (AssertionError e) {
            throw new AssertionError("killed at step " + step + ", " + stopped, e);
        }
    }

    /** The process to be killed: says what it is about to do, and waits. */
    static final class Victim {
        public static void main(String[] arguments) {
            Path root = Path.of(arguments[0]);
            DirectoryChange change = DirectoryChange.valueOf(arguments[1]);
            StoppingHook hook = new StoppingHook(Integer.parseInt(arguments[3]));
            Path stopping = new CrashingFileSystem(FileSystems.getDefault(), hook).path(root);
            try (ObjectStore store = new DirectoryObjectStore(stopping, Clock.system(), new SplittableRandom())) {
                change.run(store, arguments[2]);
            }
            System.out.println("finished " + hook.count);
        }
    }

    private static final class StoppingHook implements CrashingFileSystem.Hook {
        private final int step;
        private int count;

        StoppingHook(int step) {
            this.step = step;
        }

        @Override
        public void before(Effect effect, String what) throws IOException {
            if (effect == Effect.CHANGES && ++count == step) {
                System.out.println("stopped before " + what);
                // Nobody writes to it; when the parent is gone it ends, and so does this process.
                int end = System.in.read();
                Runtime.getRuntime().halt(end);
            }
        }
    }
}
