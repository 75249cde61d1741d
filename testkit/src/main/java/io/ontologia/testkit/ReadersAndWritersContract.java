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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Readers of every kind, some of which leave their streams open, beside writers and a compaction, in one process. Every
 * commit moves an amount from one account to another, so that each state that a reader may see has the same total. {@code
 * -Dontologia.rounds=N} runs longer.
 */
public abstract class ReadersAndWritersContract extends StorageSuite {
    private static final int READERS = 8;
    private static final int WRITERS = 2;
    private static final int ACCOUNTS = 1_000;
    private static final long BALANCE = 100;
    private static final int ROUNDS = Integer.getInteger("ontologia.rounds", 12);

    /** So many files of the process may be open more than before: those that other tests use at the same time. */
    private static final int OTHER_FILES = 150;

    record Account(@Key String id, long writer, long balance) implements Entity {}

    @Test
    void readers_see_whole_commits_beside_writers_and_a_compaction() {
        Seeds.forEach(getClass().getName(), 1, random -> {
            SessionOptions options = patient("session");
            try (Session session = Ontologia.open(uri(), options, Account.class)) {
                session.ensureAll(
                        IntStream.range(0, ACCOUNTS).mapToObj(i -> new Account(key(i), i % WRITERS, BALANCE)));
                session.commit();
            }
            long files = openFiles();
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
            try (Session session = Ontologia.open(uri(), options, Account.class)) {
                assertTotal(session);
            }
            assertThat(openFiles() - files).isLessThan(OTHER_FILES);
        });
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
                        .isEqualTo((double) ACCOUNTS * BALANCE);
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

    /** How many files this process has open; 0 where the system does not say. */
    private static long openFiles() {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(descriptors)) {
            return open.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
