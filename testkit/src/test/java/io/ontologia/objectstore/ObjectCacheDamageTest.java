package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the cache does when files, folders, stores or expectations are not what they should be. */
class ObjectCacheDamageTest extends CacheFixture {

    @Test
    void a_cached_file_that_became_shorter_is_fetched_again() throws IOException {
        ObjectCache cache = cache();
        put("a", 300);
        assertOpens(cache, "a");

        Files.write(kept(), content("a", 299));

        assertOpens(cache, "a");
        assertOpens(cache, "a");
        assertThat(store.downloads("a")).isEqualTo(2);
        assertThat(cache.stats().bytes()).isEqualTo(300);
    }

    @Test
    void a_cached_file_whose_content_changed_is_noticed_when_a_process_first_uses_it() throws IOException {
        put("a", 300);
        assertOpens(cache(), "a");
        byte[] damaged = content("a");
        damaged[150] ^= 1;

        Files.write(kept(), damaged);

        ObjectCache restarted = cache();
        assertOpens(restarted, "a");
        assertOpens(restarted, "a");
        assertThat(store.downloads("a")).isEqualTo(2);
    }

    @Test
    void a_cached_file_whose_sum_is_damaged_or_gone_is_fetched_again() throws IOException {
        ObjectCache cache = cache();
        put("a", 300);
        assertOpens(cache, "a");
        Path sum = Path.of(kept() + ".sum");

        Files.writeString(sum, "\u0000\u0000\u0000");
        assertOpens(cache, "a");
        Files.write(sum, new byte[] {(byte) 0xff});
        assertOpens(cache, "a");
        Files.delete(sum);
        assertOpens(cache, "a");

        assertThat(store.downloads("a")).isEqualTo(4);
        assertOpens(cache, "a");
        assertThat(store.downloads("a")).isEqualTo(4);
        assertThat(cache.stats().bytes()).isEqualTo(300);
    }

    @Test
    void halves_that_a_crash_left_are_removed_and_do_not_count() throws IOException {
        ObjectCache first = cache();
        put("a", 300);
        put("b", 300);
        assertOpens(first, "a");
        Files.delete(Path.of(kept() + ".sum"));
        Files.writeString(dir.resolve("objects/" + "0".repeat(64) + ".sum"), "half");

        ObjectCache restarted = cache();

        assertThat(files("objects")).isEmpty();
        assertThat(restarted.stats().bytes()).isZero();
        assertOpens(restarted, "b");
    }

    @Test
    void what_a_dead_process_left_is_removed_by_the_next_one() throws IOException {
        Path left = Files.createDirectories(dir.resolve("processes/0123456789abcdef"));
        Files.writeString(left.resolve("1"), "half a download");
        Files.writeString(dir.resolve("processes/0123456789abcdef.lock"), "");

        ObjectCache cache = cache();

        assertThat(left).doesNotExist();
        put("a", 300);
        assertOpens(cache, "a");
    }

    @Test
    void a_cache_that_is_open_in_this_process_is_no_leftover() {
        ObjectCache cache = cache();
        put("a", 300);
        try (CachedObject open = cache.open(store, "a", Expected.anything())) {
            cache().close();
            cache();

            assertThat(open.path()).hasBinaryContent(content("a"));
        }
    }

    @Test
    void content_with_another_hash_than_expected_is_corrupt_and_not_kept() {
        ObjectCache cache = cache();
        put("a", 300);

        assertFails(
                ErrorKind.CORRUPT,
                "'a'",
                () -> cache.open(store, "a", Expected.anything().sha256(Sha256.hex("something else"))));

        assertThat(cache.stats().bytes()).isZero();
    }

    @Test
    void content_with_another_length_than_expected_is_corrupt_and_not_kept() {
        ObjectCache cache = cache();
        put("a", 300);

        assertFails(
                ErrorKind.CORRUPT,
                "300 bytes instead of 301",
                () -> cache.open(store, "a", Expected.anything().length(301)));

        assertThat(cache.stats().bytes()).isZero();
    }

    @Test
    void a_download_that_is_shorter_than_the_store_said_is_corrupt_and_not_kept() {
        ObjectCache cache = cache();
        put("a", 300);
        ObjectStore cutting = new DelegatingStore(store) {
            @Override
            public Optional<ObjectSummary> download(String key, Path target) {
                Optional<ObjectSummary> summary = super.download(key, target);
                write(target, content(key, 299));
                return summary;
            }
        };

        assertFails(ErrorKind.CORRUPT, "299 of 300 bytes", () -> cache.open(cutting, "a", Expected.anything()));

        assertThat(cache.stats().bytes()).isZero();
        assertOpens(cache, "a");
    }

    @Test
    void content_as_expected_is_served_and_kept() {
        ObjectCache cache = cache();
        put("a", 300);
        Expected expected = Expected.anything().length(300).sha256(Sha256.hex(content("a")));

        for (int i = 0; i < 2; i++) {
            try (CachedObject open = cache.open(store, "a", expected)) {
                assertThat(open.path()).hasBinaryContent(content("a"));
            }
        }

        assertThat(store.downloads("a")).isEqualTo(1);
    }

    @Test
    void a_cached_file_that_is_not_what_is_expected_is_replaced_if_the_store_has_the_right_one() {
        ObjectCache cache = cache();
        store.put("a", Payload.of("of another store at the same location"));
        CachedObject other = cache.open(store, "a", Expected.anything());
        store.put("a", Payload.of("the right one"));
        Expected right = Expected.anything().sha256(Sha256.hex("the right one"));

        try (CachedObject open = cache.open(store, "a", right)) {
            assertThat(open.path()).hasContent("the right one");
            assertThat(other.path()).hasContent("of another store at the same location");
        }
        other.close();

        assertOpens(cache, "a");
        assertThat(store.downloads("a")).isEqualTo(2);
    }

    @Test
    void a_wrong_expectation_does_not_cost_others_the_cached_file() {
        ObjectCache cache = cache();
        put("a", 300);
        assertOpens(cache, "a");

        assertFails(
                ErrorKind.CORRUPT,
                "'a'",
                () -> cache.open(store, "a", Expected.anything().length(1)));

        assertOpens(cache, "a");
        assertThat(store.downloads("a")).isEqualTo(2);
    }

    @Test
    void a_download_that_fails_halfway_leaves_nothing_behind() throws IOException {
        ObjectCache cache = cache();
        put("a", 300);
        ObjectStore full = new DelegatingStore(store) {
            @Override
            public Optional<ObjectSummary> download(String key, Path target) {
                write(target, content(key, 150));
                throw new OntologiaException(ErrorKind.UNAVAILABLE, "cannot write", "no space left on device", "");
            }
        };

        assertFails(ErrorKind.UNAVAILABLE, "no space left", () -> cache.open(full, "a", Expected.anything()));

        assertThat(files("objects")).isEmpty();
        assertThat(files("processes"))
                .filteredOn(Files::isDirectory)
                .allSatisfy(own -> assertThat(own).isEmptyDirectory());
        assertOpens(cache, "a");
    }

    @Test
    void an_object_that_cannot_be_kept_is_served_all_the_same() throws IOException {
        ObjectCache cache = cache();
        put("a", 300);
        Files.delete(dir.resolve("objects"));

        assertOpens(cache, "a");

        Files.createDirectory(dir.resolve("objects"));
        assertOpens(cache, "a");
        assertOpens(cache, "a");
        assertThat(store.downloads("a")).isEqualTo(2);
    }

    @Test
    void a_folder_that_lost_its_private_part_is_reported() throws IOException {
        ObjectCache cache = cache();
        put("a", 300);
        for (Path own : files("processes")) {
            Files.delete(own);
        }

        assertFails(ErrorKind.UNAVAILABLE, dir.toString(), () -> cache.open(store, "a", Expected.anything()));
    }

    @Test
    void a_file_that_vanished_while_it_is_open_is_fetched_again_for_the_next() throws IOException {
        ObjectCache cache = cache();
        put("a", 300);
        CachedObject open = cache.open(store, "a", Expected.anything());
        Files.delete(open.path());

        assertOpens(cache, "a");

        open.close();
    }

    private static void write(Path target, byte[] bytes) {
        try {
            Files.write(target, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
