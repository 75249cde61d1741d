package io.ontologia.cli.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
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
class VerifyCommandTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, backend);
    }

    @Test
    void models_that_agree_are_ok() {
        OntoRun text = verify("models.yaml");
        OntoRun diff = verify("models.yaml", "--diff");
        OntoRun json = verify("models.yaml", "--strict", "--json");

        assertThat(text.succeeded().out()).isEqualTo("""
                kind      type          result
                entity    Customer      same
                entity    Product       same
                relation  Subscription  same
                """);
        assertThat(diff.succeeded().out()).isEmpty();
        assertThat(json.succeeded().json()).isEqualTo(Map.of("ok", true, "mismatches", List.of()));
    }

    @Test
    void models_that_differ_exit_with_3_and_say_where() {
        shop.file(
                "changed.yaml",
                Workspace.SHOP_MODEL
                        .replace("seat_count: int", "seat_count: float")
                        .replace("name: str\n      tier", "email: str\n      tier"));

        OntoRun text = verify("changed.yaml");
        OntoRun diff = verify("changed.yaml", "--diff");
        OntoRun json = verify("changed.yaml", "--json");

        assertThat(text).returns(3, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(text.out()).contains("entity    Customer      differs", "entity    Product       same");
        assertThat(diff).returns(3, OntoRun::exitCode);
        assertThat(diff.out()).isEqualTo("""
                type                   change   field       stored         model
                entity Customer        added    email
                entity Customer        removed  name
                relation Subscription  changed  seat_count  <class 'int'>  <class 'float'>
                """);
        assertThat(json).returns(3, OntoRun::exitCode);
        assertThat(json.at("ok")).isEqualTo(false);
        assertThat(json.namesAt("mismatches", 0)).containsExactly("type_kind", "type_name", "diff");
        assertThat(json.at("mismatches", 0, "diff", "added_fields")).isEqualTo(List.of("email"));
    }

    @Test
    void a_type_that_only_one_side_has_counts_when_it_is_strict() {
        shop.file("other.yaml", """
                entities:
                  Product: {fields: {sku: {type: str, primary_key: true}, name: str}}
                  Brand: {fields: {id: {type: str, primary_key: true}}}
                """);

        OntoRun lenient = verify("other.yaml");
        OntoRun strict = verify("other.yaml", "--strict", "--json");

        assertThat(lenient.succeeded().out())
                .contains("entity    Brand         not in the store yet", "entity    Customer      only in the store");
        assertThat(strict).returns(3, OntoRun::exitCode);
        assertThat(strict.at("mismatches", 0, "diff")).isEqualTo(Map.of("only_in", "models"));
        assertThat(strict.at("mismatches", 1, "diff")).isEqualTo(Map.of("only_in", "store"));
    }

    @Test
    void verify_changes_nothing_and_needs_models() {
        Map<String, String> before = shop.content();

        verify("models.yaml").succeeded();
        shop.onto("verify").failedWith(2);
        shop.run("verify", "--models", shop.path("models.yaml").toString(), "--storage-uri", shop.uri("missing.db"))
                .failedWith(4);

        assertThat(shop.content()).isEqualTo(before);
    }

    private OntoRun verify(String model, String... options) {
        List<String> args =
                new ArrayList<>(List.of("verify", "--models", shop.path(model).toString()));
        args.addAll(List.of(options));
        return shop.onto(args.toArray(String[]::new));
    }
}
