package io.ontologia.store.object;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import io.ontologia.core.spi.Upkeep.IndexState;
import io.ontologia.core.spi.Upkeep.IndexStatus;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indices and snapshots that do not belong to the commits of the head: after an interrupted copy, or a slow backup. */
class IndexOfAnotherHistoryTest {
    private static final String HEAD = "meta/head.json";
    private static final String INDEX = "meta/indices/entities/Note.json";
    private static final String CHECKPOINT = "meta/checkpoints/entities/Note.json";
    private static final String SNAPSHOT = "snapshots/entities/Note-1-3.parquet";
    private static final String DESCRIPTOR = "snapshots/entities/Note-1-3.json";
    private static final Duration GRACE = Duration.ofDays(7);
    private static final Model MODEL = Model.of(
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id"));

    /** Later than any file: the moments of files come from the machine. */
    private final SettableClock clock = new SettableClock(Instant.parse("2200-01-01T00:00:00Z"));

    @TempDir
    Path folder;

    private ObjectStore objects = ObjectStores.open("memory:", ObjectStoreOptions.defaults());
    private String uri = "";
    private int machines;

    @BeforeEach
    void three_commits_and_the_head_of_the_first() {
        use("store");
        commit("one");
        StoredObject first = objects.get(HEAD).orElseThrow();
        commit("two");
        commit("three");
        objects.put(HEAD, Payload.of(first.bytes()));
    }

    private void use(String name) {
        uri = "file://" + folder.resolve(name);
        objects = ObjectStores.open(uri, ObjectStoreOptions.defaults().clock(clock));
    }

    /** Every session is on a machine of its own, without anything in its cache. */
    private SessionOptions elsewhere() {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults()
                        .clock(clock)
                        .settings(Map.of(
                                "cache_dir",
                                folder.resolve("cache" + machines++).toString())));
    }

    private void commit(String key) {
        try (Session session = Ontologia.open(uri, elsewhere(), MODEL)) {
            session.ensure(new Row.OfEntity("Note", key, Map.of("n", 1L)));
            session.commit();
        }
    }

    private List<String> keys() {
        try (Session session = Ontologia.open(uri, elsewhere(), MODEL)) {
            return session.entities("Note").list().stream()
                    .map(row -> ((Row.OfEntity) row).key())
                    .sorted()
                    .toList();
        }
    }

    private List<String> history() {
        try (Session session = Ontologia.open(uri, elsewhere(), MODEL)) {
            return session.entities("Note").withHistory().list().stream()
                    .map(row -> ((Row.OfEntity) row).key())
                    .sorted()
                    .toList();
        }
    }

    private interface Ask<T> {
        T of(Upkeep upkeep);
    }

    private <T> T upkeep(Ask<T> ask) {
        try (Maintenance maintenance = Ontologia.maintain(uri, elsewhere())) {
            return ask.of(maintenance.storage().upkeep().orElseThrow());
        }
    }

    private List<IndexStatus> verified() {
        return upkeep(Upkeep::verifyIndices).stream().map(IndexState::status).toList();
    }

    private List<String> problems() {
        try (Maintenance maintenance = Ontologia.maintain(uri, elsewhere())) {
            return maintenance.check(Progress.none()).stream()
                    .filter(Finding::isProblem)
                    .map(Finding::code)
                    .toList();
        }
    }

    private void compact() {
        upkeep(upkeep -> upkeep.compact(Optional.empty(), "operator", Progress.none()));
    }

    /** As versions before anchors wrote it, also when others had put the head back. */
    private void putIndex(String key, String... commits) {
        StringBuilder entries = new StringBuilder();
        for (String commit : commits) {
            String first = commit.replaceFirst("^(?:commits/|snapshots/.*?-)(\\d+)-.*", "$1");
            String last = lastOf(commit);
            entries.append(entries.isEmpty() ? "" : ",")
                    .append("{\"min_commit_id\":" + first + ",\"max_commit_id\":" + last + ",\"path\":\"" + commit
                            + "\"}");
        }
        objects.put(
                key,
                Payload.of(("{\"type_name\":\"Note\",\"max_indexed_commit\":"
                                + lastOf(commits[commits.length - 1])
                                + ",\"entries\":[" + entries + "]}")
                        .getBytes(UTF_8)));
    }

    private static String lastOf(String path) {
        return path.replaceFirst("^(?:commits/|snapshots/.*?-\\d+-)(\\d+)[-.].*", "$1");
    }

    private List<String> filesOf(int commit) {
        return objects.list(ListRequest.of("commits/" + commit + "-")).objects().stream()
                .map(ObjectSummary::key)
                .filter(key -> key.endsWith(".parquet"))
                .toList();
    }

    @Test
    void a_reader_sees_what_was_committed_and_nothing_else() {
        assertThat(keys()).containsExactly("one");

        commit("other two");
        assertThat(keys()).containsExactly("one", "other two");

        commit("other three");
        assertThat(keys()).containsExactly("one", "other three", "other two");
        assertThat(history()).containsExactly("one", "other three", "other two");

        commit("other four");
        assertThat(keys()).containsExactly("one", "other four", "other three", "other two");
    }

    @Test
    void what_is_beyond_the_head_is_reported_and_repaired() {
        assertThat(verified()).containsExactly(IndexStatus.BEYOND_HEAD);
        assertThat(problems()).containsExactly("index-beyond-head");

        upkeep(Upkeep::repairIndices);

        assertThat(verified()).containsExactly(IndexStatus.OK);
        assertThat(problems()).isEmpty();
        assertThat(objects.get(INDEX).orElseThrow().text()).contains("\"max_indexed_commit\":1");
        assertThat(keys()).containsExactly("one");
    }

    @Test
    void the_next_commit_repairs_the_index() {
        commit("other two");

        assertThat(verified()).containsExactly(IndexStatus.OK);
        assertThat(problems()).isEmpty();
    }

    @Test
    void compaction_and_the_removal_of_covered_files_keep_what_was_committed() {
        commit("other two");
        commit("other three");

        compact();
        clock.advance(GRACE.multipliedBy(2));
        upkeep(upkeep -> upkeep.removeCovered(GRACE));
        upkeep(upkeep -> upkeep.collectGarbage(GRACE));

        assertThat(keys()).containsExactly("one", "other three", "other two");
        assertThat(history()).containsExactly("one", "other three", "other two");
        assertThat(problems()).isEmpty();
    }

    @Test
    void an_index_that_an_earlier_version_extended_is_compared_by_path() {
        String two = filesOf(2).get(0);
        String three = filesOf(3).get(0);
        commit("other two");
        commit("other three");
        commit("other four");
        putIndex(INDEX, filesOf(1).get(0), two, three, filesOf(4).get(0));

        assertThat(keys()).containsExactly("one", "other four", "other three", "other two");
        assertThat(verified()).containsExactly(IndexStatus.PATH_MISMATCH);
        assertThat(problems()).containsExactly("index-wrong-file");

        upkeep(Upkeep::repairIndices);

        assertThat(verified()).containsExactly(IndexStatus.OK);
        assertThat(keys()).containsExactly("one", "other four", "other three", "other two");
    }

    @Test
    void a_snapshot_of_other_files_is_not_used_and_covers_nothing() {
        // As earlier versions wrote it.
        nameSnapshotOfOtherRows(descriptor -> descriptor
                .replaceFirst("\"commit_files\":\\[[^]]*],", "")
                .replaceFirst("\"document_sha256\":\"[^\"]*\",", ""));

        assertThat(keys()).containsExactly("one", "other three", "other two");
        assertThat(verified()).containsExactly(IndexStatus.PATH_MISMATCH);
        assertThat(problems()).containsExactlyInAnyOrder("index-wrong-file", "snapshot-content");
        assertThat(upkeep(upkeep -> upkeep.findCovered(GRACE)).keys()).isEmpty();

        upkeep(Upkeep::repairIndices);

        assertThat(verified()).containsExactly(IndexStatus.OK);
        assertThat(keys()).containsExactly("one", "other three", "other two");
    }

    @Test
    void rows_are_compared_where_the_descriptor_of_a_snapshot_is_damaged() {
        nameSnapshotOfOtherRows(descriptor -> descriptor.replaceFirst("\"commit_files\":\\[[^]]*],", ""));

        assertThat(keys()).containsExactly("one", "other three", "other two");
        assertThat(verified()).containsExactly(IndexStatus.PATH_MISMATCH);
        assertThat(problems()).containsExactlyInAnyOrder("index-wrong-file", "snapshot-content", "damaged-descriptor");
        assertThat(upkeep(upkeep -> upkeep.findCovered(GRACE)).keys()).isEmpty();

        upkeep(Upkeep::repairIndices);

        assertThat(verified()).containsExactly(IndexStatus.OK);
        assertThat(keys()).containsExactly("one", "other three", "other two");
    }

    @Test
    void rows_are_compared_where_a_snapshot_has_no_descriptor() {
        nameSnapshotOfOtherRows(descriptor -> descriptor);
        objects.delete(DESCRIPTOR);

        assertThat(verified()).containsExactly(IndexStatus.PATH_MISMATCH);

        upkeep(Upkeep::repairIndices);

        assertThat(verified()).containsExactly(IndexStatus.OK);
        assertThat(keys()).containsExactly("one", "other three", "other two");
    }

    @Test
    void a_snapshot_of_the_same_rows_is_right_without_a_descriptor() {
        commit("other two");
        commit("other three");
        compact();
        objects.put(DESCRIPTOR, Payload.of("{\"document_sha256\":\"0\"}".getBytes(UTF_8)));

        assertThat(verified()).containsExactly(IndexStatus.OK);
        assertThat(problems()).containsExactly("damaged-descriptor");
        assertThat(keys()).containsExactly("one", "other three", "other two");
    }

    /** The head is at the third commit of one history, the index names a snapshot of another history. */
    private void nameSnapshotOfOtherRows(UnaryOperator<String> descriptor) {
        StoredObject first = objects.get(HEAD).orElseThrow();
        commit("other two");
        commit("other three");
        StoredObject third = objects.get(HEAD).orElseThrow();
        objects.put(HEAD, Payload.of(first.bytes()));
        commit("lost two");
        commit("lost three");
        compact();
        String written = objects.get(DESCRIPTOR).orElseThrow().text();
        objects.put(DESCRIPTOR, Payload.of(descriptor.apply(written).getBytes(UTF_8)));
        objects.put(HEAD, Payload.of(third.bytes()));
        putIndex(INDEX, SNAPSHOT);
        putIndex(CHECKPOINT, SNAPSHOT);
        clock.advance(GRACE.multipliedBy(2));
    }

    @Test
    void the_head_within_a_snapshot_shows_only_commits_up_to_it() {
        use("longer");
        commit("one");
        commit("two");
        StoredObject second = objects.get(HEAD).orElseThrow();
        commit("three");
        commit("four");
        compact();
        clock.advance(GRACE.multipliedBy(2));
        upkeep(upkeep -> upkeep.removeCovered(GRACE));
        assertThat(filesOf(1)).isEmpty();
        objects.put(HEAD, Payload.of(second.bytes()));

        assertThat(keys()).containsExactly("one", "two");
        assertThat(history()).containsExactly("one", "two");

        commit("other three");

        assertThat(keys()).containsExactly("one", "other three", "two");
        assertThat(history()).containsExactly("one", "other three", "two");
        assertThat(verified()).containsExactly(IndexStatus.OK);
        assertThat(problems()).isEmpty();

        objects.delete(INDEX);
        objects.delete(CHECKPOINT);

        assertThat(history()).containsExactly("one", "other three", "two");
    }

    @Test
    void an_older_index_that_names_a_file_which_a_snapshot_replaced_is_reported_and_repaired() {
        use("restored");
        commit("one");
        commit("two");
        StoredObject head = objects.get(HEAD).orElseThrow();
        StoredObject index = objects.get(INDEX).orElseThrow();
        commit("three");
        compact();
        objects.delete(filesOf(1).get(0));
        objects.put(HEAD, Payload.of(head.bytes()));
        objects.put(INDEX, Payload.of(index.bytes()));

        assertThat(keys()).containsExactly("one", "two");
        assertThat(verified()).containsExactly(IndexStatus.PATH_MISMATCH);
        assertThat(problems()).containsExactly("index-wrong-file");

        upkeep(Upkeep::repairIndices);

        assertThat(verified()).containsExactly(IndexStatus.OK);
        assertThat(problems()).isEmpty();
        assertThat(history()).containsExactly("one", "two");
    }
}
