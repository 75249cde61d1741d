package io.ontologia.cli.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExplainCommandTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Backend.class)
    void a_document_has_the_same_keys_on_every_backend(Backend backend) {
        Workspace shop = Workspace.shop(folder, backend);
        Map<String, String> before = shop.content();

        OntoRun run = shop.onto("explain", "entities", "Customer", "--where", "tier = 'Gold'", "--json");

        assertThat(run.succeeded().json())
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsOnlyKeys(
                        "type_kind",
                        "type_name",
                        "engine",
                        "source",
                        "files",
                        "pushed_down",
                        "evaluated",
                        "bytes_fetched",
                        "plan");
        assertThat(run.at("source")).isEqualTo("latest");
        assertThat(run.at("pushed_down")).isEqualTo(List.of("$.tier"));
        assertThat(run.at("evaluated")).isEqualTo(List.of());
        assertThat(shop.content()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void people_see_what_is_read_and_the_plan(Backend backend) {
        Workspace shop = Workspace.shop(folder, backend);

        OntoRun run = shop.onto(
                "explain", "relations", "Subscription", "--filter", "$.seat_count", "gt", "4", "--as-of", "3");

        assertThat(run.succeeded().out())
                .contains(
                        backend == Backend.SQLITE ? "SQLite" : "DuckDB",
                        "all versions",
                        backend == Backend.SQLITE ? "relation_history" : "relations/Subscription.parquet",
                        "$.seat_count");
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void mistakes_are_those_of_a_query(Backend backend) {
        Workspace shop = Workspace.shop(folder, backend);

        shop.onto("explain", "entities", "Nobody").failedWith(4);
        shop.onto("explain", "entities", "Customer", "--where", "nothing = 1").failedWith(2);
        shop.onto("explain", "entities", "Customer", "--as-of", "-1").failedWith(2);
        shop.onto("explain").failedWith(2);
    }
}
