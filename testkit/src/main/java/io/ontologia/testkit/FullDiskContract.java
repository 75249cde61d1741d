package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk of a store becomes full and is freed again, several times, under sessions that stay open: see {@link FullDisk}.
 * {@code -Dontologia.fulldisk.rounds=100} sets how often. Skipped where the system allows no mounts in a user namespace.
 */
public abstract class FullDiskContract {
    /** What the commits themselves need, in megabytes: at first, and for each round. */
    private static final long SIZE = 12;

    private static final long SIZE_OF_ROUND = 2;

    /** For whatever the test keeps on disk. */
    @TempDir
    protected Path folder;

    /** The URI of a store that is not there yet, in a folder. */
    protected abstract String storeIn(Path disk);

    @Test
    void a_session_survives_a_full_disk_and_goes_on_when_there_is_space_again() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                SmallDisk.isPossible(disk),
                "a full disk needs 'unshare -rm' and mounts in it, which this system refuses");
        long rounds = Long.getLong("ontologia.fulldisk.rounds", 3);
        Seeds.forEach("full disk", 1, random -> {
            List<String> said = new CopyOnWriteArrayList<>();
            List<String> command = SmallDisk.command(SIZE + SIZE_OF_ROUND * rounds + "m", disk);
            String seed = Long.toString(random.nextLong(1L << 48));
            try (ChildJvm child = new ChildJvm(
                    command,
                    FullDisk.class,
                    "256m",
                    folder,
                    said::add,
                    storeIn(disk),
                    disk.toString(),
                    folder.resolve("cache").toString(),
                    seed,
                    Long.toString(rounds))) {
                int status = child.await();
                assertThat(status).as("%s", said).isZero();
            }
            System.out.println(said.get(said.size() - 1));
        });
    }
}
