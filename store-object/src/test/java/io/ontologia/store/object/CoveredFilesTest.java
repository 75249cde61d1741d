package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of commits go when a snapshot has their rows, and nobody who asks notices. */
class CoveredFilesTest {
    private static final Duration GRACE = Duration.ofDays(7);
    private static final TypeRef NOTE = TypeRef.entity("Note");
    private static final TypeRef LINK = TypeRef.relation("Link");
    private static final Model MODEL = Model.of(
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id"),
            new RelationType("Link", "Note", "Note", Optional.empty(), List.of(FieldDef.of("n", Primitive.INT))));

    /** Later than any file: the moments of files come from the machine. */
    private final SettableClock clock = new SettableClock(Instant.parse("2200-01-01T00:00:00Z"));

    /** In a folder, because files are read in place there: no cache has what is gone. */
    @TempDir
    Path folder;

    private String uri = "";
    private ObjectStore objects = ObjectStores.open("memory:", ObjectStoreOptions.defaults());

    @BeforeEach
    void open() {
        uri = "file://" + folder.resolve("store");
        objects = ObjectStores.open(uri, ObjectStoreOptions.defaults().clock(clock));
    }

    private SessionOptions options() {
        return SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock));
    }

    private Maintenance maintain() {
        return Ontologia.maintain(uri, options());
    }

    private void commit(int count) {
        try (Session session = Ontologia.open(uri, options(), MODEL)) {
            for (int i = 0; i < count; i++) {
                long n = session.head();
                session.ensure(new Row.OfEntity("Note", "n" + n % 5, Map.of("n", n)));
                if (n % 2 == 0) {
                    session.ensure(new Row.OfRelation("Link", "n1", "n" + n % 3, "", Map.of("n", n)));
                }
                session.commit();
            }
        }
    }

    private static Upkeep upkeep(Maintenance maintenance) {
        return maintenance.storage().upkeep().orElseThrow();
    }

    private void compact() {
        try (Maintenance maintenance = maintain()) {
            upkeep(maintenance).compact(Optional.empty(), "operator", Progress.none());
        }
    }

    private List<String> removeCovered() {
        try (Maintenance maintenance = maintain()) {
            return upkeep(maintenance).removeCovered(GRACE).keys();
        }
    }

    private List<Object> answers() {
        try (Maintenance maintenance = maintain()) {
            return answers(maintenance.storage());
        }
    }

    private static List<Object> answers(Storage storage) {
        List<Object> answers = new ArrayList<>();
        try (Stream<CommitInfo> log = storage.commits(0, OptionalLong.empty())) {
            answers.add(log.toList());
        }
        // Rows before changes for one type and after them for the other: each must cope with files that went meanwhile.
        answers.addAll(rows(storage, NOTE));
        for (long commit : commits(storage)) {
            try (var changes = storage.changes(commit)) {
                answers.add(changes.toList());
            }
        }
        answers.addAll(rows(storage, LINK));
        return answers;
    }

    private static List<Long> commits(Storage storage) {
        return LongStream.iterate(1, id -> id <= storage.head(), id -> id + 1 + storage.head() / 8)
                .boxed()
                .toList();
    }

    private static List<Object> rows(Storage storage, TypeRef type) {
        List<Window> windows =
                new ArrayList<>(List.of(new Window.Latest(), new Window.History(0), new Window.History(3)));
        commits(storage).forEach(commit -> windows.add(new Window.AsOf(commit)));
        List<Object> answers = new ArrayList<>();
        for (Window window : windows) {
            try (Stream<StoredRow> rows = storage.rows(RowQuery.of(type, window))) {
                answers.add(rows.toList());
            }
        }
        return answers;
    }

    private void assertInOrder() {
        try (Maintenance maintenance = maintain()) {
            assertThat(maintenance.check(Progress.none()))
                    .filteredOn(Finding::isProblem)
                    .isEmpty();
        }
    }

    private List<String> keys(String prefix) {
        return objects.list(ListRequest.of(prefix)).objects().stream()
                .map(ObjectSummary::key)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 70})
    void every_answer_is_the_same_without_the_files(int commits) {
        commit(commits);
        List<Object> before = answers();
        compact();
        clock.advance(GRACE.plusDays(1));

        List<String> removed = removeCovered();

        assertThat(removed).hasSizeGreaterThan(commits).allMatch(key -> key.matches("commits/.*\\.parquet"));
        assertThat(keys("commits/"))
                .filteredOn(key -> key.endsWith("manifest.json"))
                .hasSize(commits);
        assertThat(keys("commits/")).doesNotContainAnyElementsOf(removed);
        assertThat(answers()).isEqualTo(before);
        assertInOrder();
    }

    @Test
    void a_lost_index_is_made_anew_without_the_files() {
        commit(20);
        List<Object> before = answers();
        compact();
        clock.advance(GRACE.plusDays(1));
        removeCovered();
        keys("meta/indices/").forEach(objects::delete);
        keys("meta/checkpoints/").forEach(objects::delete);

        assertThat(answers()).isEqualTo(before);
        try (Maintenance maintenance = maintain()) {
            assertThat(upkeep(maintenance).repairIndices())
                    .extracting(Upkeep.IndexState::status)
                    .containsOnly(Upkeep.IndexStatus.OK);
        }
        assertThat(answers()).isEqualTo(before);
        assertInOrder();
    }

    @Test
    void the_store_is_copied_and_goes_on_without_the_files() {
        commit(20);
        compact();
        clock.advance(GRACE.plusDays(1));
        removeCovered();
        List<Object> before = answers();

        try (Maintenance original = maintain();
                Maintenance copy = Ontologia.maintain(uri + "-copy", options())) {
            original.copyTo(copy, Progress.none());
            assertThat(answers(copy.storage())).isEqualTo(before);
        }
        commit(50);
        List<Object> later = answers();
        compact();
        assertThat(answers()).isEqualTo(later);
        assertInOrder();
    }

    @Test
    void who_had_the_store_open_before_finds_the_rows_too() {
        commit(20);
        try (Maintenance reader = maintain()) {
            List<Object> before = answers(reader.storage());
            String elsewhere = TestStoreProvider.uriOf(objects);
            try (Maintenance other = Ontologia.maintain(elsewhere, options())) {
                upkeep(other).compact(Optional.empty(), "operator", Progress.none());
                clock.advance(GRACE.plusDays(1));
                assertThat(upkeep(other).removeCovered(GRACE).keys()).isNotEmpty();
            }

            assertThat(answers(reader.storage())).isEqualTo(before);
        }
    }

    @Test
    void the_files_of_the_newest_commit_stay_for_readers_who_look_for_them() {
        commit(16);
        compact();
        clock.advance(GRACE.plusDays(1));

        removeCovered();

        assertThat(keys("commits/"))
                .filteredOn(key -> key.endsWith("entities/Note.parquet"))
                .singleElement()
                .asString()
                .startsWith("commits/16-");
    }

    @Test
    void nothing_goes_before_its_time_or_in_a_plan() {
        commit(20);
        compact();
        clock.advance(GRACE.minusHours(1));

        List<String> early = removeCovered();
        clock.advance(Duration.ofHours(2));
        List<String> planned;
        try (Maintenance maintenance = maintain()) {
            planned = upkeep(maintenance).findCovered(GRACE).keys();
        }

        assertThat(early).isEmpty();
        assertThat(planned).isNotEmpty();
        assertThat(keys("commits/")).containsAll(planned);
    }

    @Test
    void a_snapshot_that_is_not_what_it_was_covers_nothing() {
        commit(20);
        compact();
        keys("snapshots/").stream()
                .filter(key -> key.matches("snapshots/entities/Note-1-16.parquet"))
                .forEach(key -> objects.put(key, Payload.of(new byte[] {1, 2, 3})));
        clock.advance(GRACE.plusDays(1));

        List<String> removed = removeCovered();

        assertThat(removed)
                .isNotEmpty()
                .noneMatch(key -> key.matches("commits/([1-9]|1[0-6])-.*/entities/Note.parquet"));
    }

    @Test
    void what_others_committed_since_the_store_was_opened_is_no_garbage() {
        commit(1);
        SessionOptions apart =
                SessionOptions.defaults().storage(options().storage().leaseTtl(Duration.ofSeconds(17)));
        try (Maintenance early = Ontologia.maintain(uri, apart)) {
            commit(3);
            clock.advance(Duration.ofHours(2));

            assertThat(upkeep(early).findGarbage(Duration.ZERO).keys()).isEmpty();
        }
    }

    @Test
    void without_a_copy_of_the_index_nothing_goes() {
        commit(20);
        compact();
        keys("meta/checkpoints/").forEach(objects::delete);
        clock.advance(GRACE.plusDays(1));

        assertThat(removeCovered()).isEmpty();
    }
}
