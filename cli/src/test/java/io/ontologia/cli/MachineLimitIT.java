package io.ontologia.cli;

import static io.ontologia.cli.Workspace.product;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ontologia.testkit.SmallDisk;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors whose cause is the machine name the cause and the remedy. */
class MachineLimitIT {
    @TempDir
    Path folder;

    @Test
    void an_import_that_does_not_fit_into_the_memory_names_its_size_and_the_remedies() throws Exception {
        Workspace shop = new Workspace(folder);
        Path models = shop.file("models.yaml", Workspace.SHOP_MODEL);
        Path input = large(shop.path("large.jsonl"));
        String[] command = {
            "import",
            "--input",
            input.toString(),
            "--models",
            models.toString(),
            "--storage-uri",
            shop.uri(),
            "--apply",
            "--on-conflict",
            "upsert"
        };

        OntoRun run = OntoProcess.in(Map.of()).java("-Xmx20m").run(command).failedWith(5);

        assertThat(run.err())
                .startsWith("error: cannot import " + input + ": the memory of ")
                .contains("and the input has 1", " MB. ", "ONTO_JAVA_OPTS=-Xmx1g", "split the input")
                .doesNotContain("unexpected", "report");
        assertThat(shop.path("onto.db"))
                .satisfiesAnyOf(
                        file -> assertThat(file).doesNotExist(),
                        file -> assertThat(shop.onto("commits", "--json")
                                        .succeeded()
                                        .out()
                                        .strip())
                                .isEqualTo("[]"));
    }

    private static Path large(Path file) throws IOException {
        try (BufferedWriter lines = Files.newBufferedWriter(file)) {
            for (int i = 0; i < 100_000; i++) {
                lines.write(product("product-" + i, "some name that is a little longer"));
                lines.newLine();
            }
        }
        return file;
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void a_missing_temporary_folder_is_named(Backend backend) throws Exception {
        Workspace shop = new Workspace(folder, backend);
        Path models = shop.file("models.yaml", Workspace.SHOP_MODEL);
        Path missing = folder.resolve("missing");

        Path input = shop.file("in.jsonl", product("p1", "One") + "\n");

        OntoRun run = OntoProcess.in(Map.of())
                .java("-Djava.io.tmpdir=" + missing)
                .run("import", "--input", input.toString(), "--models", models.toString(), "--storage-uri", shop.uri());

        run.failedWith(5);
        assertThat(run.err())
                .contains("cannot use the temporary folder " + missing + ": it is not there", "java.io.tmpdir")
                .doesNotContain("unexpected");
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void a_full_temporary_folder_is_named(Backend backend) throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        assumeTrue(SmallDisk.isPossible(small), "a full folder needs 'unshare -rm' and mounts in it");
        Workspace shop = new Workspace(folder, backend);
        Path models = shop.file("models.yaml", Workspace.SHOP_MODEL);
        Path input = shop.file("in.jsonl", product("p1", "One") + "\n");

        OntoRun run = OntoProcess.in(Map.of())
                .by(SmallDisk.command("64k", small))
                .java("-Djava.io.tmpdir=" + small)
                .run("import", "--input", input.toString(), "--models", models.toString(), "--storage-uri", shop.uri());

        run.failedWith(5);
        assertThat(run.err())
                .contains("cannot use the temporary folder " + small + ": ", "or it is full", "java.io.tmpdir")
                .doesNotContain("unexpected", "ExceptionInInitializerError");
    }
}
