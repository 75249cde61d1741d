package io.ontologia.cli.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitAndInfoTest {
    @TempDir
    Path folder;

    private Workspace workspace;

    @BeforeEach
    void prepare() {
        workspace = new Workspace(folder);
    }

    @Test
    void a_dry_run_says_whether_a_store_is_there_and_creates_none() {
        OntoRun before = workspace.onto("init", "--dry-run", "--json");
        boolean created = workspace.database().toFile().exists();
        workspace.onto("init").succeeded();
        OntoRun after = workspace.onto("init", "--dry-run", "--json");

        assertThat(before.succeeded().json()).isEqualTo(Map.of("backend", "sqlite", "initialized", false));
        assertThat(created).isFalse();
        assertThat(after.succeeded().json()).isEqualTo(Map.of("backend", "sqlite", "initialized", true));
    }

    @Test
    void init_prepares_a_store_and_leaves_one_that_is_there_alone() {
        OntoRun first = workspace.onto("init", "--json");
        OntoRun second = workspace.onto("init");

        assertThat(first.succeeded().json()).isEqualTo(Map.of("backend", "sqlite", "initialized", true));
        assertThat(second.succeeded().out()).endsWith("onto.db is ready\n");
        assertThat(workspace.onto("commits", "--json").succeeded().json()).isEqualTo(List.of());
    }

    @Test
    void force_has_no_meaning_on_sqlite_and_a_token_none_without_it() {
        OntoRun force = workspace.onto("init", "--force", "--token", "x").failedWith(4);
        OntoRun token = workspace.onto("init", "--token", "x").failedWith(2);

        assertThat(force.err()).contains("the sqlite backend has no --force, only object stores have");
        assertThat(token.err()).contains("--token is for --force");
        assertThat(workspace.database()).doesNotExist();
    }

    @Test
    void info_shows_an_empty_store() {
        workspace.onto("init").succeeded();

        OntoRun json = workspace.onto("info", "--json");
        OntoRun text = workspace.onto("info");

        assertThat(json.succeeded().at("backend")).isEqualTo("sqlite");
        assertThat(json.textAt("engine_version")).startsWith("SQLite 3.");
        assertThat(json.at("location")).isEqualTo("sqlite:///" + workspace.database());
        assertThat(json.at("head_commit_id")).isEqualTo(0L);
        assertThat(json.at("head_timestamp")).isNull();
        assertThat(json.at("lock")).isNull();
        assertThat(json.at("types")).isEqualTo(List.of());
        assertThat(text.succeeded().out()).contains("head commit  none", "write lock   free");
    }

    @Test
    void info_shows_types_rows_and_fields() {
        Workspace shop = Workspace.shop(folder);

        OntoRun json = shop.onto("info", "--stats", "--schema", "--json");
        OntoRun text = shop.onto("info", "--stats", "--schema");

        assertThat(json.succeeded().at("head_commit_id")).isEqualTo(4L);
        assertThat(json.at("head_timestamp")).isEqualTo("2026-03-01T09:04:00.000000+00:00");
        assertThat(json.at("types", 0))
                .isEqualTo(Map.of(
                        "type_kind",
                        "entity",
                        "type_name",
                        "Customer",
                        "schema_version_id",
                        1L,
                        "rows",
                        3L,
                        "versions",
                        5L,
                        "fields",
                        Map.of("id", "str", "name", "str", "tier", "str", "age", "int?", "tags", "list[str]")));
        assertThat(json.at("types", 2, "left_type")).isEqualTo("Customer");
        assertThat(text.succeeded().out())
                .contains("entity    Customer                   1     3             5")
                .contains("Customer      tier        str        indexed");
    }

    @Test
    void a_database_that_another_program_made_by_hand_can_be_read_and_is_completed_by_init() {
        HandmadeFile.create(workspace.database());

        OntoRun before = workspace.onto("query", "entities", "Customer", "--json");
        workspace.onto("init").succeeded();
        OntoRun after = workspace.onto("query", "entities", "Customer", "--json");

        assertThat(before.succeeded().at(0, "fields", "name")).isEqualTo("Alice");
        assertThat(after.succeeded().out()).isEqualTo(before.out());
    }
}
