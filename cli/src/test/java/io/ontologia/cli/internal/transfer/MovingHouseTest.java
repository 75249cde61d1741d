package io.ontologia.cli.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code onto copy} where one of the two stores at least is a SQLite file. */
class MovingHouseTest {
    private static final String PAIRS = """
            SQLITE, FOLDER
            FOLDER, SQLITE
            SQLITE, SQLITE""";

    @TempDir
    Path folder;

    private OntoRun on(Workspace shop, String uri, String... args) {
        String[] all = java.util.Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--storage-uri";
        all[args.length + 1] = uri;
        return shop.run(all);
    }

    @ParameterizedTest
    @CsvSource(textBlock = PAIRS)
    void a_copy_on_another_backend_answers_as_the_original(Backend from, Backend to) {
        Workspace shop = Workspace.shop(folder, from);
        String copy = to.uri(folder, "copy");

        OntoRun copied = shop.run("copy", shop.uri(), copy, "--json");

        assertThat(copied.succeeded().at("verified")).isEqualTo(true);
        assertThat(copied.at("commits")).isEqualTo(4L);
        assertThat(copied.at("types")).isEqualTo(3L);
        assertThat(copied.at("rows")).isEqualTo(10L);
        for (String[] question : new String[][] {
            {"commits", "--since", "0", "--json"},
            {"query", "entities", "Customer", "--with-history", "--json"},
            {"query", "relations", "Subscription", "--json"},
            {"query", "entities", "Customer", "--as-of", "2", "--json"},
            {"schema", "history", "--kind", "entity", "--type", "Customer", "--json"},
            {"diff", "1", "4", "--json"}
        }) {
            assertThat(on(shop, copy, question).succeeded().out())
                    .isEqualTo(shop.onto(question).out());
        }
        on(shop, copy, "fsck").succeeded();
    }

    @ParameterizedTest
    @CsvSource(textBlock = PAIRS)
    void a_dry_run_says_how_much_there_is_and_creates_nothing(Backend from, Backend to) {
        Workspace shop = Workspace.shop(folder, from);
        String copy = to.uri(folder, "copy");
        Map<String, String> before = shop.content();

        OntoRun json = shop.run("copy", shop.uri(), copy, "--dry-run", "--json");
        OntoRun text = shop.run("copy", shop.uri(), copy, "--dry-run");

        assertThat(json.succeeded().at("verified")).isEqualTo(false);
        assertThat(json.at("rows")).isEqualTo(10L);
        assertThat(text.succeeded().out()).contains("nothing was copied");
        assertThat(shop.content()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(textBlock = PAIRS)
    void a_store_with_content_is_left_as_it_is(Backend from, Backend to) {
        Workspace shop = Workspace.shop(folder, from);
        String copy = to.uri(folder, "copy");
        shop.run("copy", shop.uri(), copy).succeeded();
        Map<String, String> before = shop.content();

        OntoRun again = shop.run("copy", shop.uri(), copy).failedWith(4);

        assertThat(again.err()).contains("another store", "Name an empty place");
        assertThat(shop.content()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(textBlock = PAIRS)
    void a_store_that_was_only_prepared_takes_a_copy(Backend from, Backend to) {
        Workspace shop = Workspace.shop(folder, from);
        String copy = to.uri(folder, "copy");
        on(shop, copy, "init").succeeded();

        OntoRun copied = shop.run("copy", shop.uri(), copy);

        assertThat(copied.succeeded().out()).contains("found the same: 4 commits");
    }

    @ParameterizedTest
    @CsvSource({"false, 4", "true, 0"})
    void objects_at_the_target_are_an_obstacle_unless_this_copy_left_them(boolean ours, int exit) throws IOException {
        Workspace shop = Workspace.shop(folder, Backend.SQLITE);
        Path manifest = shop.path("copy/commits/1-00000000/manifest.json");
        Files.createDirectories(manifest.getParent());
        Files.writeString(manifest, "{}");
        if (ours) {
            Files.createDirectories(shop.path("copy/meta"));
            Files.writeString(
                    shop.path("copy/meta/restore.json"),
                    "{\"source\":\"" + shop.uri() + "\",\"started_at\":\"2026-03-01T09:00:00.000000+00:00\"}");
        }

        OntoRun copied = shop.run("copy", shop.uri(), Backend.FOLDER.uri(folder, "copy"));

        assertThat(copied.exitCode()).as(copied.err()).isEqualTo(exit);
        assertThat(Files.exists(shop.path("copy/meta/head.json"))).isEqualTo(ours);
        assertThat(shop.path("copy/meta/restore.json")).doesNotExist();
    }
}
