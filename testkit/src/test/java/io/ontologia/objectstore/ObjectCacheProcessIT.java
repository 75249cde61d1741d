package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several processes on one cache folder, some of them killed. */
@Timeout(120)
class ObjectCacheProcessIT {
    @TempDir
    Path dir;

    @Test
    void a_process_killed_in_the_middle_of_a_download_leaves_nothing_that_is_ever_served() throws Exception {
        try (ChildJvm killed = new ChildJvm(CacheProcess.class, "hang", dir)) {
            assertThat(killed.receive()).isEqualTo("HALF");
        }
        assertThat(files()).anySatisfy(file -> assertThat(file).hasSize(700));

        try (ObjectCache cache = cache()) {
            assertThat(files()).noneSatisfy(file -> assertThat(file).hasSize(700));
            try (CachedObject object = cache.open(CacheProcess.store(), "k1", Expected.anything())) {
                assertThat(object.path()).hasBinaryContent(CacheProcess.content(1));
            }
        }
        assertThat(files("processes")).isEmpty();
    }

    @Test
    void processes_that_evict_each_others_files_all_read_what_is_right() throws Exception {
        try (ChildJvm one = new ChildJvm(CacheProcess.class, "churn", dir, 1, 300);
                ChildJvm two = new ChildJvm(CacheProcess.class, "churn", dir, 2, 300)) {

            CacheProcess.churn(dir, 3, 300);

            assertThat(one.receive()).isEqualTo("DONE");
            assertThat(two.receive()).isEqualTo("DONE");
        }
        try (ObjectCache cache = cache()) {
            assertThat(cache.stats().bytes()).isBetween(1L, CacheProcess.BOUND);
        }
        assertThat(files("processes")).isEmpty();
    }

    @Test
    void an_open_object_survives_what_other_processes_evict_and_clean_up() throws Exception {
        try (ObjectCache cache = cache();
                CachedObject open = cache.open(CacheProcess.store(), "k3", Expected.anything())) {
            // Opening and closing the folder a second time must not make this process look dead to others.
            cache().close();

            churnElsewhere(4, 100);

            assertThat(open.path()).hasBinaryContent(CacheProcess.content(3));
        }
    }

    @Test
    void what_one_process_fetched_another_need_not_fetch() throws Exception {
        churnElsewhere(5, 60);
        DownloadCounter store = new DownloadCounter(CacheProcess.store());

        try (ObjectCache cache = cache()) {
            for (int i = 0; i < CacheProcess.OBJECTS; i++) {
                cache.open(store, "k" + i, Expected.anything()).close();
            }

            assertThat(cache.stats().hits()).isPositive();
        }
    }

    @Test
    void beside_a_process_that_is_stopped_with_the_lock_of_the_folder_objects_are_fetched_and_not_kept()
            throws Exception {
        try (ObjectCache before = cache();
                ChildJvm stopped = new ChildJvm(LockHolder.class, dir)) {
            assertThat(stopped.receive()).isEqualTo("LOCKED");

            try (ObjectCache cache = new ObjectCache(
                    dir, CacheProcess.BOUND, Clock.system(), new SplittableRandom(), Duration.ofMillis(100))) {
                for (int i = 0; i < 3; i++) {
                    assertOpens(cache, i);
                    assertOpens(before, i);
                }
            }
            assertThat(files("objects")).isEmpty();
        }
        try (ObjectCache cache = cache()) {
            assertOpens(cache, 1);
            assertThat(files("objects")).hasSize(2);
        }
    }

    private static void assertOpens(ObjectCache cache, int number) {
        try (CachedObject object = cache.open(CacheProcess.store(), "k" + number, Expected.anything())) {
            assertThat(object.path()).hasBinaryContent(CacheProcess.content(number));
        }
    }

    /** A process that takes the lock of a cache folder and keeps it. */
    static final class LockHolder {
        public static void main(String[] arguments) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0], "cache.lock"), StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                System.out.println(lock.isValid() ? "LOCKED" : "FREE");
                Runtime.getRuntime().halt(System.in.read());
            }
        }
    }

    private ObjectCache cache() {
        return new ObjectCache(dir, CacheProcess.BOUND, Clock.system(), new SplittableRandom());
    }

    private void churnElsewhere(int seed, int rounds) {
        try (ChildJvm child = new ChildJvm(CacheProcess.class, "churn", dir, seed, rounds)) {
            assertThat(child.receive()).isEqualTo("DONE");
        }
    }

    private List<Path> files(String folder) throws IOException {
        try (Stream<Path> files = Files.list(dir.resolve(folder))) {
            return files.toList();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(dir)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
