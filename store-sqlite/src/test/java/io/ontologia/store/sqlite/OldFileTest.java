package io.ontologia.store.sqlite;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Entity;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Key;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Relation;
import io.ontologia.core.Row;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.StorageInfo.RowCounts;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files from before schema versions and instance keys, made by hand with the specification's tables. */
class OldFileTest {
    record Customer(@Key String id, String name, String tier) implements Entity {}

    record Product(@Key String sku) implements Entity {}

    record Buys(String leftKey, String rightKey, int n) implements Relation<Customer, Product> {}

    private static final String TEXT =
            "\"type\": \"<class 'str'>\", \"type_spec\": {\"kind\": \"primitive\", \"name\": \"str\"}";

    private static final String[] TABLES = {
        "CREATE TABLE commits (id INTEGER PRIMARY KEY AUTOINCREMENT, created_at TEXT NOT NULL, metadata_json TEXT)",
        """
        CREATE TABLE entity_history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            entity_type TEXT NOT NULL,
            entity_key TEXT NOT NULL,
            fields_json TEXT NOT NULL,
            commit_id INTEGER NOT NULL,
            FOREIGN KEY (commit_id) REFERENCES commits(id)
        )""",
        "CREATE INDEX idx_entity_history_lookup ON entity_history(entity_type, entity_key, commit_id DESC)",
        """
        CREATE TABLE relation_history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            relation_type TEXT NOT NULL,
            left_key TEXT NOT NULL,
            right_key TEXT NOT NULL,
            fields_json TEXT NOT NULL,
            commit_id INTEGER NOT NULL,
            FOREIGN KEY (commit_id) REFERENCES commits(id)
        )""",
        "CREATE INDEX idx_relation_history_lookup ON relation_history(relation_type, left_key, right_key, commit_id DESC)",
        """
        CREATE TABLE schema_registry (
            type_kind TEXT NOT NULL,
            type_name TEXT NOT NULL,
            schema_json TEXT NOT NULL,
            PRIMARY KEY (type_kind, type_name)
        )"""
    };

    private static final String[] CONTENT = {
        "INSERT INTO schema_registry VALUES ('entity', 'Customer', '{\"entity_name\": \"Customer\", \"fields\": {"
                + ("\"id\": {\"primary_key\": true, \"index\": false, " + TEXT + "}, ").replace("'", "''")
                + ("\"name\": {\"primary_key\": false, \"index\": false, " + TEXT + "}, ").replace("'", "''")
                + ("\"tier\": {\"primary_key\": false, \"index\": false, " + TEXT + "}").replace("'", "''") + "}}')",
        // Of even older writers, without type_spec.
        "INSERT INTO schema_registry VALUES ('entity', 'Product', '{\"entity_name\": \"Product\", \"fields\": {"
                + "\"sku\": {\"primary_key\": true, \"index\": false, \"type\": \"<class ''str''>\"}}}')",
        "INSERT INTO schema_registry VALUES ('relation', 'Buys', '{\"relation_name\": \"Buys\", \"left_type\":"
                + " \"Customer\", \"right_type\": \"Product\", \"fields\": {\"n\": {\"index\": false,"
                + " \"type\": \"<class ''int''>\", \"type_spec\": {\"kind\": \"primitive\", \"name\": \"int\"}}}}')",
        "INSERT INTO commits (created_at, metadata_json) VALUES ('2026-02-10T12:34:56+00:00', NULL)",
        "INSERT INTO commits (created_at, metadata_json) VALUES ('2026-02-10T12:35:56.5+00:00', '{\"who\": \"me\"}')",
        "INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id) VALUES"
                + " ('Customer', 'c1', '{\"name\": \"Alice\", \"id\": \"c1\", \"tier\": \"Silver\"}', 1),"
                + " ('Customer', 'c2', '{\"id\": \"c2\", \"name\": \"Bob\", \"tier\": \"Gold\"}', 1),"
                + " ('Product', 'p1', '{\"sku\": \"p1\"}', 1),"
                + " ('Customer', 'c1', '{\"id\": \"c1\", \"name\": \"Alice\", \"tier\": \"Gold\"}', 2)",
        "INSERT INTO relation_history (relation_type, left_key, right_key, fields_json, commit_id) VALUES"
                + " ('Buys', 'c1', 'p1', '{\"n\": 5}', 1), ('Buys', 'c1', 'p1', '{\"n\": 6}', 2)"
    };

    @TempDir
    Path folder;

    private RawFile file;

    @BeforeEach
    void makeOldFile() {
        file = new RawFile(folder.resolve("old.db"));
        file.execute(TABLES);
        file.execute(CONTENT);
    }

    private Session open() {
        return Ontologia.open(file.uri(), Customer.class, Product.class, Buys.class);
    }

    private SessionOptions readOnly() {
        return SessionOptions.defaults().storage(StorageOptions.defaults().mode(StorageOptions.Mode.READ_ONLY));
    }

    @Test
    void missing_columns_and_versions_are_added() {
        open().close();

        assertThat(file.column("SELECT name FROM pragma_table_info('entity_history')"))
                .contains("schema_version_id");
        assertThat(file.column("SELECT name FROM pragma_table_info('relation_history')"))
                .contains("schema_version_id", "instance_key");
        assertThat(file.column("SELECT name FROM pragma_index_info('idx_relation_history_lookup')"))
                .containsExactly("relation_type", "left_key", "right_key", "instance_key", "commit_id");
        assertThat(file.column("SELECT type_name || schema_version_id || reason FROM schema_versions ORDER BY 1"))
                .containsExactly("Buys1bootstrap", "Customer1bootstrap", "Product1bootstrap");
    }

    @Test
    void its_rows_are_found_now_and_as_they_were() {
        try (Session session = open()) {
            assertThat(session.entities(Customer.class)
                            .where(field(Customer::tier).eq("Gold"))
                            .list())
                    .containsExactly(new Customer("c1", "Alice", "Gold"), new Customer("c2", "Bob", "Gold"));
            assertThat(session.find(Customer.class, "c1")).contains(new Customer("c1", "Alice", "Gold"));
            assertThat(session.entities(Customer.class).asOf(1).list())
                    .containsExactly(new Customer("c1", "Alice", "Silver"), new Customer("c2", "Bob", "Gold"));
            assertThat(session.relations(Buys.class)
                            .where(left(Customer::tier).eq("Gold"))
                            .list())
                    .containsExactly(new Buys("c1", "p1", 6));
            assertThat(session.relations(Buys.class).withHistory().list()).hasSize(2);
            assertThat(session.entities(Customer.class).withHistory().omitted()).isZero();
            assertThat(session.log().get(2).orElseThrow().metadata()).isEqualTo(Map.of("who", "me"));
        }
    }

    @Test
    void it_takes_commits_of_what_differs() {
        try (Session session = open()) {
            session.ensure(new Customer("c1", "Alice", "Gold"), new Buys("c1", "p1", 6));
            assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(2));

            session.ensure(new Customer("c2", "Bob", "Iron"), new Buys("c2", "p1", 1));
            assertThat(session.commit()).isInstanceOfSatisfying(CommitResult.Committed.class, committed -> {
                assertThat(committed.commitId()).isEqualTo(3);
                assertThat(committed.inserted()).isEqualTo(1);
                assertThat(committed.updated()).isEqualTo(1);
            });
            assertThat(session.entities(Customer.class).list())
                    .containsExactly(new Customer("c1", "Alice", "Gold"), new Customer("c2", "Bob", "Iron"));
        }
    }

    @Test
    void it_can_be_migrated() {
        Upgrader noName = Upgrader.entity("Customer", 1, fields -> {
            fields.remove("name");
            return fields;
        });
        Model model = Model.of(new EntityType(
                "Customer",
                List.of(FieldDef.of("id", TypeSpec.Primitive.STR), FieldDef.of("tier", TypeSpec.Primitive.STR)),
                "id"));

        try (Maintenance maintenance = Ontologia.maintain(file.uri(), SessionOptions.defaults())) {
            maintenance.migration(model, Upgraders.of(noName)).force(Map.of(), Progress.none());
        }

        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), model)) {
            assertThat(session.entities("Customer").list())
                    .extracting(Row::fields)
                    .containsExactly(Map.of("id", "c1", "tier", "Gold"), Map.of("id", "c2", "tier", "Gold"));
        }
    }

    @Test
    void it_is_in_order() {
        try (Maintenance before = Ontologia.maintain(file.uri(), readOnly())) {
            assertThat(before.check(Progress.none())).extracting(Finding::code).containsExactly("digest-missing");
        }
        try (Maintenance after = Ontologia.maintain(file.uri(), SessionOptions.defaults())) {
            assertThat(after.check(Progress.none())).extracting(Finding::code).containsExactly("digest-missing");
        }
    }

    @Test
    void reading_it_changes_no_byte() throws Exception {
        byte[] before = Files.readAllBytes(file.path());

        try (Session session = Ontologia.openStored(file.uri(), readOnly())) {
            assertThat(session.entities("Customer")
                            .where(field("$.tier").eq("Gold"))
                            .list())
                    .hasSize(2);
            assertThat(session.entities("Customer").asOf(1).list()).hasSize(2);
            assertThat(session.relations("Buys")
                            .where(field("left.$.tier").eq("Gold"))
                            .results())
                    .extracting(
                            row -> row.identity() + " " + row.value().fields().get("n"))
                    .containsExactly("c1 -> p1 6");
            assertThat(session.entities("Customer").withHistory().count()).isEqualTo(3);
        }
        try (Maintenance maintenance = Ontologia.maintain(file.uri(), readOnly())) {
            assertThat(maintenance.lock().holder()).isEmpty();
            assertThat(maintenance.storage().schemaVersions(TypeRef.entity("Product")))
                    .extracting(SchemaVersion::version)
                    .containsExactly(1L);
            assertThat(maintenance.info(StorageInfo.Detail.ROW_COUNTS).rows())
                    .containsEntry(TypeRef.entity("Customer"), new RowCounts(2, 3));
        }

        assertThat(Files.readAllBytes(file.path())).isEqualTo(before);
        assertThat(folder.toFile().list()).containsExactly("old.db");
    }

    @Test
    void a_file_without_a_store_is_not_read() {
        RawFile other = new RawFile(folder.resolve("other.db"));
        other.execute("CREATE TABLE notes (text)");

        assertThatThrownBy(() -> Ontologia.openStored(other.uri(), readOnly()))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_FOUND));
    }
}
