package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.objectstore.internal.directory.DirectoryObjectStore;
import io.ontologia.testkit.CrashingFileSystem;
import io.ontologia.testkit.CrashingFileSystem.Effect;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No version of an object is ever taken for another one, whatever the clock does. */
class DirectoryObjectStoreVersionsTest {
    private static final Payload SAME = Payload.of("the same bytes");

    @TempDir
    private Path root;

    private final SettableClock clock = new SettableClock();

    private ObjectStore open(Path at) {
        return new DirectoryObjectStore(at, clock, new SplittableRandom());
    }

    @Test
    void equal_bytes_written_while_the_clock_stands_still_are_different_versions() {
        ObjectStore store = open(root);
        List<ETag> versions = new ArrayList<>();

        for (int i = 0; i < 20; i++) {
            versions.add(store.put("k", SAME));
        }

        assertThat(versions).doesNotHaveDuplicates();
        assertThat(store.putIfMatch("k", Payload.of("x"), versions.get(0))).isInstanceOf(PutOutcome.Refused.class);
        assertThat(store.get("k").orElseThrow().etag()).isEqualTo(versions.get(19));
    }

    @Test
    void a_version_does_not_come_back_by_delete_and_creation_while_the_clock_stands_still() {
        List<ETag> versions = new ArrayList<>();

        for (int i = 0; i < 20; i++) {
            // Another store each time: what one remembers in memory must not be what it takes.
            ObjectStore store = open(root);
            versions.add(((PutOutcome.Written) store.putIfAbsent("k", SAME)).etag());
            store.delete("k");
        }
        ETag last = open(root).put("k", SAME);

        assertThat(versions).doesNotHaveDuplicates().doesNotContain(last);
        assertThat(versions)
                .allSatisfy(old -> assertThat(open(root).putIfMatch("k", Payload.of("x"), old))
                        .isInstanceOf(PutOutcome.Refused.class));
    }

    @Test
    void a_version_does_not_come_back_while_the_clock_is_set_back_again_and_again() {
        List<ETag> versions = new ArrayList<>();

        for (int i = 0; i < 20; i++) {
            clock.setWallClock(SettableClock.START.minus(Duration.ofMinutes(i % 7)));
            ObjectStore store = open(root);
            versions.add(store.put("k", SAME));
            if (i % 3 == 0) {
                store.delete("k");
            } else if (i % 3 == 1) {
                store.deleteAll(List.of("k", "never there"));
            }
        }

        assertThat(versions).doesNotHaveDuplicates();
    }

    @Test
    void a_version_does_not_come_back_after_the_stores_own_files_are_lost() throws IOException {
        ETag first = open(root).put("k", SAME);
        try (var locks = Files.list(root.resolve(".onto/locks"))) {
            for (Path lock : locks.toList()) {
                Files.delete(lock);
            }
        }
        clock.setWallClock(SettableClock.START.minus(Duration.ofDays(1)));

        ETag second = open(root).put("k", SAME);

        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void a_version_does_not_come_back_when_somebody_else_removed_the_file() throws IOException {
        ETag first = open(root).put("k", SAME);
        Files.delete(root.resolve("k"));

        ETag second = open(root).put("k", SAME);

        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void a_version_that_somebody_else_copied_in_does_not_come_back_after_its_delete() throws IOException {
        List<ETag> versions = new ArrayList<>();

        for (int i = 0; i < 2; i++) {
            Path file = Files.writeString(root.resolve("k" + i), "the same bytes");
            Files.setLastModifiedTime(file, FileTime.from(clock.now()));
            versions.add(open(root).get("k" + i).orElseThrow().etag());
        }
        open(root).delete("k0");
        open(root).deleteAll(List.of("k1"));

        assertThat(open(root).put("k0", SAME)).isNotEqualTo(versions.get(0));
        assertThat(open(root).put("k1", SAME)).isNotEqualTo(versions.get(1));
    }

    @Test
    void a_file_system_that_keeps_even_seconds_only_still_tells_versions_apart() {
        ObjectStore store = open(new CrashingFileSystem(FileSystems.getDefault(), new CoarseTimes()).path(root));
        List<ETag> versions = new ArrayList<>();

        for (int i = 0; i < 5; i++) {
            versions.add(store.put("k", SAME));
        }
        store.delete("k");
        versions.add(store.put("k", SAME));

        assertThat(versions).doesNotHaveDuplicates();
        assertThat(store.get("k").orElseThrow().etag()).isEqualTo(versions.get(5));
    }

    @Test
    void an_object_carries_the_time_of_the_stores_clock_to_the_microsecond() {
        clock.setWallClock(Instant.parse("2026-03-04T05:06:07.123456789Z"));

        open(root).put("k", SAME);

        Instant expected = Instant.parse("2026-03-04T05:06:07.123456Z");
        assertThat(open(root).get("k").orElseThrow().lastModified()).isEqualTo(expected);
        assertThat(open(root).list(ListRequest.of("")).objects().get(0).lastModified())
                .isEqualTo(expected);
    }

    @Test
    void all_stores_agree_on_the_version_of_an_object_larger_than_one_chunk() {
        byte[] bytes = new byte[3_000_001];
        new SplittableRandom(1).nextBytes(bytes);
        ETag etag = open(root).put("k", Payload.of(bytes));

        GetOutcome part = open(root).get("k", GetOptions.whole().range(ByteRange.last(1)));
        GetOutcome unchanged = open(root).get("k", GetOptions.whole().ifNoneMatch(etag));

        assertThat(open(root).get("k").orElseThrow().etag()).isEqualTo(etag);
        assertThat(((GetOutcome.Found) part).object().etag()).isEqualTo(etag);
        assertThat(unchanged).isInstanceOf(GetOutcome.NotModified.class);
        assertThat(open(root).putIfMatch("k", SAME, etag)).isInstanceOf(PutOutcome.Written.class);
    }

    @Test
    void a_file_that_somebody_else_copied_in_is_an_object_that_can_be_replaced() throws IOException {
        Files.writeString(root.resolve("copied"), "by hand");
        ObjectStore store = open(root);

        StoredObject found = store.get("copied").orElseThrow();
        PutOutcome outcome = store.putIfMatch("copied", SAME, found.etag());

        assertThat(found.text()).isEqualTo("by hand");
        assertThat(outcome).isInstanceOf(PutOutcome.Written.class);
        // The store's clock is far behind the machine's, which set the time of the copied file.
        assertThat(store.get("copied").orElseThrow().lastModified()).isAfter(found.lastModified());
    }

    /** Cuts every time that is set to two seconds, as FAT does. */
    private static final class CoarseTimes implements CrashingFileSystem.Hook {
        private static final String SET_TIMES = "set times of ";

        @Override
        public void before(Effect effect, String what) {}

        @Override
        public void after(Effect effect, String what) throws IOException {
            if (what.startsWith(SET_TIMES)) {
                Path file = Path.of(what.substring(SET_TIMES.length()));
                long seconds = Files.getLastModifiedTime(file).toInstant().getEpochSecond();
                Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(seconds - seconds % 2)));
            }
        }
    }
}
