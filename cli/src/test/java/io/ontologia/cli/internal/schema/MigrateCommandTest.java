package io.ontologia.cli.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.cli.internal.model.shop.ShopUpgrades;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
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
class MigrateCommandTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;
    private String classes;

    @BeforeEach
    void prepare() throws URISyntaxException {
        shop = Workspace.shop(folder, backend);
        classes = Path.of(ShopUpgrades.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        shop.file("priced.yaml", Workspace.SHOP_MODEL.replace("      sku:", "      price: float\n      sku:"));
        shop.file(
                "packed.yaml", Workspace.SHOP_MODEL.replace("active: {type: bool, default: true}", "active: 'bool?'"));
        shop.file(
                "branded.yaml",
                Workspace.SHOP_MODEL.replace(
                        "relations:", "  Brand: {fields: {id: {type: str, primary_key: true}}}\nrelations:"));
    }

    @Test
    void the_plan_is_the_default_and_changes_nothing() {
        Map<String, String> before = shop.content();

        OntoRun text = migrate("priced.yaml");
        OntoRun json = migrate("priced.yaml", "--json");

        assertThat(text.succeeded().out()).startsWith("""
                type            change  field  stored  model
                entity Product  added   price

                type            field  kind          old rows
                entity Product  price  incompatible  old rows have no value for it: give it a default, or allow null

                type            rows  upgraders
                entity Product     2  missing from version [1]

                token:\s""");
        assertThat(json.succeeded().namesAt())
                .contains(
                        "has_changes",
                        "token",
                        "diffs",
                        "estimated_rows",
                        "types_requiring_upgraders",
                        "types_schema_only",
                        "types_upgraded_by_steps",
                        "changes",
                        "missing_upgraders");
        assertThat(json.at("diffs", 0, "added_fields")).isEqualTo(List.of("price"));
        assertThat(json.at("estimated_rows")).isEqualTo(Map.of("Product", 2L));
        assertThat(json.at("types_requiring_upgraders")).isEqualTo(List.of("Product"));
        assertThat(json.at("missing_upgraders")).isEqualTo(Map.of("Product", List.of(1L)));
        assertThat(shop.content()).isEqualTo(before);
    }

    @Test
    void a_plan_is_carried_out_with_its_token() {
        OntoRun plan = withUpgraders("priced.yaml", "--json").succeeded();

        OntoRun done = withUpgraders(
                "priced.yaml", "--apply", "--token", plan.textAt("token"), "--meta", "release=7", "--json");

        assertThat(done.succeeded().at("success")).isEqualTo(true);
        assertThat(done.at("types_migrated")).isEqualTo(List.of("Product"));
        assertThat(done.at("rows_migrated")).isEqualTo(Map.of("Product", 2L));
        assertThat(done.at("new_schema_versions")).isEqualTo(Map.of("Product", 2L));
        assertThat(done.at("duration_s")).isInstanceOf(Double.class);
        assertThat(shop.onto("query", "entities", "Product", "--json").at(0, "fields"))
                .isEqualTo(Map.of("sku", "p1", "name", "Analytics", "price", 9.5));
        assertThat(shop.onto("commits", "--last", "1", "--json").at(0, "meta", "release"))
                .isEqualTo("7");
        assertThat(shop.onto("schema", "history", "--kind", "entity", "--type", "Product", "--json")
                        .column("reason"))
                .containsExactly("initial", "migration");
    }

    @Test
    void rows_of_before_that_only_an_upgrader_knows_make_answers_about_the_past_fail() {
        withUpgraders("priced.yaml", "--apply", "--force").succeeded();

        OntoRun text = shop.onto("query", "entities", "Product", "--as-of", "4").failedWith(3);
        OntoRun json = shop.onto("query", "entities", "Product", "--as-of", "4", "--json");

        assertThat(text.out()).isEmpty();
        assertThat(text.err()).contains("cannot show 2 rows of entity Product", "version 1", "--omit-unreadable");
        assertThat(json).returns(3, OntoRun::exitCode);
        assertThat(json.at("error", "details", "schema_version_id")).isEqualTo(1L);
        shop.onto("aggregate", "entities", "Product", "--agg", "n=count()", "--as-of", "4")
                .failedWith(3);
        shop.onto("query", "traverse", "Product", "--via", "Subscription", "--as-of", "4")
                .failedWith(3);
        shop.onto("diff", "1", "4").failedWith(3);
        shop.onto("export", "--output", folder.resolve("out").toString(), "--as-of", "4")
                .failedWith(3);
    }

    @Test
    void rows_that_cannot_be_shown_are_left_out_on_request_and_counted_in_both_formats() {
        withUpgraders("priced.yaml", "--apply", "--force").succeeded();

        OntoRun text = shop.onto("query", "entities", "Product", "--as-of", "4", "--omit-unreadable");
        OntoRun json = shop.onto("query", "entities", "Product", "--as-of", "4", "--omit-unreadable", "--json");
        OntoRun counted = shop.onto(
                "aggregate",
                "entities",
                "Product",
                "--agg",
                "n=count()",
                "--as-of",
                "4",
                "--omit-unreadable",
                "--json");
        OntoRun paths = shop.onto(
                "query", "traverse", "Product", "--via", "Subscription", "--as-of", "4", "--omit-unreadable", "--json");
        OntoRun diff = shop.onto("diff", "1", "4", "--omit-unreadable", "--json");
        OntoRun now = shop.onto("query", "entities", "Product", "--omit-unreadable", "--json");

        assertThat(text).returns(0, OntoRun::exitCode);
        assertThat(text.err())
                .contains("warning: 2 versions were left out, because the present schema cannot show them");
        assertThat(json.json()).isEqualTo(Map.of("rows", List.of(), "omitted", 2L));
        assertThat(counted.json()).isEqualTo(Map.of("rows", List.of(Map.of("n", 0L)), "omitted", 2L));
        assertThat(paths.at("omitted")).isEqualTo(2L);
        assertThat(diff.at("omitted")).isEqualTo(2L);
        assertThat(now.succeeded().at("omitted")).isEqualTo(0L);
        assertThat(now.at("rows", 0, "key")).isEqualTo("p1");
    }

    @Test
    void a_field_is_added_without_code_and_the_past_stays_visible() {
        shop.file("noted.yaml", Workspace.SHOP_MODEL.replace("      sku:", "      note: {type: 'str?'}\n      sku:"));

        OntoRun plan = migrate("noted.yaml", "--json").succeeded();
        migrate("noted.yaml", "--apply", "--token", plan.textAt("token")).succeeded();

        assertThat(plan.at("changes"))
                .isEqualTo(Map.of(
                        "Product", List.of(Map.of("field", "note", "kind", "added", "old_rows", "they get null"))));
        assertThat(plan.at("types_upgraded_by_steps")).isEqualTo(List.of("Product"));
        assertThat(shop.onto("aggregate", "entities", "Product", "--agg", "n=count()", "--as-of", "4", "--json")
                        .succeeded()
                        .json())
                .isEqualTo(List.of(Map.of("n", 2L)));
        assertThat(shop.onto("query", "entities", "Product", "--as-of", "4", "--json")
                        .succeeded()
                        .namesAt(0, "fields"))
                .contains("note");
        assertThat(shop.onto("query", "entities", "Product", "--with-history", "--json")
                        .succeeded()
                        .column("key"))
                .hasSize(4);
    }

    @Test
    void a_field_is_renamed_where_the_model_says_so() {
        shop.file(
                "titled.yaml",
                Workspace.SHOP_MODEL.replace(
                        "primary_key: true}\n      name: str\nrelations:",
                        "primary_key: true}\n      title: {type: str, renamed_from: name}\nrelations:"));

        migrate("titled.yaml", "--apply", "--force").succeeded();

        assertThat(shop.onto("query", "entities", "Product", "--where", "title = 'Backup'", "--as-of", "4", "--json")
                        .succeeded()
                        .column("key"))
                .containsExactly("p2");
    }

    @Test
    void a_stale_token_aborts() {
        OntoRun plan = withUpgraders("priced.yaml", "--json").succeeded();
        shop.ensure("meanwhile", Workspace.product("p3", "Cloud"));
        String before = shop.state();

        OntoRun stale = withUpgraders("priced.yaml", "--apply", "--token", plan.textAt("token"))
                .failedWith(4);
        OntoRun nonsense =
                withUpgraders("priced.yaml", "--apply", "--token", "x").failedWith(4);

        assertThat(stale.err()).contains("cannot migrate");
        assertThat(nonsense.err()).contains("cannot migrate");
        assertThat(shop.state()).isEqualTo(before);
    }

    @Test
    void missing_and_failing_upgraders_change_nothing() {
        String before = shop.state();

        OntoRun missing = migrate("priced.yaml", "--apply", "--force").failedWith(4);
        OntoRun failing = withUpgraders("packed.yaml", "--apply", "--force", "--json");

        assertThat(missing.err()).contains("there is no upgrader for entity Product from version 1");
        assertThat(failing).returns(4, OntoRun::exitCode);
        assertThat(failing.jsonErrorMessage())
                .contains("cannot upgrade relation Subscription 'c1 -> p2'", "1 seats are no packs");
        assertThat(failing.at("error", "details", "key")).isEqualTo("c1 -> p2");
        assertThat(shop.state()).isEqualTo(before);
    }

    @Test
    void new_types_are_registered_and_nothing_to_do_is_said() {
        OntoRun added = migrate("branded.yaml", "--apply", "--force", "--json");
        OntoRun again = migrate("branded.yaml", "--apply", "--force");
        OntoRun plan = migrate("branded.yaml", "--json");

        assertThat(added.succeeded().at("types_registered")).isEqualTo(List.of("Brand"));
        assertThat(again.succeeded().out()).contains("nothing to do");
        assertThat(plan.succeeded().at("has_changes")).isEqualTo(false);
    }

    @Test
    void upgraders_come_from_a_class_or_from_everything_in_a_place() {
        String holder = ShopUpgrades.class.getName();

        OntoRun joined = migrate("priced.yaml", "--upgraders", classes + "/" + holder, "--json");
        OntoRun everything = migrate("priced.yaml", "--upgraders", classes, "--json");

        assertThat(joined.succeeded().at("missing_upgraders")).isEqualTo(Map.of());
        assertThat(everything.succeeded().at("missing_upgraders")).isEqualTo(Map.of());
    }

    @Test
    void wrong_options_are_usage_errors() {
        Path empty = shop.file("empty.txt", "");

        migrate("priced.yaml", "--apply").failedWith(2);
        migrate("priced.yaml", "--apply", "--token", "x", "--force").failedWith(2);
        migrate("priced.yaml", "--apply", "--dry-run", "--force").failedWith(2);
        migrate("priced.yaml", "--token", "x").failedWith(2);
        migrate("priced.yaml", "--force").failedWith(2);
        migrate("priced.yaml", "--upgraders", "com.example.Nope").failedWith(2);
        migrate("priced.yaml", "--upgraders", classes + "/com.example.Nope").failedWith(2);
        migrate("priced.yaml", "--upgraders", classes + "/" + Workspace.class.getName())
                .failedWith(2);
        migrate("priced.yaml", "--upgraders", empty.toString()).failedWith(2);
        shop.onto("migrate").failedWith(2);
        shop.run(
                        "migrate",
                        "--models",
                        shop.path("models.yaml").toString(),
                        "--apply",
                        "--force",
                        "--storage-uri",
                        shop.uri("missing.db"))
                .failedWith(4);

        assertThat(shop.path("missing.db")).doesNotExist();
    }

    private OntoRun withUpgraders(String model, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--upgraders", classes + "/" + ShopUpgrades.class.getName()));
        return migrate(model, all.toArray(String[]::new));
    }

    private OntoRun migrate(String model, String... options) {
        List<String> args =
                new ArrayList<>(List.of("migrate", "--models", shop.path(model).toString()));
        args.addAll(List.of(options));
        return shop.onto(args.toArray(String[]::new));
    }
}
