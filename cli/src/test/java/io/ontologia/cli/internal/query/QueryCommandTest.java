package io.ontologia.cli.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
class QueryCommandTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, backend);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "entities  | Customer     | key = 'c2'                      | c2",
                "entities  | Customer     | id in ('c3', 'c1') and age > 40 | c3",
                "relations | Subscription | left_key = 'c1'                 | c1 c1",
                "relations | Subscription | right_key = 'nothing'           | ''",
                "relations | Subscription | left.id = 'c3'                  | c3"
            })
    void rows_are_found_by_their_keys(String kind, String type, String where, String found) {
        OntoRun run = shop.onto("query", kind, type, "--where", where, "--json");

        assertThat(run.succeeded().column(kind.equals("entities") ? "key" : "left_key"))
                .isEqualTo(found.isEmpty() ? List.of() : List.of(found.split(" ")));
    }

    @Test
    void entities_are_a_table_or_a_list_of_key_fields_and_commit() {
        OntoRun text = shop.onto("query", "entities", "Customer");
        OntoRun json = shop.onto("query", "entities", "Customer", "--limit", "1", "--json");

        assertThat(text.succeeded().out()).isEqualTo("""
                key  name   tier  age  tags          commit
                c1   Alice  Gold   32  ["vip","eu"]       1
                c2   Bob    Gold   44  []                 4
                c3   Cleo   Gold   52  ["us"]             4
                """);
        assertThat(json.succeeded().json())
                .isEqualTo(List.of(Map.of(
                        "key",
                        "c1",
                        "fields",
                        Map.of("id", "c1", "name", "Alice", "tier", "Gold", "age", 32L, "tags", List.of("vip", "eu")),
                        "commit_id",
                        1L)));
    }

    @Test
    void columns_are_chosen_by_name() {
        OntoRun text = shop.onto("query", "entities", "Customer", "--columns", "tier,key", "--limit", "1");
        OntoRun relations = shop.onto(
                "query", "relations", "Subscription", "--columns", "right_key,seat_count,author", "--limit", "1");
        OntoRun unknown = shop.onto("query", "entities", "Customer", "--columns", "key,nope");

        assertThat(text.succeeded().out()).isEqualTo("tier  key\nGold  c1\n");
        assertThat(relations.succeeded().out()).isEqualTo("right key  seat_count  author\np1                  5\n");
        assertThat(unknown.failedWith(2).err()).contains("'nope'").contains("key, name, tier, age, tags, commit");
    }

    @Test
    void rows_are_printed_as_csv_or_one_value_a_line_and_whole() {
        String name = "A \\\"long\\\" name, ".repeat(10);
        shop.ensure("long", Workspace.customer("c9", name, "", "null", "[]"));

        OntoRun csv = shop.onto("query", "entities", "Customer", "--where", "id = 'c9'", "--format", "csv");
        OntoRun vertical = shop.onto("query", "entities", "Customer", "--where", "id = 'c9'", "--vertical");
        OntoRun both = shop.onto("query", "entities", "Customer", "--format", "csv", "--json");

        assertThat(csv.succeeded().out())
                .isEqualTo("key,name,tier,age,tags,commit\nc9,\"" + "A \"\"long\"\" name, ".repeat(10)
                        + "\",\"\",,[],5\n");
        assertThat(vertical.succeeded().out())
                .isEqualTo("key     c9\nname    "
                        + "A \"long\" name, ".repeat(10).strip() + "\ntier\nage     -\ntags    []\ncommit  5\n");
        assertThat(both.exitCode()).isEqualTo(2);
    }

    @Test
    void aggregates_and_commits_are_printed_as_csv() {
        OntoRun groups = shop.onto(
                "aggregate", "entities", "Customer", "--agg", "n=count()", "--group-by", "$.tier", "--format", "csv");
        OntoRun commits = shop.onto("commits", "--last", "1", "--format", "csv");

        assertThat(groups.succeeded().out()).isEqualTo("$.tier,n\nGold,3\n");
        assertThat(commits.succeeded().out().lines())
                .startsWith("commit,timestamp,operations,author,reason,meta,digest")
                .element(1)
                .asString()
                .startsWith("4,2026-03-01T09:04:00.000000+00:00,2,\"\",\"\",why=review,");
    }

    @Test
    void relations_are_a_table_or_a_list_of_keys_fields_and_commit() {
        OntoRun text = shop.onto("query", "relations", "Subscription");
        OntoRun json = shop.onto("query", "relations", "Subscription", "--limit", "1", "--json");

        assertThat(text.succeeded().out()).isEqualTo("""
                left key  right key  seat_count  active  commit
                c1        p1                  5  true         3
                c1        p2                  1  false        3
                c3        p1                 20  true         3
                """);
        assertThat(json.succeeded().namesAt(0))
                .containsExactly("left_key", "right_key", "instance_key", "fields", "commit_id");
        assertThat(json.at(0, "instance_key")).isNull();
        assertThat(json.at(0, "fields")).isEqualTo(Map.of("seat_count", 5L, "active", true));
    }

    @Test
    void nothing_found_is_an_empty_list_and_no_error() {
        OntoRun text = shop.onto("query", "entities", "Customer", "--where", "tier = 'Lead'");
        OntoRun json = shop.onto("query", "entities", "Customer", "--where", "tier = 'Lead'", "--json");

        assertThat(text).returns(0, OntoRun::exitCode).returns("note: no rows\n", OntoRun::err);
        assertThat(text.out()).startsWith("key  name  tier  age").hasLineCount(1);
        assertThat(json.succeeded().json()).isEqualTo(List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "$.name     | eq              | \"Bob\"          | c2",
                "name       | ne              | \"Bob\"          | c1 c3",
                "$.age      | gt              | 44               | c3",
                "$.age      | gte             | 44               | c2 c3",
                "$.age      | lt              | 44.5             | c1 c2",
                "$.age      | lte             | 32               | c1",
                "$.age      | gt              | -1               | c1 c2 c3",
                "$.name     | in              | [\"Bob\",\"Cleo\"] | c2 c3",
                "$.name     | in              | []               | ``",
                "$.age      | is_null         | false            | c1 c2 c3",
                "$.age      | is_null         | true             | ``",
                "$.age      | is_not_null     | true             | c1 c2 c3",
                "$.name     | starts_with     | \"A\"            | c1",
                "$.name     | ends_with       | \"o\"            | c3",
                "$.name     | contains        | \"o\"            | c2 c3",
                "$.tags     | any_eq          | \"vip\"          | c1",
                "$.tags[]   | any_in          | [\"us\",\"eu\"]  | c1 c3",
                "$.tags     | any_starts_with | \"v\"            | c1",
            })
    void filters_pick_rows(String path, String op, String json, String keys) {
        OntoRun run = shop.onto("query", "entities", "Customer", "--filter", path, op, json, "--json");

        assertThat(run.succeeded().column("key"))
                .isEqualTo(keys.isEmpty() ? List.of() : Arrays.asList(keys.split(" ")));
    }

    @Test
    void several_filters_and_expressions_must_all_hold() {
        OntoRun run = shop.onto(
                "query",
                "entities",
                "Customer",
                "--filter",
                "$.age",
                "gt",
                "40",
                "--filter",
                "$.age",
                "lt",
                "60",
                "--where",
                "tier = 'Gold' or age is null",
                "--where",
                "not name = 'Bob'",
                "--json");

        assertThat(run.succeeded().column("key")).containsExactly("c3");
    }

    @Test
    void relations_are_filtered_by_the_entities_on_their_ends() {
        OntoRun triple =
                shop.onto("query", "relations", "Subscription", "--filter", "$.left.name", "eq", "\"Alice\"", "--json");
        OntoRun expression = shop.onto(
                "query",
                "relations",
                "Subscription",
                "--where",
                "left.name = 'Alice' and right.name = 'Backup'",
                "--json");

        assertThat(triple.succeeded().column("right_key")).containsExactly("p1", "p2");
        assertThat(expression.succeeded().column("right_key")).containsExactly("p2");
    }

    @Test
    void rows_are_sorted_and_paged() {
        OntoRun run = shop.onto(
                "query",
                "entities",
                "Customer",
                "--order-by",
                "$.tier",
                "--order-by",
                "$.age:desc",
                "--limit",
                "2",
                "--offset",
                "1",
                "--json");

        assertThat(run.succeeded().column("key")).containsExactly("c2", "c1");
    }

    @Test
    void the_past_is_asked_by_commit_or_time() {
        OntoRun byCommit = shop.onto("query", "entities", "Customer", "--as-of", "3", "--json");
        OntoRun byTime = shop.onto("query", "entities", "Customer", "--as-of", "2026-03-01T09:03:59Z", "--json");
        OntoRun before = shop.onto("query", "entities", "Customer", "--as-of", "0", "--json");

        assertThat(byCommit.succeeded().at(1, "fields", "tier")).isEqualTo("Silver");
        assertThat(byTime.succeeded().out()).isEqualTo(byCommit.out());
        assertThat(before.succeeded().json()).isEqualTo(List.of());
    }

    @Test
    void a_commit_beyond_the_newest_means_the_newest_and_has_no_history_after_it() {
        OntoRun now = shop.onto("query", "entities", "Customer", "--json");
        OntoRun beyond = shop.onto("query", "entities", "Customer", "--as-of", "99", "--json");
        OntoRun since = shop.onto("query", "entities", "Customer", "--history-since", "99", "--json");

        assertThat(beyond.succeeded().out()).isEqualTo(now.out());
        assertThat(since.succeeded().json()).isEqualTo(List.of());
    }

    @Test
    void history_lists_every_version_oldest_first() {
        OntoRun all = shop.onto("query", "entities", "Customer", "--where", "id = 'c2'", "--with-history");
        OntoRun since = shop.onto("query", "entities", "Customer", "--history-since", "3", "--json");

        assertThat(all.succeeded().out()).isEqualTo("""
                key  name  tier    age  tags  commit  time                              author  reason
                c2   Bob   Silver    -  []         2  2026-03-01T09:02:00.000000+00:00
                c2   Bob   Gold     44  []         4  2026-03-01T09:04:00.000000+00:00
                """);
        assertThat(since.succeeded().column("key")).containsExactly("c2", "c3");
    }

    @Test
    void traversals_list_paths_or_where_they_lead() {
        OntoRun text = shop.onto("query", "traverse", "Customer", "--via", "Subscription");
        OntoRun json = shop.onto(
                "query",
                "traverse",
                "Product",
                "--via",
                "Subscription",
                "--via",
                "Subscription",
                "--where",
                "sku = 'p2'",
                "--json");
        OntoRun targets = shop.onto(
                "query",
                "traverse",
                "Product",
                "--via",
                "Subscription",
                "--without-relations",
                "--order-by",
                "$.name:desc",
                "--json");

        assertThat(text.succeeded().out()).isEqualTo("""
                Customer  via Subscription                 Product
                c1        {"active":true,"seat_count":5}   p1
                c1        {"active":false,"seat_count":1}  p2
                c3        {"active":true,"seat_count":20}  p1
                """);
        assertThat(json.succeeded().namesAt(0)).containsExactly("source", "relations", "depth");
        assertThat(json.at(0, "source", "key")).isEqualTo("p2");
        assertThat(json.at(0, "relations", 0, "left_key")).isEqualTo("c1");
        assertThat(json.at(0, "relations", 1, "target", "fields", "name")).isEqualTo("Analytics");
        assertThat(json.column("source")).hasSize(2);
        assertThat(targets.succeeded().column("key")).containsExactly("c1", "c3");
    }

    @Test
    void traversals_see_the_past_and_pages_of_their_sources() {
        OntoRun before = shop.onto("query", "traverse", "Customer", "--via", "Subscription", "--as-of", "2", "--json");
        OntoRun page = shop.onto(
                "query", "traverse", "Customer", "--via", "Subscription", "--limit", "1", "--offset", "2", "--json");

        assertThat(before.succeeded().json()).isEqualTo(List.of());
        assertThat(page.succeeded().at(0, "source", "key")).isEqualTo("c3");
    }

    @Test
    void long_values_are_cut_in_tables_only() {
        String name = "x".repeat(100);
        shop.ensure("long", Workspace.product("p3", name));

        OntoRun text = shop.onto("query", "entities", "Product", "--where", "sku = 'p3'");
        OntoRun json = shop.onto("query", "entities", "Product", "--where", "sku = 'p3'", "--json");

        assertThat(text.succeeded().out()).contains("x".repeat(47) + "…").doesNotContain("x".repeat(48));
        assertThat(json.succeeded().at(0, "fields", "name")).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "2 | Customer --filter $.tier eq Gold           | 'Gold' is no JSON value",
                "2 | Customer --filter $.tier eq null           | nothing equals null",
                "2 | Customer --filter $.tier like \"G\"        | there is no operator 'like'",
                "2 | Customer --filter $.tier in \"G\"          | in takes a list",
                "2 | Customer --filter $.tier is_null 1         | is_null takes true or false",
                "2 | Customer --filter $.tier contains 1        | contains takes a text",
                "2 | Customer --filter $.tier eq [1]            | eq takes a text, number or boolean",
                "2 | Customer --filter $.tier gt true           | true and false have no order",
                "2 | Customer --filter $..tier eq 1             | a segment is empty",
                "2 | Customer --filter $.tier eq                | 3 mandatory parameters",
                "2 | Customer --where tier=                     | column 6",
                "2 | Customer --where teir='x'                  | entity Customer has no field 'teir'. It has age, id, name, tags, tier",
                "2 | Customer --where age='32'                   | '$.age' is an integer, and the filter compares it with the text '32'",
                "2 | Customer --where tags='x'                   | Test the items of the list, with any",
                "2 | Customer --where left.tier='x'             | an entity has no left and right end",
                "2 | Customer --order-by $.nme                  | has no field 'nme'",
                "2 | Customer --order-by $.name:down            | --order-by is '$.name:down'",
                "2 | Customer --limit -1                        | invalid limit -1",
                "2 | Customer --offset -1                       | invalid offset -1",
                "2 | Customer --limit x                         | --limit",
                "2 | Customer --as-of tomorrow                  | which is no time",
                "2 | Customer --as-of 1 --with-history          | leave one of them out",
                "2 | Customer --history-since -1                | negative",
                "2 | Cust-omer                                  | invalid type name 'Cust-omer'",
                "4 | Nope                                       | unknown entity Nope: known are Customer, Product",
                "2 | Customer Product                           | unknown argument 'Product'",
            })
    void bad_questions_are_refused(int exitCode, String args, String message) {
        List<String> words = new ArrayList<>(List.of("query", "entities"));
        words.addAll(Arrays.asList(args.split(" ")));

        OntoRun run = shop.onto(words.toArray(String[]::new)).failedWith(exitCode);

        assertThat(run.err().toLowerCase(Locale.ROOT)).contains(message.toLowerCase(Locale.ROOT));
    }

    @Test
    void bad_traversals_are_refused() {
        assertThat(shop.onto("query", "traverse", "Customer").failedWith(2).err())
                .contains("--via");
        assertThat(shop.onto("query", "traverse", "Customer", "--via", "Nope")
                        .failedWith(4)
                        .err())
                .contains("unknown relation Nope");
        assertThat(shop.onto("query", "traverse", "Nope", "--via", "Subscription")
                        .failedWith(4)
                        .err())
                .contains("unknown entity Nope");
        assertThat(shop.onto("query", "traverse", "Customer", "--via", "Subscription", "--with-history")
                        .failedWith(2)
                        .err())
                .contains("a path has no history");
    }
}
