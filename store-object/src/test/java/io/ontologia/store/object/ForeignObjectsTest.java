package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
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
import io.ontologia.core.StorageInfo;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.core.spi.Upkeep.IndexStatus;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Objects and Parquet files that somebody else wrote after the specification's examples: plain columns in plain files, no
 * index or a wrong one, fields that nobody here knows.
 */
class ForeignObjectsTest {
    private static final EntityType CUSTOMER = new EntityType(
            "Customer", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("tier", Primitive.STR)), "id");
    private static final String INDEX = "meta/indices/entities/Customer.json";

    @TempDir
    Path folder;

    private final ObjectStore store = ObjectStores.open("memory:", new SettableClock());

    @BeforeEach
    void writeStore() throws Exception {
        String schema = CanonicalJson.write(CUSTOMER.document());
        json(
                "meta/schema/types.json",
                "{\"entities\": [\"Customer\"], \"relations\": [], \"updated_at\": \"2026-02-10T12:00:00+00:00\"}");
        json(
                "meta/schema/registry.json",
                "{\"entity\": {\"Customer\": " + schema
                        + "}, \"relation\": {}, \"updated_at\": \"2026-02-10T12:00:00+00:00\"}");
        json(
                "meta/schema/versions/entity/Customer.json",
                "{\"type_kind\": \"entity\", \"type_name\": \"Customer\", \"versions\": [{\"schema_version_id\": 1, \"schema_json\": "
                        + CanonicalJson.write(schema) + ", \"schema_hash\": \"" + CUSTOMER.schemaHash()
                        + "\", \"created_at\": \"2026-02-10T12:00:00+00:00\", \"runtime_id\": null, \"reason\": \"initial\"}]}");
        commit(1, "aa11", "null", "null", "('c1', 'Silver'), ('c2', 'Gold')");
        commit(2, "bb22", "1", "\"commits/1-aa11/manifest.json\"", "('c1', 'Gold')");
        head(2, "bb22");
    }

    private void json(String key, String text) {
        store.put(key, Payload.of(text));
    }

    private void head(long id, String attempt) {
        json(
                "meta/head.json",
                "{\"commit_id\": %d, \"manifest_path\": \"commits/%d-%s/manifest.json\", \"updated_at\": \"2026-02-10T12:34:56.789012+00:00\", \"runtime_id\": \"writer-a\", \"unknown\": {\"x\": [1]}}"
                        .formatted(id, id, attempt));
    }

    /** A commit as another writer makes it: no hash, a field that we do not know, a file by another tool. */
    private void commit(long id, String attempt, String parentId, String parentPath, String rows) throws Exception {
        Path file = folder.resolve(id + attempt + ".parquet");
        try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckdb.createStatement()) {
            statement.execute(
                    "COPY (SELECT " + id + "::BIGINT AS commit_id, 'Customer' AS entity_type, k AS entity_key,"
                            + " 1::BIGINT AS schema_version_id, json_object('tier', t, 'id', k)::VARCHAR AS fields_json, k AS id, t AS tier"
                            + " FROM (VALUES " + rows + ") v(k, t)) TO '" + file + "' (FORMAT parquet)");
        }
        String data = "commits/" + id + "-" + attempt + "/entities/Customer.parquet";
        store.put(data, Payload.of(Files.readAllBytes(file)));
        json(
                "commits/" + id + "-" + attempt + "/manifest.json",
                "{\"commit_id\": %d, \"parent_commit_id\": %s, \"parent_manifest_path\": %s, \"created_at\": \"2026-02-10T12:34:56.789012+00:00\", \"runtime_id\": \"writer-a\", \"metadata\": {\"by\": \"hand\"}, \"signed_off\": true, \"files\": [{\"kind\": \"entity\", \"type_name\": \"Customer\", \"path\": \"%s\", \"row_count\": 2, \"schema_version_id\": 1}]}"
                        .formatted(id, parentId, parentPath, data));
    }

    private SessionOptions options() {
        return SessionOptions.defaults().storage(StorageOptions.defaults().clock(new SettableClock()));
    }

    private Session open() {
        return Ontologia.open(TestStoreProvider.uriOf(store), options(), Model.of(CUSTOMER));
    }

    private Map<String, Object> tiers(Session session) {
        Map<String, Object> found = new TreeMap<>();
        session.entities("Customer")
                .results()
                .forEach(row -> found.put(
                        row.identity().toString(), row.value().fields().get("tier")));
        return found;
    }

    private List<Upkeep.IndexState> verified() {
        try (Maintenance maintenance = Ontologia.maintain(TestStoreProvider.uriOf(store), options())) {
            return maintenance.storage().upkeep().orElseThrow().verifyIndices();
        }
    }

    private List<Upkeep.IndexState> repaired() {
        try (Maintenance maintenance = Ontologia.maintain(TestStoreProvider.uriOf(store), options())) {
            return maintenance.storage().upkeep().orElseThrow().repairIndices();
        }
    }

    private void index(long upTo, String entries) {
        json(
                INDEX,
                "{\"type_name\": \"Customer\", \"max_indexed_commit\": " + upTo + ", \"entries\": [" + entries
                        + "], \"note\": \"kept\"}");
    }

    private static String entry(long id, String path) {
        return "{\"min_commit_id\": %d, \"max_commit_id\": %d, \"path\": \"%s\"}".formatted(id, id, path);
    }

    @Test
    void without_an_index_the_commits_tell_where_the_rows_are() {
        try (Session session = open()) {
            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Gold", "c2", "Gold"));
            assertThat(session.entities("Customer").asOf(1).count()).isEqualTo(2);
            assertThat(session.log().last(5)).extracting(CommitInfo::id).containsExactly(2L, 1L);
        }
        assertThat(verified()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.MISSING);
        assertThat(repaired()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.OK);
    }

    @Test
    void an_index_that_ends_too_early_is_followed_by_the_commits_after_it() {
        index(1, entry(1, "commits/1-aa11/entities/Customer.parquet"));
        assertThat(verified()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.LAG);

        try (Session session = open()) {
            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Gold", "c2", "Gold"));
        }

        assertThat(repaired()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.OK);
        assertThat(store.get(INDEX).orElseThrow().text()).contains("\"note\":\"kept\"");
    }

    @Test
    void an_index_without_the_newest_commit_is_not_believed() {
        index(2, entry(1, "commits/1-aa11/entities/Customer.parquet"));
        assertThat(verified()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.MISSING_LATEST_ENTRY);

        try (Session session = open()) {
            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Gold", "c2", "Gold"));
        }

        assertThat(repaired()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.OK);
    }

    @Test
    void an_index_that_names_another_file_for_the_newest_commit_is_not_believed() throws Exception {
        commit(2, "dead", "1", "\"commits/1-aa11/manifest.json\"", "('c1', 'Lead'), ('c9', 'Lead')");
        index(
                2,
                entry(1, "commits/1-aa11/entities/Customer.parquet") + ", "
                        + entry(2, "commits/2-dead/entities/Customer.parquet"));
        assertThat(verified()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.PATH_MISMATCH);

        try (Session session = open()) {
            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Gold", "c2", "Gold"));
        }

        assertThat(repaired()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.OK);
    }

    @Test
    void an_index_that_is_no_json_is_made_anew() {
        json(INDEX, "{broken");
        assertThat(verified()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.MISSING);

        try (Session session = open()) {
            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Gold", "c2", "Gold"));
        }

        assertThat(repaired()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.OK);
    }

    @Test
    void the_last_warning_about_an_index_is_part_of_the_information_about_a_store() {
        json(INDEX, "{broken");

        try (Session session = open()) {
            assertThat(tiers(session)).hasSize(2);
            assertThat(session.storage().info(StorageInfo.Detail.BASIC).lastIndexWarning())
                    .contains("the index of entity Customer cannot be read; the commits are read instead");
        }
    }

    @Test
    void a_key_is_shown_once_where_entries_of_an_index_overlap() {
        try (Session session = open()) {
            session.ensure(new Row.OfEntity("Customer", "c3", Map.of("tier", "Bronze")));
            session.commit();
        }
        assertThat(verified()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.OK);
        String index = store.get(INDEX).orElseThrow().text();
        String doubled = index.replace(
                "\"entries\":[", "\"entries\":[" + entry(1, "commits/1-aa11/entities/Customer.parquet") + ",");
        assertThat(doubled).isNotEqualTo(index);
        json(INDEX, doubled.replace("document_seal", "seal_of_the_former_content"));
        assertThat(verified()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.PATH_MISMATCH);

        try (Session session = open()) {
            assertThat(session.entities("Customer").count()).isEqualTo(3);
            assertThat(session.entities("Customer").asOf(1).list()).hasSize(2);
            assertThat(session.entities("Customer").withHistory().list()).hasSize(4);
        }

        assertThat(repaired()).extracting(Upkeep.IndexState::status).containsExactly(IndexStatus.OK);
    }

    @Test
    void rows_of_another_type_in_a_file_are_not_shown_as_rows_of_this_one() throws Exception {
        Path file = folder.resolve("mixed.parquet");
        try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckdb.createStatement()) {
            statement.execute("COPY (SELECT 3::BIGINT AS commit_id, y AS entity_type, k AS entity_key,"
                    + " 1::BIGINT AS schema_version_id, json_object('tier', 'New', 'id', k)::VARCHAR AS fields_json, k AS id,"
                    + " 'New' AS tier FROM (VALUES ('Customer', 'c5'), ('Product', 'c6'), ('Product', 'c1')) v(y, k)) TO '"
                    + file + "' (FORMAT parquet)");
        }
        commit(3, "cc33", "2", "\"commits/2-bb22/manifest.json\"", "('c5', 'New')");
        store.put("commits/3-cc33/entities/Customer.parquet", Payload.of(Files.readAllBytes(file)));
        head(3, "cc33");

        try (Session session = open()) {
            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Gold", "c2", "Gold", "c5", "New"));
            assertThat(session.entities("Customer").asOf(3).count()).isEqualTo(3);
            assertThat(session.entities("Customer").historySince(2).list()).hasSize(1);
        }
    }

    @Test
    void a_key_that_is_twice_in_a_file_of_another_writer_is_shown_once() throws Exception {
        commit(3, "abab3", "2", "\"commits/2-bb22/manifest.json\"", "('c1', 'Lead'), ('c1', 'Iron')");
        head(3, "abab3");

        try (Session session = open()) {
            assertThat(session.entities("Customer").list()).hasSize(2);
            assertThat(session.entities("Customer").count()).isEqualTo(2);
            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Lead", "c2", "Gold"));
            assertThat(session.find("Customer", "c1")).isPresent();
            commit(4, "abab4", "3", "\"commits/3-abab3/manifest.json\"", "('c2', 'Lead'), ('c2', 'Iron')");
            head(4, "abab4");
            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Lead", "c2", "Lead"));
            assertThat(session.entities("Customer").list()).hasSize(2);
            assertThat(session.entities("Customer").asOf(3).list()).hasSize(2);
            assertThat(session.entities("Customer").asOf(3).count()).isEqualTo(2);
            for (int i = 0; i < 40; i++) {
                // Also when a local table answers, which is made after some questions.
                assertThat(session.findAsOf("Customer", "c1", 3).orElseThrow().fields())
                        .containsEntry("tier", "Lead");
            }
        }
        try (Maintenance maintenance = Ontologia.maintain(TestStoreProvider.uriOf(store), options())) {
            assertThat(maintenance.check(Progress.none()))
                    .filteredOn(finding -> finding.code().equals("duplicate-version"))
                    .extracting(Finding::count)
                    .containsExactly(2L);
        }
    }

    @Test
    void our_commits_go_on_where_theirs_ended_and_theirs_where_ours_did() throws Exception {
        try (Session session = open()) {
            session.ensure(new Row.OfEntity("Customer", "c1", Map.of("tier", "Gold")));
            assertThat(session.commit()).isInstanceOf(CommitResult.NothingToDo.class);
            session.ensure(new Row.OfEntity("Customer", "c3", Map.of("tier", "Bronze")));
            assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
        }
        String ours = headPath();
        commit(4, "cc44", "3", "\"" + ours + "\"", "('c3', 'Silver')");
        head(4, "cc44");

        try (Session session = open()) {
            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Gold", "c2", "Gold", "c3", "Silver"));
            assertThat(session.head()).isEqualTo(4);
        }
    }

    @Test
    void a_commit_of_somebody_else_while_a_session_is_open_is_seen() throws Exception {
        try (Session session = open()) {
            assertThat(tiers(session)).hasSize(2);
            commit(3, "cc33", "2", "\"commits/2-bb22/manifest.json\"", "('c5', 'New')");
            head(3, "cc33");

            assertThat(tiers(session)).isEqualTo(Map.of("c1", "Gold", "c2", "Gold", "c5", "New"));
        }
    }

    private String headPath() {
        String head = store.get("meta/head.json").orElseThrow().text();
        int start = head.indexOf("commits/");
        return head.substring(start, head.indexOf('"', start));
    }
}
