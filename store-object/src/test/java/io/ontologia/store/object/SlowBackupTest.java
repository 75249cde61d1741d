package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.core.spi.Upkeep.IndexStatus;
import io.ontologia.kernel.JsonObject;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The order of the backup guide for the tools of a bucket, object by object, while commits, compactions and clean-ups go on
 * between any two objects.
 */
class SlowBackupTest {
    private static final String HEAD = "meta/head.json";
    private static final Duration GRACE = Duration.ofDays(7);
    private static final Model MODEL = Model.of(
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id"));

    /** Later than any file: the moments of files come from the machine. */
    private final SettableClock clock = new SettableClock(Instant.parse("2200-01-01T00:00:00Z"));

    @TempDir
    Path folder;

    /** Runs have folders of their own. */
    private int run;

    private String uri(String name) {
        return "file://" + folder.resolve(run + name);
    }

    private ObjectStore objects(String name) {
        return ObjectStores.open(uri(name), ObjectStoreOptions.defaults().clock(clock));
    }

    private SessionOptions options(String cache) {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults()
                        .clock(clock)
                        .settings(
                                Map.of("cache_dir", folder.resolve(run + cache).toString())));
    }

    /** A store whose other users do something between any two objects of the backup. */
    private final class Busy implements AutoCloseable {
        private final Session session = Ontologia.open(uri("store"), options("cache"), MODEL);
        private final Maintenance maintenance = Ontologia.maintain(uri("store"), options("cache"));
        private final RandomGenerator random;
        private int left = 60;

        Busy(RandomGenerator random) {
            this.random = random;
            for (int i = 0; i < 12; i++) {
                commit();
            }
        }

        private void commit() {
            long n = session.head() + 1;
            session.ensure(new Row.OfEntity("Note", "k" + n % 5, Map.of("n", n)));
            session.commit();
        }

        /** Something happens before each of the first objects that are copied; later it is quiet, so that a backup ends. */
        void goOn() {
            if (left-- <= 0) {
                return;
            }
            Upkeep upkeep = maintenance.storage().upkeep().orElseThrow();
            switch (random.nextInt(6)) {
                case 0, 1 -> commit();
                case 2 -> upkeep.compact(Optional.empty(), "operator", Progress.none());
                case 3 -> {
                    clock.advance(GRACE.plusDays(1));
                    upkeep.removeCovered(GRACE);
                    upkeep.collectGarbage(GRACE);
                }
                default -> {}
            }
        }

        @Override
        public void close() {
            maintenance.close();
            session.close();
        }
    }

    private static List<String> keys(ObjectStore store, String prefix) {
        List<String> keys = new ArrayList<>();
        ListRequest request = ListRequest.of(prefix);
        while (true) {
            ListPage page = store.list(request);
            page.objects().stream().map(ObjectSummary::key).forEach(keys::add);
            if (page.next().isEmpty()) {
                return keys;
            }
            request = request.continueAt(page.next().get());
        }
    }

    /** One step of the backup: returns whether nothing was missing, and nothing had changed that was there already. */
    private boolean copy(ObjectStore from, ObjectStore to, String prefix, Busy busy) {
        boolean same = true;
        for (String key : keys(from, prefix)) {
            busy.goOn();
            Optional<StoredObject> before = to.get(key);
            Optional<StoredObject> now = from.get(key);
            now.ifPresent(object -> to.put(key, Payload.of(object.bytes())));
            same &= now.isPresent()
                    && (before.isEmpty()
                            || Arrays.equals(before.get().bytes(), now.get().bytes()));
        }
        return same;
    }

    /** The state after a commit: the commits are numbered by what they write. */
    private static List<String> expected(long head) {
        return java.util.stream.LongStream.rangeClosed(1, head)
                .mapToObj(n -> "k" + n % 5 + "=" + n)
                .sorted()
                .toList();
    }

    private List<String> history(String name) {
        try (Session session = Ontologia.open(uri(name), options("cache of " + name), MODEL)) {
            return session.entities("Note").withHistory().list().stream()
                    .map(row -> ((Row.OfEntity) row).key() + "=" + row.fields().get("n"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void a_backup_restores_to_a_state_of_the_past_with_nothing_missing() {
        Seeds.forEach("slow backup", Integer.getInteger("ontologia.simulation.runs", 3), this::backUpAndRestore);
    }

    private void backUpAndRestore(RandomGenerator random) {
        run++;
        ObjectStore backup = objects("backup");
        long head;
        try (Busy busy = new Busy(random);
                ObjectStore store = objects("store")) {
            copy(store, backup, "meta/schema/", busy);
            do {
                busy.goOn();
                backup.put(HEAD, Payload.of(store.get(HEAD).orElseThrow().bytes()));
            } while (!copy(store, backup, "meta/schema/", busy));
            head = JsonObject.parse(HEAD, backup.get(HEAD).orElseThrow().bytes())
                    .integer("commit_id");
            // Indices are not needed. They do no harm either, whatever state they are of.
            copy(store, backup, "meta/indices/", busy);
            while (!(copy(store, backup, "commits/", busy) && copy(store, backup, "snapshots/", busy))) {
                busy.goOn();
            }
        }

        ObjectStore restored = objects("restored");
        List<String> all = new ArrayList<>(keys(backup, ""));
        all.remove(HEAD);
        all.add(HEAD);
        all.forEach(key ->
                restored.put(key, Payload.of(backup.get(key).orElseThrow().bytes())));

        assertThat(history("restored")).isEqualTo(expected(head));
        try (Maintenance maintenance = Ontologia.maintain(uri("restored"), options("cache of the operator"))) {
            Upkeep upkeep = maintenance.storage().upkeep().orElseThrow();
            assertThat(upkeep.repairIndices())
                    .extracting(Upkeep.IndexState::status)
                    .containsOnly(IndexStatus.OK);
            assertThat(maintenance.check(Progress.none()))
                    .filteredOn(Finding::isProblem)
                    .isEmpty();
        }
        assertThat(history("restored")).isEqualTo(expected(head));
    }
}
