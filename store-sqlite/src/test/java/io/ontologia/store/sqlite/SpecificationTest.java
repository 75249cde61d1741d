package io.ontologia.store.sqlite;

import static io.ontologia.core.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Relation;
import io.ontologia.core.Result;
import io.ontologia.core.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statements of the specification, word by word, on our files; and our queries on files that were made with them. */
class SpecificationTest {
    private static final String[] TABLES = {"""
        CREATE TABLE IF NOT EXISTS commits (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            created_at TEXT NOT NULL,
            metadata_json TEXT
        )""", """
        CREATE TABLE IF NOT EXISTS entity_history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            entity_type TEXT NOT NULL,
            entity_key TEXT NOT NULL,
            fields_json TEXT NOT NULL,
            commit_id INTEGER NOT NULL,
            schema_version_id INTEGER,
            FOREIGN KEY (commit_id) REFERENCES commits(id)
        )""", """
        CREATE INDEX idx_entity_history_lookup
            ON entity_history(entity_type, entity_key, commit_id DESC)""", """
        CREATE TABLE IF NOT EXISTS relation_history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            relation_type TEXT NOT NULL,
            left_key TEXT NOT NULL,
            right_key TEXT NOT NULL,
            instance_key TEXT NOT NULL DEFAULT '',
            fields_json TEXT NOT NULL,
            commit_id INTEGER NOT NULL,
            schema_version_id INTEGER,
            FOREIGN KEY (commit_id) REFERENCES commits(id)
        )""", """
        CREATE INDEX idx_relation_history_lookup
            ON relation_history(relation_type, left_key, right_key, instance_key, commit_id DESC)""", """
        CREATE TABLE IF NOT EXISTS schema_registry (
            type_kind TEXT NOT NULL,
            type_name TEXT NOT NULL,
            schema_json TEXT NOT NULL,
            PRIMARY KEY (type_kind, type_name)
        )""", """
        CREATE TABLE IF NOT EXISTS schema_versions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            type_kind TEXT NOT NULL,
            type_name TEXT NOT NULL,
            schema_version_id INTEGER NOT NULL,
            schema_json TEXT NOT NULL,
            schema_hash TEXT NOT NULL,
            created_at TEXT NOT NULL,
            runtime_id TEXT,
            reason TEXT,
            UNIQUE(type_kind, type_name, schema_version_id)
        )""", """
        CREATE TABLE IF NOT EXISTS locks (
            lock_name TEXT PRIMARY KEY,
            owner_id TEXT NOT NULL,
            acquired_at TEXT NOT NULL,
            expires_at TEXT NOT NULL
        )"""};

    private static final String LATEST_ENTITY = """
            SELECT fields_json, commit_id
            FROM entity_history
            WHERE entity_type = ? AND entity_key = ?
            ORDER BY commit_id DESC
            LIMIT 1""";

    private static final String LATEST_ENTITIES = """
            SELECT eh.entity_key, eh.fields_json, eh.commit_id
            FROM entity_history eh
            INNER JOIN (
                SELECT entity_key, MAX(commit_id) as max_cid
                FROM entity_history
                WHERE entity_type = ?
                GROUP BY entity_key
            ) latest ON eh.entity_key = latest.entity_key
                AND eh.commit_id = latest.max_cid
            WHERE eh.entity_type = ?""";

    private static final String ENTITIES_AS_OF = """
            SELECT eh.entity_key, eh.fields_json, eh.commit_id
            FROM entity_history eh
            INNER JOIN (
                SELECT entity_key, MAX(commit_id) as max_cid
                FROM entity_history
                WHERE entity_type = ? AND commit_id <= ?
                GROUP BY entity_key
            ) latest ON eh.entity_key = latest.entity_key
                AND eh.commit_id = latest.max_cid
            WHERE eh.entity_type = ?""";

    private static final String ENTITY_HISTORY = """
            SELECT eh.entity_key, eh.fields_json, eh.commit_id
            FROM entity_history eh
            WHERE eh.entity_type = ?
            ORDER BY eh.commit_id ASC""";

    private static final String LATEST_RELATIONS = """
            SELECT rh.left_key, rh.right_key, rh.instance_key, rh.fields_json, rh.commit_id
            FROM relation_history rh
            INNER JOIN (
                SELECT left_key, right_key, instance_key, MAX(commit_id) as max_cid
                FROM relation_history
                WHERE relation_type = ?
                GROUP BY left_key, right_key, instance_key
            ) latest ON rh.left_key = latest.left_key
                AND rh.right_key = latest.right_key
                AND rh.instance_key = latest.instance_key
                AND rh.commit_id = latest.max_cid
            WHERE rh.relation_type = ?""";

    private static final String WHOSE_LEFT_END_IS = LATEST_RELATIONS + """

             AND EXISTS (
                SELECT 1 FROM entity_history le
                INNER JOIN (
                    SELECT entity_key, MAX(commit_id) as max_cid
                    FROM entity_history WHERE entity_type = ? GROUP BY entity_key
                ) le_latest ON le.entity_key = le_latest.entity_key
                    AND le.commit_id = le_latest.max_cid
                WHERE le.entity_type = ? AND le.entity_key = rh.left_key
                    AND json_extract(le.fields_json, '$.tier') = ?
            )""";

    record Customer(@Key String id, String tier) implements Entity {}

    record Product(@Key String sku) implements Entity {}

    record Owns(String leftKey, String rightKey, int count) implements Relation<Customer, Product> {}

    @TempDir
    Path folder;

    private Session open() {
        return Ontologia.open("sqlite:///" + folder.resolve("onto.db"), Customer.class, Product.class, Owns.class);
    }

    private ForeignFile file() throws Exception {
        return new ForeignFile(folder.resolve("onto.db"));
    }

    private void fill(Session session) {
        session.ensure(new Customer("c1", "Gold"), new Customer("c2", "Iron"), new Product("p1"));
        session.commit();
        session.ensure(new Customer("c1", "Iron"), new Owns("c1", "p1", 1), new Owns("c2", "p1", 2));
        session.commit();
        session.ensure(new Customer("c2", "Gold"), new Owns("c1", "p1", 3));
        session.commit();
    }

    private static <T> List<String> texts(Stream<Result<T>> results) {
        return results.map(result -> result.value() + " of " + result.commitId())
                .sorted()
                .toList();
    }

    private static List<String> customers(List<String> rows) {
        return rows.stream()
                .map(row -> row.split("\\|"))
                .map(row -> "Customer[id=" + row[0] + ", tier=" + row[1].replaceAll(".*\"tier\":\"(\\w+)\".*", "$1")
                        + "] of " + row[2])
                .sorted()
                .toList();
    }

    @Test
    void the_tables_and_indexes_are_those_of_the_specification() throws Exception {
        open().close();
        Path other = folder.resolve("spec.db");
        try (ForeignFile ours = file();
                ForeignFile spec = new ForeignFile(other)) {
            for (String table : TABLES) {
                spec.execute(table);
            }
            for (String table : spec.rows("SELECT name FROM sqlite_master WHERE type = 'table'")) {
                for (String pragma : List.of("table_xinfo", "foreign_key_list")) {
                    String sql = "SELECT * FROM pragma_" + pragma + "('" + table + "')";
                    assertThat(ours.rows(sql)).as(sql).isEqualTo(spec.rows(sql));
                }
            }
            for (String index : spec.rows("SELECT name FROM sqlite_master WHERE type = 'index'")) {
                String sql = "SELECT * FROM pragma_index_xinfo('" + index + "')";
                assertThat(ours.rows(sql)).as(sql).isEqualTo(spec.rows(sql)).isNotEmpty();
            }
            assertThat(ours.rows("PRAGMA journal_mode")).containsExactly("wal");
        }
    }

    @Test
    void its_queries_find_in_our_files_what_ours_do() throws Exception {
        try (Session session = open();
                ForeignFile file = file()) {
            fill(session);
            var customers = session.entities(Customer.class);

            assertThat(customers(file.rows(LATEST_ENTITIES, "Customer", "Customer")))
                    .isEqualTo(texts(customers.results().stream()));
            for (long commit = 0; commit <= 4; commit++) {
                assertThat(customers(file.rows(ENTITIES_AS_OF, "Customer", commit, "Customer")))
                        .isEqualTo(texts(customers.asOf(commit).results().stream()));
            }
            assertThat(customers(file.rows(ENTITY_HISTORY, "Customer")))
                    .isEqualTo(texts(customers.withHistory().results().stream()));
            assertThat(file.rows(LATEST_ENTITY, "Customer", "c1"))
                    .containsExactly("{\"id\":\"c1\",\"tier\":\"Iron\"}|2");
            assertThat(file.rows(LATEST_RELATIONS, "Owns", "Owns"))
                    .containsExactlyInAnyOrder("c1|p1||{\"count\":3}|3", "c2|p1||{\"count\":2}|2");
            assertThat(file.rows(WHOSE_LEFT_END_IS, "Owns", "Owns", "Customer", "Customer", "Gold"))
                    .containsExactly("c2|p1||{\"count\":2}|2");
            assertThat(session.relations(Owns.class)
                            .where(left(Customer::tier).eq("Gold"))
                            .list())
                    .containsExactly(new Owns("c2", "p1", 2));
        }
    }

    @Test
    void a_commit_is_stored_as_the_write_protocol_says() throws Exception {
        try (Session session = open();
                ForeignFile file = file()) {
            session.ensure(new Customer("c1", "Gold"), new Owns("c1", "p1", 1));
            session.commit(Map.of("by", "Zoë", "n", 1));

            assertThat(file.rows("SELECT id, metadata_json FROM commits"))
                    .containsExactly("1|{\"by\":\"Zoë\",\"n\":1}");
            assertThat(file.rows("SELECT created_at FROM commits"))
                    .allMatch(text -> text.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}\\+00:00"));
            assertThat(file.rows("SELECT * FROM entity_history"))
                    .containsExactly("1|Customer|c1|{\"id\":\"c1\",\"tier\":\"Gold\"}|1|1");
            assertThat(file.rows("SELECT * FROM relation_history")).containsExactly("1|Owns|c1|p1||{\"count\":1}|1|1");
            assertThat(file.rows("SELECT r.type_name FROM schema_registry r JOIN schema_versions v USING (type_kind,"
                            + " type_name, schema_json) WHERE v.schema_version_id = 1 AND v.reason = 'initial'"))
                    .containsExactlyInAnyOrder("Customer", "Product", "Owns");
            assertThat(file.rows("SELECT * FROM locks")).isEmpty();
            session.ensure(new Customer("c2", "Gold"));
            session.commit();
            assertThat(file.rows("SELECT metadata_json FROM commits WHERE id = 2"))
                    .containsExactly("null");
            file.assertSound();
        }
    }
}
