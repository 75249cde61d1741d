package io.ontologia.cli.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Backend.class)
class SchemaCommandTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace workspace;
    private String models;

    @BeforeEach
    void prepare() {
        workspace = new Workspace(folder, backend);
        models = workspace.file("models.yaml", Workspace.SHOP_MODEL).toString();
    }

    @Test
    void apply_registers_types_once() {
        OntoRun first = workspace.onto("schema", "apply", "--models", models);
        OntoRun second = workspace.onto("schema", "apply", "--models", models, "--json");

        assertThat(first.succeeded().out()).isEqualTo("""
                kind      type          result
                entity    Customer      created
                entity    Product       created
                relation  Subscription  created
                """);
        assertThat(second.succeeded().json())
                .isEqualTo(Map.of(
                        "created",
                        List.of(),
                        "unchanged",
                        List.of(
                                Map.of("type_kind", "entity", "type_name", "Customer"),
                                Map.of("type_kind", "entity", "type_name", "Product"),
                                Map.of("type_kind", "relation", "type_name", "Subscription"))));
    }

    @Test
    void a_dry_run_of_apply_creates_nothing() {
        OntoRun run = workspace.onto("schema", "apply", "--models", models, "--dry-run", "--json");

        assertThat(run.succeeded().at("created", 0, "type_name")).isEqualTo("Customer");
        assertThat(workspace.database()).doesNotExist();
    }

    @Test
    void a_change_to_a_known_type_is_refused_and_points_to_migrate_and_nothing_is_registered() {
        workspace.onto("schema", "apply", "--models", models).succeeded();
        String changed = workspace
                .file(
                        "changed.yaml",
                        Workspace.SHOP_MODEL
                                .replace("name: str", "name: 'str?'")
                                .replace("Product", "Thing"))
                .toString();
        Map<String, String> before = workspace.content();

        OntoRun text = workspace.onto("schema", "apply", "--models", changed).failedWith(3);
        OntoRun json = workspace.onto("schema", "apply", "--models", changed, "--json");

        assertThat(text.err()).contains("schema mismatch for entity Customer", "changed name", "onto migrate");
        assertThat(json).returns(3, OntoRun::exitCode);
        assertThat(json.at("error", "kind")).isEqualTo("conflict");
        assertThat(workspace.content()).isEqualTo(before);
    }

    @Test
    void export_of_a_model_and_of_the_store_agree_and_the_hash_is_that_of_the_document() {
        workspace.onto("schema", "apply", "--models", models).succeeded();

        OntoRun ofModel = workspace.run("schema", "export", "--models", models, "--with-hash");
        OntoRun stored = workspace.onto("schema", "export", "--kind", "entity", "--type", "Customer", "--json");

        Object hash = ofModel.succeeded().at("entities", "Customer", "schema_hash");
        assertThat(hash)
                .isEqualTo(
                        Sha256.hex(CanonicalJson.writeAscii(stored.succeeded().json())));
        assertThat(stored.at("fields")).isEqualTo(ofModel.at("entities", "Customer", "fields"));
    }

    @Test
    void export_writes_yaml_and_files() throws IOException {
        workspace.onto("schema", "apply", "--models", models).succeeded();
        Path target = workspace.path("product.yaml");

        OntoRun toFile = workspace.onto(
                "schema",
                "export",
                "--kind",
                "entity",
                "--type",
                "Product",
                "--format",
                "yaml",
                "--output",
                target.toString());
        OntoRun toScreen =
                workspace.onto("schema", "export", "--kind", "entity", "--type", "Product", "--format", "yaml");

        assertThat(toFile.succeeded().out()).isEqualTo("schema written to " + target + "\n");
        assertThat(toScreen.succeeded().out())
                .isEqualTo(Files.readString(target))
                .startsWith("entity_name: Product\n");
    }

    @Test
    void history_lists_versions_and_shows_one() {
        workspace.onto("schema", "apply", "--models", models).succeeded();

        OntoRun list = workspace.onto("schema", "history", "--kind", "entity", "--type", "Product", "--json");
        OntoRun one = workspace.onto(
                "schema", "history", "--kind", "entity", "--type", "Product", "--version", "1", "--json");
        OntoRun none = workspace.onto(
                "schema", "history", "--kind", "entity", "--type", "Product", "--since-version", "1", "--json");
        OntoRun text = workspace.onto("schema", "history", "--kind", "entity", "--type", "Product");

        assertThat(list.succeeded().namesAt(0))
                .containsExactly(
                        "type_kind",
                        "type_name",
                        "schema_version_id",
                        "schema_hash",
                        "created_at",
                        "runtime_id",
                        "reason");
        assertThat(list.column("created_at")).containsExactly("2026-03-01T09:01:00.000000+00:00");
        assertThat(one.succeeded().at("schema_json", "entity_name")).isEqualTo("Product");
        assertThat(one.at("reason")).isEqualTo("initial");
        assertThat(none.succeeded().json()).isEqualTo(List.of());
        assertThat(text.succeeded().out())
                .startsWith("version  hash")
                .contains("2026-03-01T09:01:00.000000+00:00", "initial");
    }

    @Test
    void what_is_not_there_is_not_found() {
        workspace.onto("schema", "apply", "--models", models).succeeded();

        OntoRun type = workspace
                .onto("schema", "history", "--kind", "entity", "--type", "Nope")
                .failedWith(4);
        OntoRun version = workspace
                .onto("schema", "export", "--kind", "entity", "--type", "Product", "--version", "7")
                .failedWith(4);

        assertThat(type.err()).contains("unknown entity Nope: known are Customer, Product");
        assertThat(version.err()).contains("unknown version 7 of entity Product: the newest is 1");
    }

    @Test
    void options_that_do_not_go_together_are_usage_errors() {
        String[][] wrong = {
            {"schema", "export"},
            {"schema", "export", "--models", models, "--kind", "entity", "--type", "Product"},
            {"schema", "export", "--models", models, "--version", "1"},
            {"schema", "export", "--kind", "entity"},
            {"schema", "export", "--kind", "thing", "--type", "Product"},
            {"schema", "export", "--kind", "entity", "--type", "no name"},
            {"schema", "export", "--kind", "entity", "--type", "Product", "--format", "xml"},
            {"schema", "history", "--type", "Product"},
            {"schema", "history", "--kind", "entity", "--type", "Product", "--version", "1", "--last", "3"},
            {"schema", "history", "--kind", "entity", "--type", "Product", "--last", "0"},
            {"schema", "history", "--kind", "entity", "--type", "Product", "--last", "many"},
            {"schema", "apply"},
        };
        workspace.onto("schema", "apply", "--models", models).succeeded();

        for (String[] args : wrong) {
            workspace.onto(args).failedWith(2);
        }
        OntoRun contradiction = workspace.onto(
                "schema", "export", "--kind", "entity", "--type", "Product", "--format", "yaml", "--json");
        assertThat(contradiction).returns(2, OntoRun::exitCode);
        assertThat(Json.parse(contradiction.out())).isInstanceOf(Map.class);
    }
}
