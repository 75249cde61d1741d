package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.internal.object.ObjectNameservice;
import io.ontologia.objectstore.internal.directory.DirectoryObjectStore;
import io.ontologia.testkit.ChildJvm;
import io.ontologia.testkit.CrashingFileSystem;
import io.ontologia.testkit.CrashingFileSystem.Effect;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed before every single change that a push makes to the disk. */
class KilledPushesIT {
    private static final Alias DB = Alias.parse("mydb");

    @TempDir
    private Path folder;

    @TempDir
    private Path temporary;

    @Test
    void a_push_killed_at_any_step_leaves_the_old_or_the_new_record() throws Exception {
        List<Boolean> changed = new ArrayList<>();
        for (int step = 1; ; step++) {
            Path root = folder.resolve("step-" + step);
            try (Nameservice names = open(root)) {
                names.create(NewRecord.ledger(DB));
                names.push(DB, Concern.HEAD, ConcernValue.unborn(), head(1));
            }
            boolean finished = isFinished(root, step);
            try (Nameservice names = open(root)) {
                NameRecord record = names.lookup(DB).orElseThrow();
                assertThat(record.head()).isIn(head(1), head(2));
                changed.add(record.head().equals(head(2)));
                assertThat(names.list(NameQuery.all()).records()).containsExactly(record);
                assertThat(names.push(DB, Concern.HEAD, record.head(), head(3)))
                        .isEqualTo(new PushOutcome.Updated(head(3)));
            }
            SettableClock tomorrow = new SettableClock(Clock.system().now().plus(Duration.ofHours(25)));
            new DirectoryObjectStore(root, tomorrow, new SplittableRandom()).close();
            assertThat(stagingFiles(root)).isEmpty();
            if (finished) {
                break;
            }
        }

        System.out.printf("killed before each of %d steps%n", changed.size() - 1);
        assertThat(changed).as("once the push is there, it stays").isSorted();
        assertThat(changed).contains(false, true);
    }

    private boolean isFinished(Path root, int step) throws Exception {
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        try (ChildJvm victim =
                new ChildJvm(Victim.class, "64m", temporary, said::add, root.toString(), String.valueOf(step))) {
            String line = said.poll(2, TimeUnit.MINUTES);
            victim.kill();
            assertThat(line).isNotNull();
            return "finished".equals(line);
        }
    }

    private static Nameservice open(Path root) {
        return Nameservices.open("file://" + root);
    }

    private static ConcernValue head(long t) {
        return ConcernValue.of(t, Map.of("address", "commit-" + t, "t", t));
    }

    private static List<Path> stagingFiles(Path root) throws IOException {
        Path staging = root.resolve(".onto/tmp");
        if (!Files.exists(staging)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(staging)) {
            return files.toList();
        }
    }

    /** The process to be killed: says that it is about to change something, and waits. */
    static final class Victim {
        public static void main(String[] arguments) throws IOException {
            Path root = Path.of(arguments[0]);
            CrashingFileSystem disk =
                    new CrashingFileSystem(FileSystems.getDefault(), new Stop(Integer.parseInt(arguments[1])));
            try (DirectoryObjectStore store =
                            new DirectoryObjectStore(disk.path(root), Clock.system(), new SplittableRandom());
                    Nameservice names =
                            new ObjectNameservice(store, Layout.B, Clock.system(), new SecureRandom(), Runnable::run)) {
                names.push(DB, Concern.HEAD, head(1), head(2));
            }
            System.out.println("finished");
            int end = System.in.read();
            System.exit(end);
        }
    }

    private static final class Stop implements CrashingFileSystem.Hook {
        private final int step;
        private int count;

        Stop(int step) {
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
