package io.ontologia.cli.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyCommandTest {
    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, Backend.FOLDER);
    }

    @Test
    void a_copy_has_the_same_commits_rows_and_schemas() {
        String commits = shop.onto("commits", "--since", "0", "--json").out();
        String history = shop.onto("query", "entities", "Customer", "--with-history", "--json")
                .out();
        String schema = shop.onto("schema", "history", "--kind", "entity", "--type", "Customer", "--json")
                .out();

        OntoRun copied = shop.run("copy", shop.uri(), shop.uri("copy"), "--json");

        assertThat(copied.succeeded().at("verified")).isEqualTo(true);
        assertThat(copied.at("commits")).isEqualTo(4L);
        assertThat(copied.at("to")).isEqualTo(shop.uri("copy"));
        assertThat(shop.on("copy", "commits", "--since", "0", "--json")
                        .succeeded()
                        .out())
                .isEqualTo(commits);
        assertThat(shop.on("copy", "query", "entities", "Customer", "--with-history", "--json")
                        .out())
                .isEqualTo(history);
        assertThat(shop.on("copy", "schema", "history", "--kind", "entity", "--type", "Customer", "--json")
                        .out())
                .isEqualTo(schema);
        shop.on("copy", "fsck").succeeded();
        shop.on("copy", "index", "verify").succeeded();
    }

    @Test
    void a_dry_run_says_how_much_there_is_and_creates_nothing() {
        Map<String, String> before = shop.content();

        OntoRun json = shop.run("copy", shop.uri(), shop.uri("copy"), "--dry-run", "--json");
        OntoRun text = shop.run("copy", shop.uri(), shop.uri("copy"), "--dry-run");

        assertThat(json.succeeded().at("verified")).isEqualTo(false);
        assertThat((Long) json.at("objects")).isGreaterThan(8L);
        assertThat(text.succeeded().out()).contains("nothing was copied");
        assertThat(shop.content()).isEqualTo(before);
    }

    @Test
    void an_empty_store_takes_a_copy_and_one_with_content_does_not() {
        shop.on("prepared", "init").succeeded();

        OntoRun first = shop.run("copy", shop.uri(), shop.uri("prepared"));
        shop.ensure("later", Workspace.product("p9", "Late"));
        OntoRun second = shop.run("copy", shop.uri(), shop.uri("prepared")).failedWith(4);
        OntoRun itself = shop.run("copy", shop.uri(), shop.uri()).failedWith(4);

        assertThat(first.succeeded().out()).contains("found the same: 4 commits");
        assertThat(second.err()).contains("objects already, of another store", "onto init --force");
        assertThat(itself.err()).contains("objects already, of another store");
        assertThat(shop.on("prepared", "info", "--json").at("head_commit_id")).isEqualTo(4L);
    }

    @Test
    void a_copy_that_was_interrupted_goes_on() throws IOException {
        shop.run("copy", shop.uri(), shop.uri("copy")).succeeded();
        Files.delete(shop.path("copy").resolve("meta/head.json"));
        try (Stream<Path> files = Files.walk(shop.path("copy").resolve("commits"))) {
            Files.delete(files.filter(file -> file.endsWith("Customer.parquet"))
                    .findFirst()
                    .orElseThrow());
        }

        OntoRun again = shop.run("copy", shop.uri(), shop.uri("copy"));

        again.succeeded();
        shop.on("copy", "fsck").succeeded();
    }

    @Test
    void a_place_that_others_use_is_left_alone() throws IOException {
        Path other = shop.path("copy/commits/1-00000000/manifest.json");
        Files.createDirectories(other.getParent());
        Files.writeString(other, "{}");

        shop.run("copy", shop.uri(), shop.uri("copy")).failedWith(4);

        assertThat(shop.path("copy/meta/head.json")).doesNotExist();
    }

    @Test
    void what_cannot_be_copied_is_refused_before_anything_is_created() {
        String database = "sqlite:///" + shop.path("other.db");

        OntoRun vanishing = shop.run("copy", "memory:", shop.uri("copy")).failedWith(4);
        shop.run("copy", shop.uri(), "sqlite::memory:").failedWith(4);
        shop.run("copy", database, shop.uri("copy")).failedWith(4);
        shop.run("copy", shop.uri("missing"), database).failedWith(4);
        OntoRun missing =
                shop.run("copy", shop.uri("missing"), shop.uri("copy")).failedWith(4);
        shop.run("copy", "ftp://x", shop.uri("copy")).failedWith(2);
        shop.run("copy", shop.uri()).failedWith(2);
        shop.run("copy").failedWith(2);

        assertThat(vanishing.err()).contains("gone after it", "sqlite:///path.db");
        assertThat(missing.err()).contains("there is no Ontologia store");
        assertThat(shop.path("copy")).doesNotExist();
        assertThat(shop.path("other.db")).doesNotExist();
    }
}
