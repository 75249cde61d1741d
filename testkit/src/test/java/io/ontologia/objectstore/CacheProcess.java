package io.ontologia.objectstore;

import io.ontologia.kernel.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/** A process of its own that uses a cache folder; says on its standard output how far it got. */
final class CacheProcess {
    static final long BOUND = 20_000;
    static final int OBJECTS = 16;

    private CacheProcess() {}

    public static void main(String[] args) throws Exception {
        Path dir = Path.of(args[1]);
        switch (args[0]) {
            case "hang" -> hangInTheMiddleOfADownload(dir);
            case "churn" -> churn(dir, Long.parseLong(args[2]), Integer.parseInt(args[3]));
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("DONE");
    }

    /** The same objects in every process. */
    static ObjectStore store() {
        ObjectStore store = ObjectStores.open("memory:");
        for (int i = 0; i < OBJECTS; i++) {
            store.put("k" + i, Payload.of(content(i)));
        }
        return store;
    }

    static byte[] content(int i) {
        byte[] bytes = new byte[1000 + 500 * i];
        new SplittableRandom(i).nextBytes(bytes);
        return bytes;
    }

    /** Opens objects at random and compares each with what it must be. */
    static void churn(Path dir, long seed, int rounds) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        try (ObjectStore store = store();
                ObjectCache cache = new ObjectCache(dir, BOUND, Clock.system(), new SplittableRandom(seed))) {
            for (int n = 0; n < rounds; n++) {
                int i = random.nextInt(OBJECTS);
                try (CachedObject object = cache.open(store, "k" + i, Expected.anything())) {
                    if (!Arrays.equals(Files.readAllBytes(object.path()), content(i))) {
                        throw new IllegalStateException("wrong content of k" + i + " in round " + n);
                    }
                }
                if (cache.stats().bytes() > BOUND) {
                    throw new IllegalStateException("more than the bound in round " + n);
                }
            }
        }
    }

    private static void hangInTheMiddleOfADownload(Path dir) {
        ObjectStore hanging = new DelegatingStore(store()) {
            @Override
            public Optional<ObjectSummary> download(String key, Path target) {
                try {
                    Files.write(target, Arrays.copyOf(content(1), 700));
                    System.out.println("HALF");
                    new CountDownLatch(1).await();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return Optional.empty();
            }
        };
        try (ObjectCache cache = new ObjectCache(dir, BOUND, Clock.system(), new SplittableRandom());
                CachedObject object = cache.open(hanging, "k1", Expected.anything())) {
            throw new IllegalStateException("opened " + object.path());
        }
    }
}
