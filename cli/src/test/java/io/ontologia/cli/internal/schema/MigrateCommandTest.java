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
    void rows_of_before_are_left_out_of_the_past_with_a_warning_in_both_formats() {
        withUpgraders("priced.yaml", "--apply", "--force").succeeded();

        OntoRun text = shop.onto("query", "entities", "Product", "--as-of", "4");
        OntoRun json = shop.onto("query", "entities", "Product", "--as-of", "4", "--json");

        assertThat(text).returns(0, OntoRun::exitCode);
        assertThat(text.err()).contains("warning: 2 versions were written with another schema and left out");
        assertThat(json).returns(0, OntoRun::exitCode).returns(List.of(), OntoRun::json);
        assertThat(json.err()).contains("warning: 2 versions were written with another schema and left out");
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
