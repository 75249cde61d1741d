package io.ontologia.cli.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that only read never create a database, nor change a byte of one, nor leave files beside it. */
@ParameterizedClass
@EnumSource(Backend.class)
class ReadOnlyTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "query entities Customer --where tier='Gold' --order-by name",
                "query entities Customer --with-history",
                "query entities Customer --as-of 2",
                "query relations Subscription --where left.tier='Gold'",
                "query traverse Customer --via Subscription",
                "aggregate entities Customer --agg n=count() --group-by tier",
                "commits",
                "commits examine --id 1",
                "diff 1 4",
                "schema export --kind entity --type Customer",
                "schema history --kind entity --type Customer",
                "schema drop relation Subscription --purge-history",
                "info --stats --schema",
                "fsck",
                "lock show",
                "events list-namespaces",
                "events show --namespace shop",
                "events sessions --namespace shop",
                "events dead-letters --namespace shop",
                "events cleanup --namespace shop --before 1s",
                "events watch --namespace shop --for 1s",
            })
    void nothing_is_created_and_nothing_is_changed(String args) {
        Workspace shop = Workspace.shop(folder, backend);
        Map<String, String> before = shop.content();

        OntoRun run = shop.onto(args.split(" "));
        OntoRun elsewhere = shop.on("missing.db", args.split(" ")).failedWith(4);

        run.succeeded();
        assertThat(elsewhere.err()).contains("missing.db: there is no ", "onto init");
        assertThat(shop.content()).isEqualTo(before);
    }
}
