package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ontologia.objectstore.ByteRange;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What many threads see of a store that they use at the same time. */
public abstract class ObjectStoreRaceContract extends ObjectStoreSuite {
    private static final int THREADS = 16;

    @Test
    void of_many_that_create_one_object_exactly_one_does() {
        try (Racers racers = new Racers(THREADS)) {
            for (int i = 0; i < raceRounds(); i++) {
                String key = key("created-" + i);
                String round = i + ":";

                List<PutOutcome> outcomes = racers.race(n -> store().putIfAbsent(key, Payload.of(round + n)));

                assertOneWinner(key, outcomes, round);
            }
        }
    }

    @Test
    void of_many_that_replace_one_version_exactly_one_does() {
        String key = key("replaced");
        ETag current = put(key, "start");
        try (Racers racers = new Racers(THREADS)) {
            for (int i = 0; i < raceRounds(); i++) {
                String round = i + ":";
                ETag expected = current;

                List<PutOutcome> outcomes = racers.race(n -> store().putIfMatch(key, Payload.of(round + n), expected));

                current = assertOneWinner(key, outcomes, round);
            }
        }
    }

    @Test
    void no_update_is_lost_when_many_append_to_one_object() {
        String key = key("log");
        put(key, "");
        int each = Math.max(1, raceRounds() / THREADS);
        Map<String, PutOutcome> outcomes = new ConcurrentHashMap<>();

        try (Racers racers = new Racers(THREADS)) {
            racers.race(n -> appendUntilWritten(key, n, each, outcomes));
        }

        List<String> log = read(key).text().lines().toList();
        Set<String> landed = Set.copyOf(log);
        assertThat(log).doesNotHaveDuplicates();
        outcomes.forEach((entry, outcome) -> {
            if (outcome instanceof PutOutcome.Written) {
                assertThat(landed).as("an update reported as written").contains(entry);
            } else if (outcome instanceof PutOutcome.Refused) {
                assertThat(landed).as("an update reported as refused").doesNotContain(entry);
            } else {
                assertThat(losersMayBeUnknown()).as("outcome %s", outcome).isTrue();
            }
        });
    }

    private int appendUntilWritten(String key, int writer, int times, Map<String, PutOutcome> outcomes) {
        int attempt = 0;
        for (int done = 0; done < times; attempt++) {
            StoredObject before = read(key);
            String entry = writer + "-" + attempt;
            PutOutcome outcome = store().putIfMatch(key, Payload.of(before.text() + entry + "\n"), before.etag());
            outcomes.put(entry, outcome);
            // Each refusal needs another's success, so there is an end even with some unknown outcomes between.
            assertThat(attempt).as("attempts of one writer").isLessThan(10 * THREADS * times);
            if (outcome instanceof PutOutcome.Written) {
                done++;
            }
        }
        return attempt;
    }

    @Test
    void either_those_that_delete_or_one_that_replaces_wins_a_version() {
        assumeTrue(enforcesConditionalDelete(), "this server deletes whatever the condition says");
        String key = key("contested");
        try (Racers racers = new Racers(THREADS)) {
            for (int i = 0; i < raceRounds(); i++) {
                String round = i + ":";
                ETag expected = put(key, round + "start");

                List<Object> outcomes = racers.<Object>race(n -> n % 2 == 0
                        ? store().deleteIfMatch(key, expected)
                        : store().putIfMatch(key, Payload.of(round + n), expected));

                List<Integer> winners = winners(outcomes);
                if (winners.stream().allMatch(n -> n % 2 == 0)) {
                    assertSomebodyDeleted(outcomes);
                    assertThat(store().get(key)).isEmpty();
                } else {
                    assertThat(winners).as("winners among %s", outcomes).hasSize(1);
                    assertThat(read(key).text()).isEqualTo(round + winners.get(0));
                }
            }
        }
    }

    @Test
    void of_many_that_delete_one_version_only_one_removes_it() {
        assumeTrue(enforcesConditionalDelete(), "this server deletes whatever the condition says");
        String key = key("deleted");
        try (Racers racers = new Racers(THREADS)) {
            for (int i = 0; i < raceRounds() / 10; i++) {
                ETag expected = put(key, "round " + i);

                List<DeleteOutcome> outcomes = racers.race(n -> store().deleteIfMatch(key, expected));

                assertSomebodyDeleted(outcomes);
                assertThat(store().get(key)).isEmpty();
            }
        }
    }

    private void assertSomebodyDeleted(List<?> outcomes) {
        assertThat(winners(outcomes))
                .as("winners among %s", outcomes)
                .hasSizeBetween(1, refusesToDeleteWhatIsGone() ? 1 : THREADS);
    }

    /**
     * One writer replaces an object by versions that are one byte repeated, longer and shorter in turn; readers get it
     * whole, in part and as files. Every reader checks that it saw one version, not older than what was written when it
     * began to read; in the end the ETags are compared with those that the writer got.
     */
    @Test
    void readers_see_one_version_whole_with_its_own_etag_and_never_an_older_one(@TempDir Path dir) {
        String key = key("rewritten");
        int versions = Math.max(20, raceRounds() / 5);
        Map<ETag, Integer> writtenAs = new ConcurrentHashMap<>();
        writtenAs.put(store().put(key, version(0)), 0);
        Map<ETag, Integer> readAs = new ConcurrentHashMap<>();
        AtomicInteger completed = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();

        try (Racers racers = new Racers(8)) {
            racers.race(n -> {
                if (n == 0) {
                    try {
                        rewrite(key, versions, writtenAs, completed);
                    } finally {
                        over.set(true);
                    }
                    return versions;
                }
                int reads = 0;
                do {
                    int oldest = completed.get();
                    int seen = n <= 2 ? readPart(key, readAs) : n == 3 ? readFile(key, dir) : readWhole(key, readAs);
                    assertThat(seen).as("version seen").isGreaterThanOrEqualTo(oldest);
                    reads++;
                } while (!over.get());
                return reads;
            });
        }

        assertThat(writtenAs).hasSize(versions + 1);
        assertThat(writtenAs).containsAllEntriesOf(readAs);
    }

    private void rewrite(String key, int versions, Map<ETag, Integer> writtenAs, AtomicInteger completed) {
        ETag current = read(key).etag();
        for (int v = 1; v <= versions; v++) {
            current = v % 2 == 0 ? store().put(key, version(v)) : written(store().putIfMatch(key, version(v), current));
            writtenAs.put(current, v);
            completed.set(v);
        }
    }

    /** The number, then filling of one kind, so that bytes of two versions are seen to be mixed. */
    private static Payload version(int number) {
        byte[] bytes = new byte[number % 2 == 0 ? 200_000 : 70_000];
        Arrays.fill(bytes, (byte) ('a' + number % 26));
        byte[] head = "%08d".formatted(number).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(head, 0, bytes, 0, head.length);
        System.arraycopy(head, 0, bytes, bytes.length - head.length, head.length);
        return Payload.of(bytes);
    }

    private int readWhole(String key, Map<ETag, Integer> readAs) {
        StoredObject object = read(key);
        assertThat(object.size()).isEqualTo(object.bytes().length);
        int number = requireOneVersion(object.bytes());
        readAs.put(object.etag(), number);
        return number;
    }

    private int readPart(String key, Map<ETag, Integer> readAs) {
        GetOutcome outcome = store().get(key, GetOptions.whole().range(ByteRange.last(8)));
        StoredObject object = ((GetOutcome.Found) outcome).object();
        int number = Integer.parseInt(object.text());
        assertThat(object.size()).isEqualTo(version(number).length());
        readAs.put(object.etag(), number);
        return number;
    }

    private int readFile(String key, Path dir) {
        Path target = dir.resolve("downloaded");
        long size = store().download(key, target).orElseThrow().size();
        try {
            byte[] bytes = Files.readAllBytes(target);
            assertThat(size).isEqualTo(bytes.length);
            return requireOneVersion(bytes);
        } catch (IOException e) {
            throw new AssertionError("cannot read the download", e);
        }
    }

    private static int requireOneVersion(byte[] bytes) {
        int number = Integer.parseInt(new String(bytes, 0, 8, StandardCharsets.US_ASCII));
        assertThat(Arrays.equals(bytes, ((Payload.InMemory) version(number)).bytes()))
                .as("the bytes are those of version %d and no other", number)
                .isTrue();
        return number;
    }

    @Test
    void a_listing_never_misses_a_key_that_stays_while_many_write_and_delete_others() {
        Set<String> staying = IntStream.range(0, 30)
                .mapToObj("s%02d-stays"::formatted)
                .peek(name -> put(key(name), name))
                .collect(Collectors.toSet());
        int rounds = Math.max(5, raceRounds() / 20);

        try (Racers racers = new Racers(8)) {
            racers.race(n -> {
                for (int i = 0; i < rounds; i++) {
                    String name = "s%02d-%d".formatted((i * 7 + n) % 30, n);
                    if (n < 4) {
                        put(key(name), name);
                        assertThat(names(listing(""))).contains(name);
                        store().delete(key(name));
                    } else {
                        List<String> names = names(listing("").pageSize(7));
                        assertThat(names).doesNotHaveDuplicates().containsAll(staying);
                    }
                }
                return rounds;
            });
        }

        assertThat(names(listing(""))).containsExactlyInAnyOrderElementsOf(staying);
    }

    private ETag assertOneWinner(String key, List<PutOutcome> outcomes, String round) {
        List<Integer> winners = winners(outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        int winner = winners.get(0);
        StoredObject stored = read(key);
        assertThat(stored.text()).isEqualTo(round + winner);
        assertThat(stored.etag()).isEqualTo(((PutOutcome.Written) outcomes.get(winner)).etag());
        return stored.etag();
    }

    private List<Integer> winners(List<?> outcomes) {
        List<Integer> winners = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            Object outcome = outcomes.get(i);
            if (outcome instanceof PutOutcome.Written || outcome instanceof DeleteOutcome.Deleted) {
                winners.add(i);
            } else if (outcome instanceof PutOutcome.Unknown || outcome instanceof DeleteOutcome.Unknown) {
                assertThat(losersMayBeUnknown()).as("outcome %s", outcome).isTrue();
            }
        }
        return winners;
    }
}
