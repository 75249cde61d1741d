package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Sha256;
import io.ontologia.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ObjectCacheTest extends CacheFixture {
    @Test
    void an_object_is_downloaded_once_and_then_served_from_disk() {
        ObjectCache cache = cache();
        put("a", 300);

        assertOpens(cache, "a");
        assertOpens(cache, "a");
        assertOpens(cache(), "a");

        assertThat(store.downloads("a")).isEqualTo(1);
        assertThat(cache.stats()).isEqualTo(new CacheStats(1, 1, 300, 0));
    }

    @Test
    void an_object_that_is_open_is_shared() {
        ObjectCache cache = cache();
        put("a", 300);

        CachedObject first = cache.open(store, "a", Expected.anything());
        CachedObject second = cache.open(store, "a", Expected.anything());
        first.close();
        first.close();

        assertThat(second.path()).hasBinaryContent(content("a")).isEqualTo(first.path());
        assertThat(second.length()).isEqualTo(300);
        second.close();
        assertThat(second.path()).doesNotExist();
    }

    @Test
    void what_was_used_longest_ago_is_evicted_first() {
        ObjectCache cache = cache();
        for (String key : List.of("a", "b", "c", "d")) {
            put(key, 300);
        }
        assertOpens(cache, "a");
        assertOpens(cache, "b");
        assertOpens(cache, "c");
        assertOpens(cache, "a");

        assertOpens(cache, "d");

        assertThat(cache.stats().evictions()).isEqualTo(1);
        assertOpens(cache, "a");
        assertOpens(cache, "c");
        assertOpens(cache, "d");
        assertThat(store.downloads("a", "c", "d")).isEqualTo(3);
        assertOpens(cache, "b");
        assertThat(store.downloads("b")).isEqualTo(2);
    }

    @Test
    void an_object_that_is_opened_again_while_it_is_open_counts_as_used() {
        ObjectCache cache = cache();
        for (String key : List.of("a", "b", "c", "d")) {
            put(key, 300);
        }
        CachedObject open = cache.open(store, "a", Expected.anything());
        assertOpens(cache, "b");
        assertOpens(cache, "c");
        assertOpens(cache, "a");
        open.close();

        assertOpens(cache, "d");
        assertOpens(cache, "a");

        assertThat(store.downloads("a")).isEqualTo(1);
    }

    @Test
    void the_bound_is_kept_whatever_comes() {
        Seeds.forEach("cache churn", 2, seed -> {
            Path folder = dir.resolve(Long.toHexString(seed.nextLong()));
            DownloadCounter churned = new DownloadCounter(ObjectStores.open("memory:", clock));
            try (ObjectCache one = new ObjectCache(folder, BOUND, clock, new SplittableRandom());
                    ObjectCache other = new ObjectCache(folder, BOUND, clock, new SplittableRandom())) {
                for (int i = 0; i < 80; i++) {
                    String key = "k" + seed.nextInt(20);
                    if (churned.get(key).isEmpty()) {
                        churned.put(key, Payload.of(content(key, seed.nextInt(600))));
                    }
                    clock.advance(Duration.ofSeconds(1));
                    ObjectCache cache = seed.nextBoolean() ? one : other;
                    try (CachedObject object = cache.open(churned, key, Expected.anything())) {
                        assertThat(object.path()).hasBinaryContent(bytes(churned, key));
                    }
                    assertThat(cache.stats().bytes()).isLessThanOrEqualTo(BOUND);
                }
                assertThat(one.stats().evictions() + other.stats().evictions()).isPositive();
                assertThat(one.stats().hits() + other.stats().hits()).isPositive();
            }
        });
    }

    @Test
    void a_smaller_bound_holds_from_the_start() {
        put("a", 300);
        put("b", 300);
        ObjectCache large = cache();
        assertOpens(large, "a");
        assertOpens(large, "b");

        ObjectCache small = closedAtTheEnd(new ObjectCache(dir, 400, clock, new SplittableRandom()));

        assertThat(small.stats().bytes()).isEqualTo(300);
    }

    @Test
    void an_open_object_stays_readable_when_it_is_evicted() throws IOException {
        ObjectCache cache = cache();
        put("a", 300);
        CachedObject open = cache.open(store, "a", Expected.anything());

        evictAll(cache);

        assertThat(open.path()).hasBinaryContent(content("a"));
        open.close();
        assertThat(open.path()).doesNotExist();
        assertOpens(cache, "a");
        assertThat(store.downloads("a")).isEqualTo(2);
    }

    @Test
    void without_hard_links_everything_works_by_copying() throws IOException {
        ObjectCache cache = closedAtTheEnd(
                new ObjectCache(dir, BOUND, clock, new SplittableRandom(), Duration.ofSeconds(5), (name, file) -> {
                    throw new UnsupportedOperationException("this file system has no links");
                }));
        put("a", 300);
        assertOpens(cache, "a");
        CachedObject open = cache.open(store, "a", Expected.anything());

        evictAll(cache);

        assertThat(open.path()).hasBinaryContent(content("a"));
        open.close();
        assertThat(store.downloads("a")).isEqualTo(1);
        assertOpens(cache, "a");
        assertThat(store.downloads("a")).isEqualTo(2);
    }

    @Test
    void an_object_larger_than_the_bound_is_served_but_not_kept() throws IOException {
        ObjectCache cache = cache();
        put("small", 300);
        put("large", 1001);
        assertOpens(cache, "small");

        try (CachedObject open = cache.open(store, "large", Expected.anything())) {
            assertThat(open.path()).hasBinaryContent(content("large"));
        }

        assertThat(cache.stats().bytes()).isEqualTo(300);
        assertOpens(cache, "large");
        assertThat(store.downloads("large")).isEqualTo(2);
        assertOpens(cache, "small");
        assertThat(store.downloads("small")).isEqualTo(1);
    }

    @Test
    void an_object_of_exactly_the_bound_is_kept() {
        ObjectCache cache = cache();
        put("small", 300);
        put("full", 1000);
        assertOpens(cache, "small");

        assertOpens(cache, "full");
        assertOpens(cache, "full");

        assertThat(store.downloads("full")).isEqualTo(1);
        assertThat(cache.stats().bytes()).isEqualTo(1000);
    }

    @Test
    void an_empty_object_is_an_object() {
        ObjectCache cache = cache();
        put("empty", 0);

        assertOpens(cache, "empty");
        assertOpens(cache, "empty");

        assertThat(store.downloads("empty")).isEqualTo(1);
    }

    @Test
    void a_file_is_named_by_a_hash_and_never_by_the_key() throws IOException {
        put("deeply/nested/ключ", 300);

        assertOpens(cache(), "deeply/nested/ключ");

        String name = Sha256.hex("memory:\ndeeply/nested/ключ");
        assertThat(files("objects"))
                .containsExactly(dir.resolve("objects/" + name), dir.resolve("objects/" + name + ".sum"));
    }

    @Test
    void the_same_key_in_another_store_is_another_object() {
        ObjectCache cache = cache();
        put("a", 300);
        ObjectStore elsewhere = new DelegatingStore(ObjectStores.open("memory:", clock)) {
            @Override
            public String location() {
                return "s3://elsewhere";
            }
        };
        elsewhere.put("a", Payload.of("other content"));
        assertOpens(cache, "a");

        try (CachedObject open = cache.open(elsewhere, "a", Expected.anything())) {
            assertThat(open.path()).hasContent("other content");
        }
    }

    @Test
    void a_missing_object_is_not_found_until_it_is_there() {
        ObjectCache cache = cache();

        assertFails(ErrorKind.NOT_FOUND, "'a'", () -> cache.open(store, "a", Expected.anything()));
        put("a", 300);

        assertOpens(cache, "a");
    }

    @Test
    void a_bad_key_a_bad_bound_and_a_bad_expectation_are_refused() {
        assertFails(ErrorKind.INVALID_INPUT, "../a", () -> cache().open(store, "../a", Expected.anything()));
        assertFails(ErrorKind.INVALID_INPUT, "-1", () -> new ObjectCache(dir, -1, clock, new SplittableRandom()));
        assertFails(ErrorKind.INVALID_INPUT, "", () -> Expected.anything().length(-1));
        assertFails(ErrorKind.INVALID_INPUT, "", () -> Expected.anything().sha256("ABC"));
    }

    @Test
    void a_folder_that_cannot_be_made_is_reported() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "");

        assertFails(
                ErrorKind.UNAVAILABLE,
                file.toString(),
                () -> new ObjectCache(file.resolve("x"), BOUND, clock, new SplittableRandom()));
        Files.createDirectory(dir.resolve("processes"));
        Files.createDirectory(dir.resolve("objects"));
    }

    @Test
    void after_close_nothing_is_opened_but_what_is_open_stays() {
        ObjectCache cache = cache();
        put("a", 300);
        CachedObject open = cache.open(store, "a", Expected.anything());

        cache.close();
        cache.close();

        assertFails(ErrorKind.CLOSED, "closed", () -> cache.open(store, "a", Expected.anything()));
        assertThat(open.path()).hasBinaryContent(content("a"));
        open.close();
        assertThat(open.path().getParent()).doesNotExist();
    }
}
