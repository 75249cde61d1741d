package io.ontologia.store.object;

import static io.ontologia.core.Fields.key;
import static io.ontologia.core.Fields.leftKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Relation;
import io.ontologia.core.Result;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions about the past of a key have the same answers from the local table of all versions as from the files. */
class PastOfKeysTest {
    private static final int KEYS = 5;
    private static final int STEPS = 36;

    @TempDir
    Path folder;

    record Item(@Key String id, long v) implements Entity {}

    record Link(String leftKey, String rightKey, long v) implements Relation<Item, Item> {}

    private record Version(long commit, String key, String other, long value) {}

    private Session open(Path store, Path cache) {
        return Ontologia.open(
                store.toUri().toString(),
                SessionOptions.defaults()
                        .storage(StorageOptions.defaults().settings(Map.of("cache_dir", cache.toString()))),
                Item.class,
                Link.class);
    }

    @Test
    void answers_are_those_of_a_plain_list() {
        Seeds.forEach("Past of keys", 1, random -> walk(Files.createTempDirectory(folder, "walk"), random));
    }

    private void walk(Path place, RandomGenerator random) throws IOException {
        Path store = place.resolve("store");
        Path cache = place.resolve("cache");
        List<Version> items = new ArrayList<>();
        List<Version> links = new ArrayList<>();
        try (Session session = open(store, cache);
                Session other = open(store, place.resolve("other"))) {
            for (int step = 1; step <= STEPS; step++) {
                Session writer = random.nextInt(3) == 0 ? other : session;
                commit(writer, step, random, items, links);
                if (random.nextInt(12) == 0) {
                    compact(store, place.resolve("upkeep"));
                }
                for (int question = 0; question < 4; question++) {
                    ask(session, random, items, links);
                }
                if (step == STEPS - 8) {
                    assertThat(tables(cache)).isNotEmpty();
                    delete(cache);
                }
            }
        }
    }

    private static void commit(
            Session session, int step, RandomGenerator random, List<Version> items, List<Version> links) {
        List<Version> newItems = new ArrayList<>();
        List<Version> newLinks = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            if (random.nextInt(3) == 0) {
                newItems.add(new Version(0, "k" + i, "", step));
                session.ensure(new Item("k" + i, step));
            }
            if (random.nextInt(3) == 0) {
                String to = "k" + random.nextInt(KEYS);
                newLinks.add(new Version(0, "k" + i, to, step));
                session.ensure(new Link("k" + i, to, step));
            }
        }
        session.commit();
        long head = session.head();
        newItems.forEach(row -> items.add(new Version(head, row.key, "", row.value)));
        newLinks.forEach(row -> links.add(new Version(head, row.key, row.other, row.value)));
    }

    private static void ask(Session session, RandomGenerator random, List<Version> items, List<Version> links) {
        String wanted = "k" + random.nextInt(KEYS);
        long at = random.nextLong(session.head() + 1);
        assertThat(session.entities(Item.class).where(key().eq(wanted)).historySince(at).results().stream()
                        .map(PastOfKeysTest::version))
                .as("history of %s since %d", wanted, at)
                .containsExactlyElementsOf(history(items, wanted, at));
        assertThat(session.relations(Link.class).where(leftKey().eq(wanted)).historySince(at).results().stream()
                        .map(PastOfKeysTest::link))
                .as("history of links of %s since %d", wanted, at)
                .containsExactlyElementsOf(history(links, wanted, at));
        if (at > 0) {
            assertThat(session.findAsOf(Item.class, wanted, at).map(Item::v))
                    .as("%s as of %d", wanted, at)
                    .isEqualTo(asOf(items, wanted, at).map(Version::value));
            assertThat(session.relations(Link.class)
                            .where(leftKey().eq(wanted))
                            .asOf(at)
                            .list())
                    .as("links of %s as of %d", wanted, at)
                    .containsExactlyInAnyOrderElementsOf(linksAsOf(links, wanted, at));
        }
    }

    private static Version version(Result<Item> row) {
        return new Version(row.commitId(), row.value().id(), "", row.value().v());
    }

    private static Version link(Result<Link> row) {
        return new Version(
                row.commitId(),
                row.value().leftKey(),
                row.value().rightKey(),
                row.value().v());
    }

    private static List<Version> history(List<Version> all, String key, long after) {
        return all.stream()
                .filter(row -> row.key.equals(key) && row.commit > after)
                .sorted(Comparator.comparingLong(Version::commit).thenComparing(Version::other))
                .toList();
    }

    private static Optional<Version> asOf(List<Version> all, String key, long at) {
        return all.stream()
                .filter(row -> row.key.equals(key) && row.commit <= at)
                .max(Comparator.comparingLong(Version::commit));
    }

    private static List<Link> linksAsOf(List<Version> links, String key, long at) {
        return links.stream()
                .filter(row -> row.key.equals(key))
                .map(Version::other)
                .distinct()
                .flatMap(to -> links.stream()
                        .filter(row -> row.key.equals(key) && row.other.equals(to) && row.commit <= at)
                        .max(Comparator.comparingLong(Version::commit))
                        .stream())
                .map(row -> new Link(row.key, row.other, row.value))
                .toList();
    }

    private static void compact(Path store, Path cache) {
        try (var maintenance = Ontologia.maintain(
                store.toUri().toString(),
                SessionOptions.defaults()
                        .storage(StorageOptions.defaults().settings(Map.of("cache_dir", cache.toString()))))) {
            Upkeep upkeep = maintenance.storage().upkeep().orElseThrow();
            upkeep.compact(Optional.empty(), "test", Progress.none());
        }
    }

    private static List<Path> tables(Path cache) throws IOException {
        try (Stream<Path> files = Files.walk(cache)) {
            return files.filter(file -> file.getFileName().toString().startsWith("versions-"))
                    .toList();
        }
    }

    private static void delete(Path cache) throws IOException {
        try (Stream<Path> files = Files.walk(cache)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
