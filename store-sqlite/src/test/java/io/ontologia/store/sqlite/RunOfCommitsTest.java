package io.ontologia.store.sqlite;

import static io.ontologia.core.Aggregate.count;
import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static io.ontologia.store.sqlite.ForeignFile.entity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.Entity;
import io.ontologia.core.Indexed;
import io.ontologia.core.Key;
import io.ontologia.core.LockHolder;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Relation;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Seeds;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of small commits that nobody asks between leaves the copies of latest versions behind the history. */
class RunOfCommitsTest {
    private static final int COMMITS = 60;
    private static final String BEHIND =
            "SELECT (SELECT max(id) FROM entity_history) - entity_upto FROM onto_latest_state";

    record Item(@Key String id, @Indexed int n) implements Entity {}

    record Link(String leftKey, String rightKey, int n) implements Relation<Item, Item> {}

    @TempDir
    Path folder;

    private ForeignFile file;
    private Session session;

    @BeforeEach
    void open() throws SQLException {
        session = open(StorageOptions.Mode.READ_WRITE);
        file = new ForeignFile(folder.resolve("onto.db"));
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
        file.close();
    }

    private Session open(StorageOptions.Mode mode) {
        return Ontologia.open(
                "sqlite:///" + folder.resolve("onto.db"),
                SessionOptions.defaults()
                        .storage(StorageOptions.defaults().mode(mode).lockTimeout(Duration.ofMillis(200))),
                Item.class,
                Link.class);
    }

    private static String key(int number) {
        return "i%03d".formatted(number);
    }

    /** One entity and, from the second on, a relation to the one before, in each commit. */
    private void commitMany() {
        for (int i = 0; i < COMMITS; i++) {
            session.ensure(new Item(key(i), i));
            if (i > 0) {
                session.ensure(new Link(key(i - 1), key(i), i));
            }
            session.commit();
        }
    }

    /** Everything that queries can say about the latest state, in one text. */
    private static String answers(Session asked) {
        var items = asked.entities(Item.class);
        var links = asked.relations(Link.class);
        StringBuilder all = new StringBuilder();
        all.append(items.list())
                .append(items.limit(5).list())
                .append(items.where(field(Item::n).gte(COMMITS - 3)).list())
                .append(items.where(field(Item::n).eq(7)).list())
                .append(items.orderBy(field(Item::n).descending()).limit(3).list())
                .append(items.count())
                .append(items.aggregate(count("n")))
                .append(links.list())
                .append(links.where(left(Item::n).gt(COMMITS - 5)).list())
                .append(links.where(field(Link::n).eq(3)).count())
                .append(asked.find(Item.class, key(COMMITS - 1)))
                .append(asked.traverse(Item.class).via(Link.class).list().stream()
                        .map(path -> path.source(Item.class) + " " + path.target(0, Item.class))
                        .toList());
        return all.toString();
    }

    @Test
    void leaves_the_copies_behind_and_the_next_query_brings_them_level() throws Exception {
        commitMany();

        assertThat(file.number(BEHIND)).isPositive();
        assertThat(session.entities(Item.class).list()).hasSize(COMMITS);
        file.assertSound();
    }

    @Test
    void who_only_reads_sees_every_row_all_the_same() throws Exception {
        commitMany();
        session.ensure(new Item(key(7), 1007), new Link(key(2), key(3), 1003));
        session.commit();

        String behind;
        try (Session reader = open(StorageOptions.Mode.READ_ONLY)) {
            behind = answers(reader);
        }

        assertThat(file.number(BEHIND)).isPositive();
        assertThat(behind).contains("Item[id=i007, n=1007]").contains("n=1003").doesNotContain("Item[id=i007, n=7]");
        assertThat(answers(session)).isEqualTo(behind);
        file.assertSound();
    }

    @Test
    void notices_a_commit_of_somebody_else() throws Exception {
        commitMany();
        long theirs = file.commit("2999-01-01T00:00:00.000000+00:00", null, entity("Item", "i000", "{'n': -1}"));

        session.ensure(new Item("i000", 0));
        CommitResult.Committed ours = (CommitResult.Committed) session.commit();

        assertThat(ours.commitId()).isEqualTo(theirs + 1);
        assertThat(ours.at()).isEqualTo(Instant.parse("2999-01-01T00:00:00Z"));
        assertThat(session.entities(Item.class).count()).isEqualTo(COMMITS);
        file.assertSound();
    }

    @Test
    void notices_a_lock_that_somebody_else_took() throws Exception {
        commitMany();
        file.execute("INSERT INTO locks VALUES ('ontology_write', 'other', '2026-01-01T00:00:00.000000+00:00',"
                + " '2999-01-01T00:00:00.000000+00:00')");
        session.ensure(new Item("i000", -1));

        assertThatThrownBy(session::commit)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.BUSY));
        file.execute("DELETE FROM locks");
        assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
    }

    @Test
    void notices_a_lock_that_was_taken_by_its_own_connection() {
        commitMany();
        LockHolder other = session.storage().locks().acquire("other", Duration.ZERO);
        session.ensure(new Item("i000", -1));

        assertThatThrownBy(session::commit)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.BUSY));
        session.storage().locks().release(other);
        assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
    }

    @Test
    void notices_a_schema_that_somebody_else_changed() throws Exception {
        commitMany();
        file.execute("INSERT INTO schema_versions (type_kind, type_name, schema_version_id, schema_json, schema_hash,"
                + " created_at) SELECT type_kind, type_name, 2, schema_json, schema_hash, created_at"
                + " FROM schema_versions WHERE type_name = 'Item'");
        session.ensure(new Item("i000", -1));

        assertThatThrownBy(session::commit).isInstanceOf(SchemaOutdatedException.class);
        session.discard();
    }

    @Test
    void goes_on_after_it_locked_asked_and_looked_ahead_itself() throws Exception {
        commitMany();

        for (int i = 0; i < COMMITS; i++) {
            session.ensure(new Item(key(i), -i - 1));
            switch (i % 4) {
                case 0 -> assertThat(session.preview()).hasSize(1);
                case 1 -> session.lock().acquire().close();
                case 2 -> assertThat(session.entities(Item.class).count()).isEqualTo(COMMITS);
                default -> {}
            }
            assertThat(((CommitResult.Committed) session.commit()).commitId()).isEqualTo(COMMITS + i + 1);
        }

        assertThat(session.entities(Item.class).where(field(Item::n).lt(0)).count())
                .isEqualTo(COMMITS);
        file.assertSound();
    }

    @Test
    void ends_level_when_the_session_is_closed() throws Exception {
        commitMany();

        session.close();

        file.assertSound();
    }

    @Test
    void goes_on_with_few_and_with_many_rows() throws Exception {
        commitMany();

        session.ensure(new Item(key(COMMITS - 1), COMMITS - 1));
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(COMMITS));
        session.ensure(new Item(key(COMMITS - 1), 5));
        assertThat(session.commit())
                .isInstanceOfSatisfying(
                        CommitResult.Committed.class,
                        committed -> assertThat(committed.updated()).isEqualTo(1));
        for (int i = 0; i < COMMITS; i++) {
            session.ensure(new Item(key(i), i));
        }
        assertThat(session.commit()).isInstanceOfSatisfying(CommitResult.Committed.class, committed -> {
            assertThat(committed.updated()).isEqualTo(1);
            assertThat(committed.inserted()).isZero();
        });
        assertThat(session.entities(Item.class).count()).isEqualTo(COMMITS);
        file.assertSound();
    }

    @Test
    void the_log_knows_the_rows_of_every_commit_before_and_after() throws Exception {
        commitMany();
        List<CommitInfo> before = session.log().last(COMMITS);

        assertThat(file.number(BEHIND)).isPositive();
        assertThat(before).extracting(CommitInfo::operations).startsWith(2L, 2L).endsWith(2L, 1L);
        assertThat(session.log().changes(COMMITS)).hasSize(2);
        assertThat(session.log().changes(3)).hasSize(2);

        session.entities(Item.class).list();
        assertThat(file.number(BEHIND)).isZero();
        assertThat(session.log().last(COMMITS)).isEqualTo(before);
        assertThat(session.log().changes(COMMITS)).hasSize(2);
    }

    @Test
    void rows_that_somebody_adds_to_an_old_commit_belong_to_it_and_replace_nothing_newer() throws Exception {
        commitMany();
        session.ensure(new Item(key(1), 100));
        session.commit();
        String late = "INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id) VALUES"
                + " ('Item', ?, '{\"n\":%d}', 4)";

        for (int round = 0; round < 2; round++) {
            file.execute(late.formatted(200 + round), round == 0 ? key(1) : "late");
            try (Session reader = open(StorageOptions.Mode.READ_ONLY)) {
                assertThat(reader.find(Item.class, key(1))).contains(new Item(key(1), 100));
                assertThat(reader.entities(Item.class).list()).contains(new Item(key(1), 100));
                assertThat(reader.log().get(4).orElseThrow().operations()).isEqualTo(3 + round);
                assertThat(reader.log().changes(4)).hasSize(3 + round);
            }
            assertThat(session.entities(Item.class).list()).contains(new Item(key(1), 100));
            assertThat(session.log().get(4).orElseThrow().operations()).isEqualTo(3 + round);
            assertThat(session.log().changes(4)).hasSize(3 + round);
        }
        assertThat(session.entities(Item.class).count()).isEqualTo(COMMITS + 1);
        file.assertLatestIsHistory();
    }

    @Test
    void rows_that_somebody_removes_no_longer_count() throws Exception {
        commitMany();
        session.entities(Item.class).list();

        file.execute("DELETE FROM relation_history WHERE commit_id = 4");

        try (Session reader = open(StorageOptions.Mode.READ_ONLY)) {
            assertThat(reader.log().get(4).orElseThrow().operations()).isEqualTo(1);
            assertThat(reader.log().get(5).orElseThrow().operations()).isEqualTo(2);
            assertThat(reader.log().changes(4)).hasSize(1);
        }
        assertThat(session.relations(Link.class).count()).isEqualTo(COMMITS - 2);
        assertThat(session.log().get(4).orElseThrow().operations()).isEqualTo(1);
        assertThat(session.log().changes(5)).hasSize(2);
    }

    @Test
    void ids_of_commits_are_never_used_again() throws Exception {
        session.ensure(new Item("a", 1));
        session.commit();
        session.ensure(new Item("a", 2));
        session.commit();
        file.execute("DELETE FROM entity_history WHERE commit_id = 2");
        file.execute("DELETE FROM commits WHERE id = 2");

        session.ensure(new Item("a", 3));

        assertThat(session.commit())
                .isInstanceOfSatisfying(
                        CommitResult.Committed.class,
                        committed -> assertThat(committed.commitId()).isEqualTo(3));
    }

    @Test
    void large_commits_leave_the_copies_behind_too_and_compare_with_what_they_wrote() throws Exception {
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < COMMITS; i++) {
                session.ensure(new Item(key(i), i < 10 ? round : i));
            }
            int updated = round == 0 ? 0 : 10;
            assertThat(session.commit())
                    .isInstanceOfSatisfying(
                            CommitResult.Committed.class,
                            committed -> assertThat(committed.updated()).isEqualTo(updated));
        }

        assertThat(file.number(BEHIND)).isPositive();
        for (int i = 0; i < COMMITS; i++) {
            session.ensure(new Item(key(i), i < 10 ? 5 : i));
        }
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(6));
        file.commit("2026-01-01T00:00:00Z", null, entity("Item", key(0), "{ 'n' : 5, 'id': 'i000' }"));
        for (int i = 0; i < COMMITS; i++) {
            session.ensure(new Item(key(i), i < 10 ? 5 : i));
        }
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(7));
        assertThat(session.entities(Item.class).count()).isEqualTo(COMMITS);
        file.assertLatestIsHistory();
    }

    @Test
    void readers_find_the_same_however_far_the_copies_are_behind() {
        TreeMap<String, Integer> expected = new TreeMap<>();
        Seeds.forEach("run of commits", 10, random -> {
            for (int i = 0; i < 80; i++) {
                int rows = random.nextInt(8) == 0 ? 30 : 1;
                for (int row = 0; row < rows; row++) {
                    Item item = new Item(key(random.nextInt(COMMITS)), random.nextInt(9));
                    session.ensure(item);
                    expected.put(item.id(), item.n());
                }
                if (random.nextInt(4) == 0) {
                    String one = key(random.nextInt(COMMITS));
                    session.ensure(new Link(one, key(random.nextInt(COMMITS)), random.nextInt(9)));
                }
                session.commit();
                if (random.nextInt(20) == 0) {
                    String key = key(random.nextInt(COMMITS));
                    int n = random.nextInt(9);
                    file.commit("2026-01-01T00:00:00Z", null, entity("Item", key, "{'n': " + n + "}"));
                    expected.put(key, n);
                }
            }
            String read;
            try (Session reader = open(StorageOptions.Mode.READ_ONLY)) {
                read = answers(reader);
                assertThat(reader.entities(Item.class).list())
                        .isEqualTo(expected.entrySet().stream()
                                .map(entry -> new Item(entry.getKey(), entry.getValue()))
                                .toList());
            }

            assertThat(answers(session)).isEqualTo(read);
            file.assertLatestIsHistory();
        });
    }
}
