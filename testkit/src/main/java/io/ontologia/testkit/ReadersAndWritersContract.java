package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers of every kind, some of which leave their streams open, beside writers and a compaction, in one process. Every
 * commit moves an amount from one account to another, so that each state that a reader may see has the same total. Neither open
 * files nor live memory grow. {@code
 * -Dontologia.rounds=N} runs longer.
 */
public abstract class ReadersAndWritersContract extends StorageSuite {
    private static final int READERS = 8;
    private static final int WRITERS = 2;
    private static final int ACCOUNTS = 1_000;
    private static final long BALANCE = 100;
    private static final int ROUNDS = Integer.getInteger("ontologia.rounds", 8);

    /** A pool may keep so many files more than before. */
    private static final int SPARE_FILES = 8;

    /** Other tests run in this process at the same time, so the bound is wide; one abandoned answer in each round exceeds it. */
    private static final long SPARE_BYTES = 48L << 20;

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** For whatever the store keeps on this machine. */
    @TempDir
    Path cache;

    record Account(@Key String id, long writer, long balance) implements Entity {}

    @Test
    void readers_see_whole_commits_beside_writers_and_a_compaction() {
        Seeds.forEach(getClass().getName(), 1, random -> {
            SessionOptions options = patient("session").storage(storageOptions());
            try (Session session = Ontologia.open(uri(), options, Account.class)) {
                session.ensureAll(
                        IntStream.range(0, ACCOUNTS).mapToObj(i -> new Account(key(i), i % WRITERS, BALANCE)));
                session.commit();
                // What is kept for later is there after the first time, and does not grow with the second.
                race(options, random);
                long files = openFiles();
                long bytes = liveBytes();
                race(options, random);
                await("open files", () -> openFiles() - files, SPARE_FILES);
                await("live memory", () -> liveBytes() - bytes, SPARE_BYTES);
                assertTotal(session);
            }
            await("open files of a closed store", this::openFiles, 0);
        });
    }

    private StorageOptions storageOptions() {
        StorageOptions storage = patient("session").storage();
        Map<String, String> settings = new HashMap<>(storage.settings());
        settings.put("cache_dir", cache.toString());
        return storage.settings(settings);
    }

    private void race(SessionOptions options, RandomGenerator random) {
        List<Long> seeds = random.longs(READERS + WRITERS + 1).boxed().toList();
        AtomicInteger writing = new AtomicInteger(WRITERS);
        try (Racers racers = new Racers(seeds.size())) {
            racers.race(number -> {
                RandomGenerator own = new SplittableRandom(seeds.get(number));
                if (number < WRITERS) {
                    write(options, number, own);
                    writing.decrementAndGet();
                } else if (number == WRITERS) {
                    compact(options, writing);
                } else {
                    read(options, own, writing);
                }
                return number;
            });
        }
    }

    /** Waits until a value is small enough: background work ends soon, and other tests let go of what they hold. */
    private static void await(String what, LongSupplier value, long most) {
        Clock clock = Clock.system();
        long deadline = clock.monotonicNanos() + PATIENCE.toNanos();
        long seen = value.getAsLong();
        while (seen > most && clock.monotonicNanos() < deadline) {
            clock.sleep(PAUSE);
            seen = value.getAsLong();
        }
        assertThat(seen).as(what).isLessThanOrEqualTo(most);
    }

    private static long liveBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static String key(int account) {
        return "account-" + account;
    }

    private void write(SessionOptions options, int writer, RandomGenerator random) {
        try (Session session = Ontologia.open(uri(), options, Account.class)) {
            for (int round = 0; round < ROUNDS; round++) {
                int from = random.nextInt(ACCOUNTS / WRITERS) * WRITERS + writer;
                int to = random.nextInt(ACCOUNTS / WRITERS) * WRITERS + writer;
                if (from == to) {
                    continue;
                }
                Account payer = session.find(Account.class, key(from)).orElseThrow();
                Account payee = session.find(Account.class, key(to)).orElseThrow();
                long amount = 1L + random.nextInt(20);
                session.ensure(
                        new Account(payer.id(), writer, payer.balance() - amount),
                        new Account(payee.id(), writer, payee.balance() + amount));
                session.commit();
            }
        }
    }

    private void compact(SessionOptions options, AtomicInteger writing) {
        do {
            try (Maintenance maintenance = Ontologia.maintain(uri(), options)) {
                maintenance
                        .storage()
                        .upkeep()
                        .ifPresent(upkeep -> upkeep.compact(Optional.empty(), "operator", Progress.none()));
            }
        } while (writing.get() > 0);
    }

    private void read(SessionOptions options, RandomGenerator random, AtomicInteger writing) {
        do {
            try (Session session = Ontologia.open(uri(), options, Account.class)) {
                for (int round = 0; round < ROUNDS; round++) {
                    ask(session, random);
                }
            }
        } while (writing.get() > 0);
    }

    private static void ask(Session session, RandomGenerator random) {
        switch (random.nextInt(7)) {
            case 0 -> assertTotal(session);
            case 1 ->
                assertThat(session.find(Account.class, key(random.nextInt(ACCOUNTS))))
                        .isPresent();
            case 2 ->
                assertThat(session.entities(Account.class)
                                .aggregate(Aggregate.sum("total", field("$.balance")))
                                .get(0)
                                .get("total"))
                        .isEqualTo(ACCOUNTS * BALANCE);
            case 3 ->
                assertThat(session.entities(Account.class)
                                .groupBy(field("$.writer"))
                                .aggregate(Aggregate.count("n")))
                        .hasSize(WRITERS);
            case 4 -> {
                // Left open on purpose.
                Iterator<Account> accounts =
                        session.entities(Account.class).stream().iterator();
                assertThat(accounts.next()).isNotNull();
            }
            case 5 ->
                assertThat(session
                                .entities(Account.class)
                                .where(field("$.balance").gt(BALANCE * 1_000))
                                .stream()
                                .findFirst())
                        .isEmpty();
            default -> {
                try (Stream<Account> accounts = session.entities(Account.class).stream()) {
                    assertThat(accounts.mapToLong(Account::balance).sum()).isEqualTo(ACCOUNTS * BALANCE);
                }
            }
        }
    }

    private static void assertTotal(Session session) {
        List<Account> accounts = session.entities(Account.class).list();
        assertThat(accounts).hasSize(ACCOUNTS);
        assertThat(accounts.stream().mapToLong(Account::balance).sum()).isEqualTo(ACCOUNTS * BALANCE);
    }

    /** How many files of the store and its cache this process has open; 0 where the system does not say. */
    private long openFiles() {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        String store = uri().replaceFirst("^[a-z0-9]+:/*", "/");
        try (Stream<Path> open = Files.list(descriptors)) {
            return open.map(ReadersAndWritersContract::target)
                    .filter(target ->
                            target.startsWith(cache.toString()) || (store.length() > 1 && target.startsWith(store)))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }
}
