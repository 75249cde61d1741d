package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.StorageOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of damage is found, and nothing is found where there is none. */
class SqliteCheckTest {
    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final FieldDef N = FieldDef.of("n", Primitive.INT);
    private static final RelationType NEXT = new RelationType("Next", "Item", "Item", Optional.empty(), List.of());
    private static final RelationType STINT =
            new RelationType("Stint", "Item", "Item", Optional.of("no"), List.of(FieldDef.of("no", Primitive.STR)));
    private static final Model MODEL = Model.of(new EntityType("Item", List.of(ID, N), "id"), NEXT, STINT);
    private static final Model MIGRATED =
            Model.of(new EntityType("Item", List.of(FieldDef.of("code", Primitive.STR), N), "code"), NEXT, STINT);

    @TempDir
    Path folder;

    private RawFile file;

    @BeforeEach
    void fill() {
        file = new RawFile(folder.resolve("onto.db"));
        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), MODEL)) {
            session.ensure(
                    new Row.OfEntity("Item", "a", Map.of("n", 1L)),
                    new Row.OfEntity("Item", "b", Map.of("n", 1L)),
                    new Row.OfRelation("Next", "a", "b", "", Map.of()),
                    new Row.OfRelation("Stint", "a", "b", "s1", Map.of()));
            session.commit(Map.of("who", "test"));
            session.ensure(new Row.OfEntity("Item", "a", Map.of("n", 2L)));
            session.commit();
            session.ensure(new Row.OfEntity("Item", "b", Map.of("n", 2L)));
            session.commit();
        }
    }

    /** Renames the key field, so that rows of two schema versions keep their keys in fields of different names. */
    private void migrate() {
        Upgrader rename = Upgrader.entity("Item", 1, fields -> {
            fields.put("code", fields.remove("id"));
            return fields;
        });
        try (Maintenance maintenance = Ontologia.maintain(file.uri(), SessionOptions.defaults())) {
            maintenance.migration(MIGRATED, Upgraders.of(rename)).force(Map.of(), Progress.none());
        }
    }

    private List<Finding> check() {
        SessionOptions readOnly =
                SessionOptions.defaults().storage(StorageOptions.defaults().mode(StorageOptions.Mode.READ_ONLY));
        try (Maintenance maintenance = Ontologia.maintain(file.uri(), readOnly)) {
            return maintenance.check(Progress.none());
        }
    }

    private Finding found(String code) {
        return check().stream()
                .filter(finding -> finding.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new AssertionError(code + " was not found among " + check()));
    }

    private List<String> codes() {
        return check().stream().map(Finding::code).toList();
    }

    @Test
    void a_store_in_order_has_no_findings() {
        assertThat(check()).isEmpty();

        migrate();

        assertThat(check()).isEmpty();
    }

    @Test
    void history_of_commits_that_do_not_exist_is_found() {
        file.execute(
                "UPDATE entity_history SET commit_id = 99 WHERE entity_key = 'a' AND commit_id = 2",
                "UPDATE relation_history SET commit_id = 98");

        Finding orphan = found("orphaned-history");

        assertThat(orphan.severity()).isEqualTo(Severity.ERROR);
        assertThat(orphan.count()).isEqualTo(1);
        assertThat(orphan.example()).isEqualTo("entity Item 'a'");
        assertThat(check().stream().filter(finding -> finding.code().equals("orphaned-history")))
                .hasSize(2);
        assertThat(found("foreign-key").count()).isEqualTo(3);
    }

    @Test
    void a_missing_commit_is_found_in_the_middle_and_at_the_end() {
        file.execute("DELETE FROM commits WHERE id = 2");
        assertThat(found("commit-gap").example()).isEqualTo("commit 2");

        file.execute("DELETE FROM commits WHERE id = 3");
        assertThat(found("commit-gap").example()).isEqualTo("commits 2 to 3");
    }

    @Test
    void commits_that_run_backwards_are_found() {
        file.execute("UPDATE commits SET created_at = '2020-01-01T00:00:00Z' WHERE id = 2");

        assertThat(found("commit-order").example()).isEqualTo("commit 2");
        assertThat(codes()).containsExactly("commit-order", "digest-mismatch");
    }

    @Test
    void commits_that_cannot_be_read_are_found() {
        file.execute(
                "UPDATE commits SET created_at = 'yesterday' WHERE id = 1",
                "UPDATE commits SET metadata_json = '[1]' WHERE id = 2");

        assertThat(found("commit-time").example()).isEqualTo("commit 1 at 'yesterday'");
        assertThat(found("commit-metadata").example()).isEqualTo("commit 2");
    }

    @Test
    void two_versions_of_one_row_in_one_commit_are_found() {
        file.execute("INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id, schema_version_id)"
                + " SELECT entity_type, entity_key, '{\"id\":\"a\",\"n\":5}', commit_id, 1 FROM entity_history"
                + " WHERE commit_id = 2");

        Finding duplicate = found("duplicate-version");

        assertThat(duplicate.count()).isEqualTo(1);
        assertThat(duplicate.example()).isEqualTo("entity Item 'a' in commit 2");
        assertThat(codes()).contains("latest-behind").doesNotContain("latest-differs");
    }

    @Test
    void gaps_between_schema_versions_are_found() {
        migrate();
        file.execute(
                "UPDATE schema_versions SET schema_version_id = 3 WHERE type_name = 'Item' AND schema_version_id = 2");

        assertThat(found("schema-version-gap").example()).isEqualTo("entity Item from version 1 to 3");
    }

    @Test
    void a_missing_first_schema_version_is_found() {
        migrate();
        file.execute("DELETE FROM schema_versions WHERE type_name = 'Item' AND schema_version_id = 1");

        assertThat(found("schema-version-gap").example()).isEqualTo("entity Item from version 0 to 2");
        assertThat(found("unknown-schema-version").count()).isEqualTo(4);
    }

    @Test
    void rows_with_a_schema_version_that_never_was_are_found() {
        file.execute("UPDATE entity_history SET schema_version_id = 7 WHERE entity_key = 'b' AND commit_id = 3");

        assertThat(found("unknown-schema-version").example()).isEqualTo("entity Item 'b' with version 7");
    }

    @Test
    void current_rows_of_an_older_schema_version_are_found() {
        migrate();
        file.execute("UPDATE entity_history SET schema_version_id = NULL,"
                + " fields_json = '{\"id\":\"a\",\"n\":2}' WHERE entity_key = 'a' AND commit_id = 4");

        Finding stale = found("stale-schema-version");

        assertThat(stale.severity()).isEqualTo(Severity.WARNING);
        assertThat(stale.count()).isEqualTo(1);
        assertThat(stale.example()).isEqualTo("entity Item 'a' with version 1");
    }

    @Test
    void rows_of_types_that_nobody_registered_are_found() {
        file.execute("DELETE FROM schema_registry WHERE type_name = 'Next'");

        assertThat(found("unknown-type").example()).isEqualTo("relation Next 'a -> b -> '");
    }

    @Test
    void schemas_that_contradict_themselves_are_found() {
        file.execute(
                "UPDATE schema_versions SET schema_hash = 'f00' WHERE type_name = 'Next'",
                "UPDATE schema_versions SET schema_json = '{' WHERE type_name = 'Stint'",
                "DELETE FROM schema_versions WHERE type_name = 'Item'");

        assertThat(found("schema-hash").example()).isEqualTo("relation Next version 1");
        assertThat(found("schema-document").example()).isEqualTo("relation Stint version 1");
        assertThat(found("schema-registry").example()).isEqualTo("relation Stint version 1");
        assertThat(found("schema-without-version").example()).isEqualTo("entity Item");
    }

    @Test
    void an_expired_lock_is_found_and_a_held_one_is_none() {
        file.execute("INSERT INTO locks VALUES ('ontology_write', 'dead', '2020-01-01T00:00:00+00:00',"
                + " '2020-01-01T00:00:30+00:00')");
        assertThat(found("expired-lock").example())
                .isEqualTo("ontology_write of 'dead' until 2020-01-01T00:00:30+00:00");

        file.execute("UPDATE locks SET expires_at = '2999-01-01T00:00:30+00:00'");
        assertThat(check()).isEmpty();

        file.execute("UPDATE locks SET expires_at = 'never'");
        assertThat(codes()).containsExactly("unreadable-lock");
    }

    @Test
    void latest_versions_that_differ_from_the_history_are_found() {
        file.execute("UPDATE onto_entity_latest SET fields_json = '{\"id\":\"a\",\"n\":3}' WHERE entity_key = 'a'");
        assertThat(found("latest-differs").example()).isEqualTo("entity Item 'a'");

        file.execute("UPDATE onto_latest_state SET dirty = 1");
        assertThat(check()).extracting(Finding::code).containsExactly("latest-behind");
        assertThat(check()).noneMatch(Finding::isProblem);
    }

    @Test
    void latest_versions_that_are_missing_or_too_many_are_found() {
        file.execute("DELETE FROM onto_entity_latest WHERE entity_key = 'b'");
        assertThat(found("latest-differs").count()).isEqualTo(1);

        file.execute("INSERT INTO onto_entity_latest VALUES ('Item', 'zzz', 1, 1, 1, '{}')");
        assertThat(found("latest-differs").count()).isEqualTo(2);
    }

    @Test
    void fields_that_are_no_json_object_are_found() {
        file.execute(
                "UPDATE entity_history SET fields_json = '{\"id\":' WHERE entity_key = 'a' AND commit_id = 1",
                "UPDATE entity_history SET fields_json = '[\"a\"]' WHERE entity_key = 'b' AND commit_id = 1");

        assertThat(found("invalid-fields").count()).isEqualTo(2);
    }

    @Test
    void keys_that_do_not_match_their_field_are_found_by_the_schema_of_their_own_version() {
        migrate();
        file.execute(
                "UPDATE entity_history SET fields_json = '{\"id\":\"x\",\"n\":1}' WHERE entity_key = 'a' AND commit_id = 1",
                "UPDATE entity_history SET fields_json = '{\"code\":\"y\",\"n\":1}' WHERE entity_key = 'b' AND commit_id = 4",
                "UPDATE entity_history SET fields_json = '{\"n\":1}' WHERE entity_key = 'b' AND commit_id = 3");

        assertThat(found("key-mismatch").count()).isEqualTo(2);
        assertThat(found("key-missing").count()).isEqualTo(1);
    }

    @Test
    void instance_keys_where_there_must_be_none_and_the_other_way_round_are_found() {
        file.execute("UPDATE relation_history SET instance_key = CASE instance_key WHEN '' THEN 'x' ELSE '' END");

        assertThat(found("instance-key").count()).isEqualTo(2);
    }

    @Test
    void blank_keys_are_found() {
        file.execute("UPDATE relation_history SET left_key = ' ' WHERE relation_type = 'Next'");

        assertThat(found("blank-key").count()).isEqualTo(1);
    }

    @Test
    void damage_to_the_file_itself_is_found() throws IOException {
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE");
        long page = Long.parseLong(
                file.column("SELECT rootpage FROM sqlite_master WHERE name = 'idx_entity_history_lookup'")
                        .get(0));
        long pageSize = Long.parseLong(file.column("PRAGMA page_size").get(0));
        try (RandomAccessFile raw = new RandomAccessFile(file.path().toFile(), "rw")) {
            raw.seek(page * pageSize - 20);
            raw.write("garbage garbage".getBytes(StandardCharsets.US_ASCII));
        }

        assertThat(check())
                .anyMatch(finding ->
                        finding.code().equals("integrity") || finding.code().equals("unreadable"));
    }

    @Test
    void the_worst_comes_first_and_progress_is_told() {
        List<String> told = new ArrayList<>();
        file.execute(
                "INSERT INTO locks VALUES ('ontology_write', 'dead', '2020-01-01T00:00:00Z', '2020-01-01T00:00:30Z')",
                "UPDATE entity_history SET fields_json = '1' WHERE id = 1");

        List<Finding> findings;
        try (Maintenance maintenance = Ontologia.maintain(file.uri(), SessionOptions.defaults())) {
            findings = maintenance.check((step, done, total) -> told.add(done + "/" + total));
        }

        assertThat(findings).extracting(Finding::severity).isSorted();
        assertThat(findings.get(0).code()).isEqualTo("invalid-fields");
        assertThat(told).first().asString().startsWith("0/");
        assertThat(told).last().asString().isEqualTo(told.size() - 1 + "/" + (told.size() - 1));
    }
}
