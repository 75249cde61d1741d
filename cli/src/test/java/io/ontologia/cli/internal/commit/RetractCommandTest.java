package io.ontologia.cli.internal.commit;

import static io.ontologia.cli.Workspace.customer;
import static io.ontologia.cli.Workspace.product;
import static io.ontologia.cli.Workspace.subscription;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands that end rows and bring earlier states back. */
@ParameterizedClass
@EnumSource(Backend.class)
class RetractCommandTest {
    private static final String BOB = customer("c2", "Bob", "Gold", "44", "[]");

    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, backend);
    }

    private List<Object> keys(String... query) {
        String[] args = Stream.concat(Arrays.stream(query), Stream.of("--json")).toArray(String[]::new);
        OntoRun run = shop.onto(args).succeeded();
        return Stream.of(run.column("key")).flatMap(List::stream).toList();
    }

    private OntoRun importing(String input, String... args) {
        Path file = shop.file("in.jsonl", input);
        return shop.onto(Stream.concat(Stream.of("import", "--input", file.toString()), Arrays.stream(args))
                .toArray(String[]::new));
    }

    @Test
    void a_plan_comes_first_and_the_commit_keeps_the_reason() {
        OntoRun plan = shop.onto("retract", "Customer", "c2").succeeded();

        assertThat(plan.out()).isEqualTo("""
                type      row  change  field  old     new
                Customer  c2   ended   age    44
                                       id     "c2"
                                       name   "Bob"
                                       tags   []
                                       tier   "Gold"

                0 new, 0 changed, 1 ended; nothing was written; add --apply to do it
                """);
        assertThat(keys("query", "entities", "Customer")).containsExactly("c1", "c2", "c3");

        OntoRun done = shop.onto("retract", "Customer", "c2", "--apply", "--reason", "closed", "--json")
                .succeeded();
        assertThat(done.at("retractions")).isEqualTo(1L);
        assertThat(done.at("commit_id")).isEqualTo(5L);
        assertThat(keys("query", "entities", "Customer")).containsExactly("c1", "c3");
        assertThat(keys("query", "entities", "Customer", "--as-of", "4")).containsExactly("c1", "c2", "c3");
        assertThat(shop.onto("commits", "examine", "--id", "5", "--json").at("meta", "reason"))
                .isEqualTo("closed");

        OntoRun history = shop.onto("query", "entities", "Customer", "--where", "key = 'c2'", "--with-history");
        assertThat(history.succeeded().out()).contains("5 (ended)");
        OntoRun json = shop.onto("query", "entities", "Customer", "--where", "key = 'c2'", "--with-history", "--json");
        assertThat(json.at(2, "ended")).isEqualTo(true);
        assertThat(json.at(2, "fields")).isNull();
        OntoRun diff = shop.onto("diff", "4", "5", "--json").succeeded();
        assertThat(diff.at(0, "operation")).isEqualTo("retract");
        assertThat(diff.at(0, "new")).isNull();
        assertThat(shop.onto("retract", "Customer", "c2", "--apply").succeeded().out())
                .isEqualTo("everything was so already; there is no new commit\n");
    }

    @Test
    void entities_with_relations_need_a_cascade() {
        OntoRun refused = shop.onto("retract", "Customer", "c1", "--apply").failedWith(5);

        assertThat(refused.err())
                .contains("cannot retract entity Customer 'c1'")
                .contains("--cascade");

        OntoRun done =
                shop.onto("retract", "Customer", "c1", "--cascade", "--apply").succeeded();
        assertThat(done.out()).isEqualTo("commit 5: 0 new, 0 changed, 3 ended\n");
        shop.onto("retract", "Subscription", "c3", "p1", "--apply").succeeded();
        assertThat(shop.onto("query", "relations", "Subscription", "--json")
                        .succeeded()
                        .json())
                .isEqualTo(List.of());
        assertThat(shop.onto("retract", "Subscription", "c3").failedWith(2).err())
                .contains("has 2 keys, and 1 are given");
    }

    @Test
    void lines_of_an_import_end_rows() {
        OntoRun done = importing("""
                {"type_kind":"entity","type_name":"Customer","key":"c2","op":"retract"}
                {"type_kind":"relation","type_name":"Subscription","left_key":"c1","right_key":"p2","op":"retract"}
                %s
                """.formatted(product("p3", "Cloud")), "--apply", "--on-conflict", "abort", "--json");

        assertThat(done.succeeded().at("retractions")).isEqualTo(2L);
        assertThat(done.at("inserts")).isEqualTo(1L);
        assertThat(keys("query", "entities", "Customer")).containsExactly("c1", "c3");
        OntoRun bad = importing("""
                {"type_kind":"entity","type_name":"Customer","key":"c2","op":"drop","fields":{}}
                """);
        assertThat(bad.exitCode()).isEqualTo(6);
        assertThat(bad.err()).contains("unknown op 'drop'");
    }

    @Test
    void a_complete_import_ends_what_is_missing_within_a_limit() {
        String two = BOB + "\n" + customer("c4", "Dora", "Basic", "20", "[]") + "\n";

        OntoRun plan = importing(two, "--complete", "Customer", "--cascade", "--on-conflict", "upsert");
        assertThat(plan.succeeded().out())
                .contains("ended")
                .contains("2 of 3 rows would end, so --apply needs --allow-retract 2");
        OntoRun refused = importing(two, "--complete", "Customer", "--cascade", "--apply", "--on-conflict", "upsert");
        assertThat(refused.failedWith(6).err())
                .contains("2 of 3 rows that the store has are not in it; 0 may end")
                .contains("--allow-retract 2");
        assertThat(keys("query", "entities", "Customer")).containsExactly("c1", "c2", "c3");

        OntoRun done = importing(
                two,
                "--complete",
                "Customer",
                "--cascade",
                "--allow-retract",
                "2",
                "--apply",
                "--on-conflict",
                "upsert",
                "--json");
        assertThat(done.succeeded().at("retractions")).isEqualTo(5L);
        assertThat(done.at("inserts")).isEqualTo(1L);
        assertThat(done.at("commit_id")).isEqualTo(5L);
        assertThat(keys("query", "entities", "Customer")).containsExactly("c2", "c4");

        OntoRun again = importing(two, "--complete", "Customer", "--apply", "--on-conflict", "abort", "--json");
        assertThat(again.succeeded().at("retractions")).isEqualTo(0L);
    }

    @Test
    void a_complete_import_of_some_rows_leaves_the_others() {
        shop.ensure("more", customer("c5", "Eve", "Basic", "1", "[]"), customer("c6", "Finn", "Basic", "2", "[]"));

        OntoRun done = importing(
                customer("c5", "Eve", "Basic", "9", "[]") + "\n",
                "--complete",
                "Customer:tier = 'Basic'",
                "--allow-retract",
                "1",
                "--apply",
                "--on-conflict",
                "upsert",
                "--json");

        assertThat(done.succeeded().at("retractions")).isEqualTo(1L);
        assertThat(done.at("updates")).isEqualTo(1L);
        assertThat(keys("query", "entities", "Customer")).containsExactly("c1", "c2", "c3", "c5");
    }

    @Test
    void a_merge_keeps_the_fields_that_a_line_does_not_name() {
        String part = "{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"key\":\"c3\",\"fields\":{\"age\":53}}\n";

        importing(part, "--merge", "--apply", "--on-conflict", "upsert").succeeded();

        OntoRun after = shop.onto("query", "entities", "Customer", "--where", "key = 'c3'", "--json");
        assertThat(after.at(0, "fields", "age")).isEqualTo(53L);
        assertThat(after.at(0, "fields", "name")).isEqualTo("Cleo");
        assertThat(after.at(0, "fields", "tags")).isEqualTo(List.of("us"));
        OntoRun unknown = importing(part.replace("c3", "new"), "--merge", "--apply", "--on-conflict", "upsert");
        assertThat(unknown.exitCode()).isEqualTo(6);
        assertThat(unknown.err()).contains("in.jsonl:1: invalid entity Customer 'new': field 'name' is missing");
        assertThat(importing(part).err()).contains("in.jsonl:1: invalid entity Customer 'c3': field 'name' is missing");
    }

    @Test
    void a_commit_is_undone_by_a_new_one() {
        assertThat(shop.onto("revert", "2", "--apply").failedWith(5).err())
                .contains("commit 4 changed entity Customer 'c2' after it");

        assertThat(shop.onto("revert", "4").succeeded().out())
                .contains("0 new, 2 changed, 0 ended; nothing was written");
        shop.onto("revert", "4", "--apply").succeeded();
        OntoRun bob = shop.onto("query", "entities", "Customer", "--where", "key = 'c2'", "--json");
        assertThat(bob.at(0, "fields", "tier")).isEqualTo("Silver");
        assertThat(shop.onto("commits", "examine", "--id", "5", "--json").at("meta", "reverts"))
                .isEqualTo(4L);

        shop.onto("revert", "2", "--overwrite", "--cascade", "--apply").succeeded();
        assertThat(keys("query", "entities", "Customer")).containsExactly("c1");
        assertThat(shop.onto("revert", "99").failedWith(4).err()).contains("unknown commit 99");
    }

    @Test
    void a_type_becomes_as_it_was() {
        shop.ensure("later", customer("c9", "Zoe", "Gold", "1", "[]"), subscription("c2", "p2", 1, true));

        OntoRun done = shop.onto("restore", "--type", "Customer", "--as-of", "2", "--apply", "--json")
                .succeeded();

        assertThat(done.at("retractions")).isEqualTo(1L);
        assertThat(done.at("updates")).isEqualTo(2L);
        assertThat(keys("query", "entities", "Customer")).containsExactly("c1", "c2", "c3");
        OntoRun bob = shop.onto("query", "entities", "Customer", "--where", "key = 'c2'", "--json");
        assertThat(bob.at(0, "fields", "tier")).isEqualTo("Silver");

        shop.onto("restore", "--type", "Customer:tier = 'Silver'", "--as-of", "4", "--apply")
                .succeeded();
        OntoRun again = shop.onto("query", "entities", "Customer", "--where", "key = 'c2'", "--json");
        assertThat(again.at(0, "fields", "tier")).isEqualTo("Gold");
    }
}
