package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Relation;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other programs write to the specification's tables while a session is open, and know nothing of ours. */
class ForeignWriterTest {
    record Item(@Key String id, int n) implements Entity {}

    record Next(String leftKey, String rightKey) implements Relation<Item, Item> {}

    private static final String COMMIT = "INSERT INTO commits (created_at) VALUES ('2199-01-01T00:00:00.000000+00:00')";

    @TempDir
    Path folder;

    private RawFile file;
    private Session session;

    @BeforeEach
    void fill() {
        file = new RawFile(folder.resolve("onto.db"));
        session = Ontologia.open(file.uri(), Item.class, Next.class);
        session.ensure(new Item("a", 1), new Item("b", 1), new Next("a", "b"));
        session.commit();
        session.ensure(new Item("a", 2));
        session.commit();
    }

    @AfterEach
    void close() {
        session.close();
    }

    private static String item(String key, int n, int commit) {
        return "INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id, schema_version_id)"
                + " VALUES ('Item', '" + key + "', '{\"n\": " + n + ", \"id\": \"" + key + "\"}', " + commit + ", 1)";
    }

    @Test
    void inserted_rows_are_seen_by_the_next_query() {
        file.execute(
                COMMIT,
                item("a", 7, 3),
                item("c", 8, 3),
                "INSERT INTO relation_history (relation_type, left_key, right_key, fields_json, commit_id)"
                        + " VALUES ('Next', 'b', 'c', '{}', 3)");

        assertThat(session.entities(Item.class).list())
                .containsExactly(new Item("a", 7), new Item("b", 1), new Item("c", 8));
        assertThat(session.find(Item.class, "c")).contains(new Item("c", 8));
        assertThat(session.relations(Next.class).list()).containsExactly(new Next("a", "b"), new Next("b", "c"));
        assertThat(session.entities(Item.class).asOf(2).list()).containsExactly(new Item("a", 2), new Item("b", 1));
    }

    @Test
    void deleted_rows_are_gone_with_the_next_query() {
        file.execute(
                "DELETE FROM entity_history WHERE entity_key = 'b'", "DELETE FROM entity_history WHERE commit_id = 2");

        assertThat(session.entities(Item.class).list()).containsExactly(new Item("a", 1));
        assertThat(session.find(Item.class, "b")).isEmpty();
    }

    @Test
    void changed_rows_are_seen_by_the_next_query() {
        file.execute("UPDATE entity_history SET fields_json = '{\"id\": \"b\", \"n\": 9}' WHERE entity_key = 'b'");

        assertThat(session.entities(Item.class).list()).containsExactly(new Item("a", 2), new Item("b", 9));
    }

    @Test
    void who_may_only_read_sees_them_too() {
        SessionOptions readOnly =
                SessionOptions.defaults().storage(StorageOptions.defaults().mode(StorageOptions.Mode.READ_ONLY));
        file.execute("DELETE FROM entity_history WHERE entity_key = 'b'", COMMIT, item("c", 8, 3));

        try (Session reader = Ontologia.open(file.uri(), readOnly, Item.class, Next.class)) {
            assertThat(reader.entities(Item.class).list()).containsExactly(new Item("a", 2), new Item("c", 8));
        }
    }

    @Test
    void a_commit_compares_with_what_others_wrote() {
        file.execute(COMMIT, item("a", 7, 3));
        session.ensure(new Item("a", 7), new Item("b", 1));

        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(3));
        session.ensure(new Item("a", 2));
        assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
        assertThat(session.entities(Item.class).list()).containsExactly(new Item("a", 2), new Item("b", 1));
    }

    @Test
    void rows_in_an_older_schema_version_are_written_again_when_they_are_wanted() {
        file.execute(
                "INSERT INTO schema_versions (type_kind, type_name, schema_version_id, schema_json, schema_hash, created_at)"
                        + " SELECT type_kind, type_name, 2, schema_json, schema_hash, created_at FROM schema_versions"
                        + " WHERE type_name = 'Item'");
        try (Session later = Ontologia.open(file.uri(), Item.class, Next.class)) {
            assertThat(later.entities(Item.class).list()).isEmpty();
            assertThat(later.entities(Item.class).omitted()).isEqualTo(2);

            later.ensure(new Item("a", 2));
            later.commit();

            assertThat(later.entities(Item.class).list()).containsExactly(new Item("a", 2));
            assertThat(later.entities(Item.class).omitted()).isEqualTo(1);
        }
    }
}
