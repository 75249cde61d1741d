package io.ontologia.cli.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
class SchemaDropCommandTest {
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
    void the_plan_names_what_goes_and_changes_nothing() {
        Map<String, String> before = shop.content();

        OntoRun json = drop("entity Customer --cascade-relations --purge-history --json");
        OntoRun text = drop("entity Customer --drop-relation Subscription --purge-history");

        assertThat(json.succeeded().namesAt())
                .containsExactly("target", "affected", "row_counts", "requires_purge", "token");
        assertThat(json.at("target")).isEqualTo(Map.of("type_kind", "entity", "type_name", "Customer"));
        assertThat(json.at("affected", 1, "type_name")).isEqualTo("Subscription");
        assertThat(json.at("row_counts")).isEqualTo(Map.of("Customer", 3L, "Subscription", 3L));
        assertThat(json.at("requires_purge")).isEqualTo(true);
        assertThat(text.succeeded().out()).startsWith("""
                kind      type to drop  rows  row versions
                entity    Customer         3             5
                relation  Subscription     3             3

                token:\s""");
        assertThat(shop.content()).isEqualTo(before);
    }

    @Test
    void a_plan_is_carried_out_with_its_token_in_one_commit() {
        Object token =
                drop("relation Subscription --purge-history --json").succeeded().at("token");

        OntoRun done = drop("relation Subscription --purge-history --apply --meta why=cleanup --json --token " + token);

        assertThat(done.succeeded().at("dropped", 0, "type_name")).isEqualTo("Subscription");
        assertThat(done.at("rows_purged")).isEqualTo(Map.of("Subscription", 3L));
        assertThat(done.at("commit_id")).isEqualTo(5L);
        assertThat(shop.onto("commits", "examine", "--id", "5", "--json").at("meta", "why"))
                .isEqualTo("cleanup");
        shop.onto("query", "relations", "Subscription").failedWith(4);
        shop.onto("fsck").succeeded();
    }

    @Test
    void dependencies_and_rows_refuse_with_7() {
        Map<String, String> before = shop.content();

        OntoRun dependents = drop("entity Product --purge-history");
        OntoRun rows = drop("relation Subscription --json");

        assertThat(dependents).returns(7, OntoRun::exitCode);
        assertThat(dependents.err()).contains("it is used by relation Subscription", "--cascade-relations");
        assertThat(rows).returns(7, OntoRun::exitCode);
        assertThat(rows.at("requires_purge")).isEqualTo(true);
        assertThat((List<?>) rows.at("obstacles")).hasSize(1);
        assertThat(shop.content()).isEqualTo(before);
    }

    @Test
    void a_token_of_another_plan_refuses_with_7() {
        Object withoutPurge = drop("relation Subscription --json").at("token");
        Object token = drop("relation Subscription --purge-history --json").at("token");
        shop.ensure("meanwhile", Workspace.product("p3", "Cloud"));
        String before = shop.state();

        OntoRun stale = drop("relation Subscription --purge-history --apply --token " + token)
                .failedWith(7);
        OntoRun other = drop("relation Subscription --purge-history --apply --token " + withoutPurge)
                .failedWith(7);

        assertThat(stale.err()).contains("cannot drop relation Subscription");
        assertThat(other.err()).contains("cannot drop relation Subscription");
        assertThat(shop.state()).isEqualTo(before);
    }

    @Test
    void wrong_options_are_usage_errors() {
        drop("Customer").failedWith(2);
        drop("thing Customer").failedWith(2);
        drop("entity Customer --apply").failedWith(2);
        drop("entity Customer --token x").failedWith(2);
        drop("entity Customer --apply --dry-run --token x").failedWith(2);
        drop("relation Subscription --cascade-relations").failedWith(2);
        drop("relation Subscription --drop-relation Subscription").failedWith(2);
        drop("entity Customer --cascade-relations --drop-relation Subscription").failedWith(2);
        drop("entity Customer --drop-relation Nope").failedWith(2);
        drop("entity Nope").failedWith(4);
    }

    private OntoRun drop(String args) {
        List<String> all = new ArrayList<>(List.of("schema", "drop"));
        all.addAll(Arrays.asList(args.split(" ")));
        return shop.onto(all.toArray(String[]::new));
    }
}
