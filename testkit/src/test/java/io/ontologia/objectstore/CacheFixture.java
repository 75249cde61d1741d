package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of the cache share: a folder, a store that counts downloads, and a look at what is left at the end. */
abstract class CacheFixture {
    static final long BOUND = 1000;

    @TempDir
    Path dir;

    final SettableClock clock = new SettableClock();
    final DownloadCounter store = new DownloadCounter(ObjectStores.open("memory:", clock));
    private final List<ObjectCache> opened = new ArrayList<>();

    @AfterEach
    void nothing_is_left_behind_but_what_is_kept() throws IOException {
        opened.forEach(ObjectCache::close);

        assertThat(files("processes")).isEmpty();
        assertThat(files("objects"))
                .allSatisfy(
                        file -> assertThat(String.valueOf(file.getFileName())).matches("[0-9a-f]{64}(\\.sum)?"));
    }

    final ObjectCache cache() {
        return closedAtTheEnd(new ObjectCache(dir, BOUND, clock, new SplittableRandom()));
    }

    final ObjectCache closedAtTheEnd(ObjectCache cache) {
        opened.add(cache);
        return cache;
    }

    final void put(String key, int length) {
        store.put(key, Payload.of(content(key, length)));
    }

    final void assertOpens(ObjectCache cache, String key) {
        clock.advance(Duration.ofSeconds(1));
        try (CachedObject object = cache.open(store, key, Expected.anything())) {
            assertThat(object.path()).hasBinaryContent(content(key));
        }
    }

    final void evictAll(ObjectCache cache) throws IOException {
        put("all of it", (int) BOUND);
        assertOpens(cache, "all of it");
        assertThat(files("objects")).hasSize(2);
    }

    final byte[] content(String key) {
        return bytes(store, key);
    }

    static byte[] bytes(ObjectStore store, String key) {
        return store.get(key).orElseThrow().bytes();
    }

    static byte[] content(String key, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(key.hashCode()).nextBytes(bytes);
        return bytes;
    }

    final List<Path> files(String folder) throws IOException {
        if (!Files.exists(dir.resolve(folder))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(dir.resolve(folder))) {
            return files.sorted().toList();
        }
    }

    /** The one object that is kept. */
    final Path kept() throws IOException {
        return files("objects").stream()
                .filter(file -> !file.toString().endsWith(".sum"))
                .findFirst()
                .orElseThrow();
    }

    static void assertFails(ErrorKind kind, String text, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(text);
    }
}
