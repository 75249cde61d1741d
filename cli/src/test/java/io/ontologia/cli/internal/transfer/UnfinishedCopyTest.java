package io.ontologia.cli.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A place that a copy was begun to and not finished is no store, and does not become one by other commands. */
class UnfinishedCopyTest {
    @TempDir
    Path folder;

    private Workspace shop;
    private Path head;
    private Path mark;

    @BeforeEach
    void a_copy_without_its_head() throws IOException {
        shop = Workspace.shop(folder, Backend.FOLDER);
        shop.run("copy", shop.uri(), shop.uri("copy")).succeeded();
        head = shop.path("copy").resolve("meta/head.json");
        mark = shop.path("copy").resolve("meta/restore.json");
        Files.delete(head);
    }

    private void mark(String source) throws IOException {
        Files.writeString(mark, "{\"source\":\"" + source + "\",\"started_at\":\"2026-01-01T00:00:00.000000+00:00\"}");
    }

    private OntoRun importing() throws IOException {
        Path rows = folder.resolve("rows.jsonl");
        Files.writeString(rows, Workspace.product("p9", "Late"));
        return shop.on(
                "copy",
                "import",
                "--input",
                rows.toString(),
                "--models",
                shop.path("models.yaml").toString(),
                "--apply",
                "--on-conflict",
                "abort");
    }

    @Test
    void init_and_import_refuse_what_is_left_and_name_the_way_out() throws IOException {
        OntoRun init = shop.on("copy", "init").failedWith(4);
        OntoRun imported = importing().failedWith(5);

        assertThat(init.err()).contains("but no meta/head.json", "onto init --force");
        assertThat(imported.err()).contains("but no meta/head.json", "onto init --force");
        assertThat(head).doesNotExist();
    }

    @Test
    void a_copy_that_is_under_way_is_named() throws IOException {
        mark(shop.uri());

        OntoRun init = shop.on("copy", "init").failedWith(4);
        OntoRun imported = importing().failedWith(5);

        assertThat(init.err()).contains("a copy of " + shop.uri() + " to this place is not finished", "onto copy");
        assertThat(imported.err()).contains("is not finished", "onto copy");
        assertThat(head).doesNotExist();
    }

    @Test
    void a_prepared_place_takes_no_first_commit_while_a_copy_is_under_way() throws IOException {
        shop.on("other", "init").succeeded();
        Files.createDirectories(shop.path("copy").resolve("meta"));
        Files.copy(shop.path("other").resolve("meta/head.json"), head);
        mark(shop.uri());

        OntoRun init = shop.on("copy", "init").failedWith(4);
        OntoRun imported = importing().failedWith(5);

        assertThat(init.err()).contains("is not finished");
        assertThat(imported.err()).contains("is not finished");
    }

    @Test
    void only_the_same_copy_goes_on() throws IOException {
        mark("file:///elsewhere");
        OntoRun other = shop.run("copy", shop.uri(), shop.uri("copy")).failedWith(4);
        mark(shop.uri());

        shop.run("copy", shop.uri(), shop.uri("copy")).succeeded();

        assertThat(other.err()).contains("the beginning of a copy of file:///elsewhere");
        assertThat(mark).doesNotExist();
        shop.on("copy", "fsck").succeeded();
        importing().succeeded();
    }
}
