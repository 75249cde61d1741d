package io.ontologia.cli.internal.transfer;

import static io.ontologia.cli.Workspace.customer;
import static io.ontologia.cli.Workspace.product;
import static io.ontologia.cli.Workspace.subscription;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Backend.class)
class ImportCommandTest {
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
    void a_dry_run_is_the_default_and_changes_nothing() {
        Path input = shop.file("in.jsonl", lines(customer("c2", "Bobby", "Gold", "44", "[]"), product("p3", "Cloud")));
        Map<String, String> before = shop.content();

        OntoRun text = importing(input, "--on-conflict", "upsert");
        OntoRun json = importing(input, "--dry-run", "--json");

        assertThat(text.succeeded().out()).isEqualTo("""
                type      row  change   field  old    new
                Customer  c2   changed  name   "Bob"  "Bobby"
                Product   p3   new      name          "Cloud"
                                        sku           "p3"

                records  inserts  updates  skipped  conflicts  commit
                      2        1        1        0          0       -
                nothing was written; add --apply with --on-conflict to do it
                """);
        assertThat(json.succeeded().at("conflicts")).isEqualTo(1L);
        assertThat(json.at("status")).isEqualTo("dry_run");
        assertThat(json.at("changes", 0, "operation")).isEqualTo("update_version");
        assertThat(json.at("changes", 0, "old", "name")).isEqualTo("Bob");
        assertThat(json.at("changes", 0, "new", "name")).isEqualTo("Bobby");
        assertThat(json.at("changes", 1, "key")).isEqualTo("p3");
        assertThat(json.at("changes", 1, "old")).isNull();
        assertThat(shop.content()).isEqualTo(before);
    }

    @Test
    void a_dry_run_lists_the_first_20_changes_and_all_on_request() {
        Path input = shop.file(
                "in.jsonl",
                lines(IntStream.range(0, 25)
                        .mapToObj(i -> product("new" + i, "Number " + i))
                        .toArray(String[]::new)));

        OntoRun text = importing(input).succeeded();
        OntoRun json = importing(input, "--json").succeeded();

        assertThat(text.out())
                .contains("new19", "and 5 more rows; --all lists them")
                .doesNotContain("new20");
        assertThat((List<?>) json.at("changes")).hasSize(20);
        assertThat(json.at("inserts")).isEqualTo(25L);
        assertThat(importing(input, "--all").succeeded().out())
                .contains("new24")
                .doesNotContain("more rows");
        assertThat((List<?>) importing(input, "--all", "--json").succeeded().at("changes"))
                .hasSize(25);
    }

    @Test
    void at_most_20_bad_lines_are_listed_and_all_are_counted() {
        Path input = shop.file("in.jsonl", "{\"type_kind\":\"entity\"}\n".repeat(1000));

        OntoRun text = importing(input);
        OntoRun json = importing(input, "--json");

        assertThat(text).returns(6, OntoRun::exitCode).returns("", OntoRun::out);
        assertThat(text.err().lines())
                .hasSize(22)
                .contains("bad line: and 980 more; --all lists them")
                .last()
                .asString()
                .contains("1000 of 1000 lines are bad");
        assertThat((List<?>) json.at("error", "details", "problems")).hasSize(20);
        assertThat(json.at("error", "details", "problem_count")).isEqualTo(1000L);
        assertThat(importing(input, "--all").err().lines()).hasSize(1001);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id,name,tier         | looks like CSV",
                "id;name              | looks like CSV",
                "[{\"type_kind\": 1},  | looks like a JSON array",
                "{                    | looks like JSON over several lines",
            })
    void a_file_of_another_format_is_recognized(String firstLine, String hint) {
        Path input = shop.file("in.txt", "\n" + firstLine + "\nmore,of,it\n");

        OntoRun text = importing(input);
        OntoRun json = importing(input, "--json");

        assertThat(text).returns(6, OntoRun::exitCode);
        assertThat(text.err().lines().toList()).last().asString().contains(hint);
        assertThat(json.textAt("error", "details", "hint")).contains(hint);
    }

    @Test
    void a_dry_run_does_not_create_a_database() {
        Path input = shop.file("in.jsonl", lines(product("p3", "Cloud")));

        OntoRun run = shop.run(
                "import",
                "--input",
                input.toString(),
                "--models",
                shop.path("models.yaml").toString(),
                "--storage-uri",
                shop.uri("other.db"));

        assertThat(run.succeeded().out()).contains("Product  p3   new", "      1        1        0");
        assertThat(shop.path("other.db")).doesNotExist();
    }

    @Test
    void apply_writes_everything_in_one_commit_with_metadata() {
        Path input = shop.file(
                "in.jsonl",
                lines(
                        product("p3", "Cloud"),
                        customer("c2", "Bob", "Gold", "45", "[]"),
                        subscription("c2", "p3", 2, true)));

        OntoRun run =
                importing(input, "--apply", "--on-conflict", "upsert", "--meta", "who=me", "--meta", "a=b=c", "--json");

        assertThat(run.succeeded().json())
                .isEqualTo(Map.of(
                        "status", "applied",
                        "total_records", 3L,
                        "inserts", 2L,
                        "updates", 1L,
                        "retractions", 0L,
                        "skipped", 0L,
                        "conflicts", 0L,
                        "commit_id", 5L));
        OntoRun commit = shop.onto("commits", "examine", "--id", "5", "--json").succeeded();
        assertThat(commit.at("operations")).isEqualTo(3L);
        assertThat(commit.at("meta")).isEqualTo(Map.of("who", "me", "a", "b=c"));
    }

    @Test
    void every_bad_line_is_reported_with_file_line_and_reason_and_nothing_is_written() throws IOException {
        Path data = Files.createDirectory(shop.path("data"));
        String good = product("p9", "Good");
        Files.writeString(
                data.resolve("a.jsonl"),
                lines(
                        good,
                        "{\"type_kind\":\"entity\"",
                        "",
                        "[1]",
                        product("p3", "x").replace("entity", "thing"),
                        product("p3", "x").replace("Product", "Nope"),
                        product("p3", "x").replace("fields", "feilds"),
                        product(" ", "x"),
                        product("p3", "x").replace("\"x\"", "7")));
        Files.writeString(
                data.resolve("b.jsonl"),
                lines(
                        customer("c9", "Zoe", "Gold", "\"old\"", "[1]"),
                        subscription("c1", "p1", 1, true).replace("\"left_key\":\"c1\",", ""),
                        subscription("c1", "p1", 1, true).replace("\"fields\"", "\"instance_key\":\"i\",\"fields\""),
                        customer("c9", "Zoe", "Gold", "1", "[]").replace("\"name\":\"Zoe\",", "\"nmae\":\"Zoe\",")));
        Files.write(data.resolve("c.jsonl"), new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}', '\n'});
        Map<String, String> before = shop.content();

        OntoRun text = importing(data, "--apply", "--on-conflict", "upsert");
        OntoRun json = importing(data, "--apply", "--on-conflict", "upsert", "--json");

        assertThat(text).returns(6, OntoRun::exitCode).returns("", OntoRun::out);
        assertThat(text.err().lines().map(line -> line.replace(data.toString(), "data")))
                .anySatisfy(line -> assertThat(line).startsWith("bad line: data/a.jsonl:2: invalid JSON"))
                .contains("bad line: data/a.jsonl:4: invalid line: it is not a JSON object")
                .anySatisfy(line -> assertThat(line).startsWith("bad line: data/a.jsonl:5: unknown kind 'thing'"))
                .anySatisfy(line -> assertThat(line).startsWith("bad line: data/a.jsonl:6: unknown entity Nope"))
                .anySatisfy(line -> assertThat(line).contains("data/a.jsonl:7: invalid line: unknown member 'feilds'"))
                .anySatisfy(line -> assertThat(line).contains("data/a.jsonl:8: invalid key: it is blank"))
                .anySatisfy(line -> assertThat(line).contains("data/a.jsonl:9: ", "field 'name' is a number"))
                .anySatisfy(line -> assertThat(line).contains("data/b.jsonl:1: ", "field 'age'", "field 'tags[0]'"))
                .anySatisfy(line -> assertThat(line).contains("data/b.jsonl:2: ", "'left_key' is missing"))
                .anySatisfy(line -> assertThat(line).contains("data/b.jsonl:3: ", "has no instance key"))
                .anySatisfy(line ->
                        assertThat(line).contains("data/b.jsonl:4: ", "field 'name' is missing", "no field 'nmae'"))
                .anySatisfy(line -> assertThat(line).contains("data/c.jsonl:1: "))
                .last()
                .asString()
                .startsWith("error: cannot import data: 12 of 13 lines are bad, and nothing was written.");
        assertThat(json).returns(6, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(json.at("error", "details", "problems", 0, "line")).isEqualTo(2L);
        assertThat(json.at("error", "details", "problems", 11, "file"))
                .isEqualTo(data.resolve("c.jsonl").toString());
        assertThat(shop.content()).isEqualTo(before);
    }

    @Test
    void of_two_lines_of_one_row_the_later_counts() {
        Path input = shop.file("in.jsonl", lines(product("p3", "Cloud"), product("p3", "Cloud Two")));

        OntoRun run = importing(input, "--apply", "--on-conflict", "abort", "--json");

        assertThat(run.succeeded().at("inserts")).isEqualTo(1L);
        assertThat(run.at("skipped")).isEqualTo(1L);
        assertThat(shop.onto("query", "entities", "Product", "--where", "sku = 'p3'", "--json")
                        .at(0, "fields", "name"))
                .isEqualTo("Cloud Two");
    }

    @Test
    void a_first_import_needs_models_and_a_later_one_does_not() {
        Path input = shop.file("in.jsonl", lines(product("p3", "Cloud")));
        String other = shop.uri("other.db");

        OntoRun without = shop.run("import", "--input", input.toString(), "--storage-uri", other)
                .failedWith(4);
        OntoRun later = shop.onto("import", "--input", input.toString(), "--apply", "--on-conflict", "abort");

        assertThat(without.err()).contains("there is no", "onto init");
        assertThat(shop.path("other.db")).doesNotExist();
        later.succeeded();
    }

    @Test
    void models_that_differ_from_the_store_are_a_schema_mismatch() {
        Path input = shop.file("in.jsonl", "this is not even JSON\n");
        Path changed = shop.file("changed.yaml", Workspace.SHOP_MODEL.replace("seat_count: int", "seat_count: float"));

        OntoRun run = shop.onto("import", "--input", input.toString(), "--models", changed.toString())
                .failedWith(3);

        assertThat(run.err()).contains("schema mismatch for relation Subscription", "changed seat_count");
    }

    @Test
    void options_that_do_not_go_together_are_usage_errors() throws IOException {
        String input = shop.file("in.jsonl", lines(product("p3", "Cloud"))).toString();
        Path empty = Files.createDirectory(shop.path("empty"));

        shop.onto("import").failedWith(2);
        shop.onto("import", "--input", input, "--apply").failedWith(2);
        shop.onto("import", "--input", input, "--apply", "--dry-run", "--on-conflict", "skip")
                .failedWith(2);
        shop.onto("import", "--input", input, "--on-conflict", "overwrite").failedWith(2);
        shop.onto("import", "--input", input, "--precondition", "if_commit_id:x")
                .failedWith(2);
        shop.onto("import", "--input", input, "--meta", "nothing").failedWith(2);
        shop.onto("import", "--input", input, "--meta", "a=1", "--meta", "a=2").failedWith(2);
        shop.onto("import", "--input", "missing.jsonl").failedWith(4);
        shop.onto("import", "--input", empty.toString()).failedWith(4);
    }

    private OntoRun importing(Path input, String... options) {
        List<String> args = new ArrayList<>(List.of("import", "--input", input.toString()));
        args.addAll(List.of("--models", shop.path("models.yaml").toString()));
        args.addAll(Arrays.asList(options));
        return shop.onto(args.toArray(String[]::new));
    }

    private static String lines(String... lines) {
        return String.join("\n", lines) + "\n";
    }
}
