package io.ontologia.cli.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
class ExportCommandTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;
    private Path out;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, backend);
        out = shop.path("out");
    }

    @Test
    void each_type_becomes_a_file_of_lines() throws IOException {
        OntoRun text = shop.onto("export", "--output", out.toString());
        OntoRun json = shop.onto("export", "--output", out.toString(), "--json");

        assertThat(text.succeeded()
                        .out()
                        .lines()
                        .map(line -> line.replace(out.toString(), "out").replaceAll(" +", " ")))
                .containsExactly(
                        "file rows", "out/Customer.jsonl 3", "out/Product.jsonl 2", "out/Subscription.jsonl 3");
        assertThat(json.succeeded().json())
                .isEqualTo(Map.of(
                        "rows",
                        8L,
                        "files",
                        List.of(
                                out.resolve("Customer.jsonl").toString(),
                                out.resolve("Product.jsonl").toString(),
                                out.resolve("Subscription.jsonl").toString())));
        assertThat(Files.readAllLines(out.resolve("Product.jsonl"))).containsExactly("""
                {"type_kind":"entity","type_name":"Product","key":"p1","fields":{"name":"Analytics","sku":"p1"}}""", """
                {"type_kind":"entity","type_name":"Product","key":"p2","fields":{"name":"Backup","sku":"p2"}}""");
        assertThat(Files.readAllLines(out.resolve("Subscription.jsonl")))
                .first()
                .isEqualTo("""
                {"type_kind":"relation","type_name":"Subscription","left_key":"c1","right_key":"p1",\
                "fields":{"active":true,"seat_count":5}}""");
        try (var files = Files.list(out)) {
            assertThat(files).hasSize(3);
        }
    }

    @Test
    void the_past_can_be_exported() throws IOException {
        shop.onto("export", "--output", out.toString(), "--as-of", "3", "--type", "Customer")
                .succeeded();
        List<String> byCommit = Files.readAllLines(out.resolve("Customer.jsonl"));
        shop.onto("export", "--output", out.toString(), "--as-of", "2026-03-01T09:03:30Z", "--type", "Customer")
                .succeeded();
        List<String> byTime = Files.readAllLines(out.resolve("Customer.jsonl"));

        assertThat(byCommit).hasSize(3).anySatisfy(line -> assertThat(line).contains("\"Bob\"", "\"Silver\""));
        assertThat(byTime).isEqualTo(byCommit);
    }

    @Test
    void the_history_since_a_commit_comes_with_its_commits() throws IOException {
        shop.onto("export", "--output", out.toString(), "--history-since", "1", "--with-metadata", "--type", "Customer")
                .succeeded();

        assertThat(Files.readAllLines(out.resolve("Customer.jsonl")))
                .hasSize(4)
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"Bob\"").endsWith("\"commit_id\":2}"),
                        line -> assertThat(line).contains("\"Cleo\"").endsWith("\"commit_id\":2}"),
                        line -> assertThat(line).contains("\"Bob\"").endsWith("\"commit_id\":4}"),
                        line -> assertThat(line).contains("\"Cleo\"").endsWith("\"commit_id\":4}"));
    }

    @Test
    void an_export_imported_elsewhere_gives_the_same_state() {
        shop.onto("export", "--output", out.toString()).succeeded();
        String copy = shop.uri("copy.db");

        shop.run(
                        "import",
                        "--input",
                        out.toString(),
                        "--models",
                        shop.path("models.yaml").toString(),
                        "--apply",
                        "--on-conflict",
                        "abort",
                        "--storage-uri",
                        copy)
                .succeeded();

        shop.run("export", "--output", shop.path("again").toString(), "--storage-uri", copy)
                .succeeded();
        for (String file : List.of("Customer.jsonl", "Product.jsonl", "Subscription.jsonl")) {
            assertThat(shop.path("again").resolve(file)).hasSameTextualContentAs(out.resolve(file));
        }
        assertThat(shop.onto("import", "--input", shop.path("again").toString(), "--json")
                        .at("skipped"))
                .isEqualTo(8L);
    }

    @Test
    void a_relation_with_instance_key_and_an_entity_of_the_same_name_survive_the_way() throws IOException {
        Path model = shop.file("twins.yaml", """
                entities:
                  Job: {fields: {id: {type: str, primary_key: true}}}
                relations:
                  Job: {left: Job, right: Job, instance_key: stint, fields: {stint: str, note: "str?"}}
                """);
        Path input = shop.file("twins.jsonl", """
                {"type_kind":"entity","type_name":"Job","key":"a","fields":{}}
                {"type_kind":"relation","type_name":"Job","left_key":"a","right_key":"a","instance_key":"1","fields":{"note":"é\\n\\u2028"}}
                {"type_kind":"relation","type_name":"Job","left_key":"a","right_key":"a","instance_key":"2","fields":{"note":null}}
                """);
        String db = shop.uri("twins.db");
        String copy = shop.uri("twins-copy.db");

        importing(input, model, db);
        shop.run("export", "--output", out.toString(), "--storage-uri", db).succeeded();
        importing(out, model, copy);

        OntoRun original = shop.run("query", "relations", "Job", "--json", "--storage-uri", db)
                .succeeded();
        OntoRun copied = shop.run("query", "relations", "Job", "--json", "--storage-uri", copy)
                .succeeded();
        assertThat(copied.out()).isEqualTo(original.out());
        assertThat(original.column("instance_key")).containsExactly("1", "2");
        assertThat(Files.readAllLines(out.resolve("Job.jsonl"))).hasSize(3);
    }

    @Test
    void wrong_options_are_refused() throws IOException {
        Path file = Files.createFile(shop.path("file"));

        shop.onto("export").failedWith(2);
        shop.onto("export", "--output", out.toString(), "--as-of", "1", "--history-since", "1")
                .failedWith(2);
        shop.onto("export", "--output", out.toString(), "--as-of", "soon").failedWith(2);
        shop.onto("export", "--output", out.toString(), "--type", "Nope").failedWith(4);
        shop.onto("export", "--output", file.toString()).failedWith(5);

        assertThat(out).doesNotExist();
    }

    private void importing(Path input, Path model, String db) {
        shop.run(
                        "import",
                        "--input",
                        input.toString(),
                        "--models",
                        model.toString(),
                        "--apply",
                        "--on-conflict",
                        "abort",
                        "--storage-uri",
                        db)
                .succeeded();
    }
}
