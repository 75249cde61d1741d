package io.ontologia.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are too deep or too large end in an error that says so, and not in one of the machine. */
class InputLimitsTest {
    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, Backend.SQLITE);
    }

    @ParameterizedTest
    @CsvSource({"[, 'entities: '", "{a: , ''", "'? ', ''", "'- ', ''"})
    void a_deep_model_is_refused(String level, String before) {
        Path model = shop.file("deep.yaml", before + level.repeat(50_000));

        OntoRun run = shop.run("schema", "export", "--models", model.toString());

        assertThat(run.err()).contains("nests deeper than 200 levels");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void a_deep_type_is_refused() {
        Path model = shop.file(
                "deep.yaml",
                "entities: {A: {fields: {id: {type: str, primary_key: true}, x: '" + "list[".repeat(50_000) + "int"
                        + "]".repeat(50_000) + "'}}}");

        OntoRun run = shop.run("schema", "export", "--models", model.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).doesNotContain("StackOverflow").hasSizeLessThan(5_000);
    }

    @Test
    void a_large_model_is_refused() throws IOException {
        Path model = large("large.yaml", 100L << 20);

        OntoRun run = shop.run("schema", "export", "--models", model.toString());

        assertThat(run.err()).contains("has more than 3145728 characters");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void a_line_without_end_is_refused() throws IOException {
        Path input = large("in.jsonl", 40L << 20);

        OntoRun rows = shop.onto(
                "import",
                "--input",
                input.toString(),
                "--models",
                shop.path("models.yaml").toString());

        assertThat(rows.err()).contains("line 1 has more than 33554432 bytes");
    }

    /** A file of zeros that takes no room on the disk. */
    private Path large(String name, long bytes) throws IOException {
        Path file = folder.resolve(name);
        try (RandomAccessFile created = new RandomAccessFile(file.toFile(), "rw")) {
            created.setLength(bytes);
        }
        return file;
    }
}
