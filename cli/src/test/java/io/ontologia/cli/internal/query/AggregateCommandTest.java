package io.ontologia.cli.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
class AggregateCommandTest {
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
    void relations_are_grouped_by_the_keys_at_their_ends() {
        OntoRun run = shop.onto(
                "aggregate", "relations", "Subscription", "--agg", "n=count()", "--group-by", "left_key", "--json");

        assertThat(run.succeeded().json())
                .isEqualTo(List.of(Map.of("left_key", "c1", "n", 2L), Map.of("left_key", "c3", "n", 1L)));
    }

    @Test
    void everything_is_aggregated_at_once() {
        OntoRun run = shop.onto(
                "aggregate",
                "entities",
                "Customer",
                "--agg",
                "n=count()",
                "--agg",
                "total=sum($.age)",
                "--agg",
                "mean=avg(age)",
                "--agg",
                "youngest=min($.age)",
                "--agg",
                "last=max($.name)",
                "--agg",
                "tags=avg_len($.tags)",
                "--agg",
                "vips=count_where(any(tags) = 'vip' or age > 50)",
                "--json");

        assertThat(run.succeeded().json())
                .isEqualTo(List.of(Map.of(
                        "n",
                        3L,
                        "total",
                        128L,
                        "mean",
                        128.0 / 3,
                        "youngest",
                        32L,
                        "last",
                        "Cleo",
                        "tags",
                        1.0,
                        "vips",
                        2L)));
    }

    @Test
    void groups_are_a_table_with_the_names_that_were_given() {
        OntoRun text = shop.onto(
                "aggregate",
                "relations",
                "Subscription",
                "--agg",
                "n=count()",
                "--agg",
                "seats=sum($.seat_count)",
                "--group-by",
                "active");
        OntoRun json = shop.onto(
                "aggregate",
                "relations",
                "Subscription",
                "--agg",
                "n=count()",
                "--group-by",
                "$.active",
                "--having",
                "n > 1",
                "--json");

        assertThat(text.succeeded().out()).isEqualTo("""
                active  n  seats
                false   1      1
                true    2     25
                """);
        assertThat(json.succeeded().json()).isEqualTo(List.of(Map.of("$.active", true, "n", 2L)));
    }

    @Test
    void groups_are_sorted_and_cut() {
        OntoRun run = shop.onto(
                "aggregate",
                "relations",
                "Subscription",
                "--agg",
                "n=count()",
                "--agg",
                "seats=sum(seat_count)",
                "--group-by",
                "left_key",
                "--order-by",
                "n:desc",
                "--limit",
                "1",
                "--json");
        OntoRun byKey = shop.onto(
                "aggregate",
                "relations",
                "Subscription",
                "--agg",
                "n=count()",
                "--group-by",
                "left_key",
                "--having",
                "left_key >= 'c1' and n > 0",
                "--order-by",
                "left_key:desc",
                "--offset",
                "1",
                "--json");

        assertThat(run.succeeded().json()).isEqualTo(List.of(Map.of("left_key", "c1", "n", 2L, "seats", 6L)));
        assertThat(byKey.succeeded().json()).isEqualTo(List.of(Map.of("left_key", "c1", "n", 2L)));
    }

    @Test
    void filters_and_the_past_apply() {
        OntoRun filtered =
                shop.onto("aggregate", "entities", "Customer", "--agg", "n=count()", "--where", "age >= 44", "--json");
        OntoRun past = shop.onto(
                "aggregate",
                "entities",
                "Customer",
                "--agg",
                "n=count()",
                "--group-by",
                "tier",
                "--as-of",
                "3",
                "--json");

        assertThat(filtered.succeeded().at(0, "n")).isEqualTo(2L);
        assertThat(past.succeeded().json())
                .isEqualTo(List.of(Map.of("tier", "Gold", "n", 2L), Map.of("tier", "Silver", "n", 1L)));
    }

    @Test
    void over_nothing_a_count_is_zero_and_a_sum_is_null() {
        OntoRun run = shop.onto(
                "aggregate",
                "entities",
                "Customer",
                "--agg",
                "n=count()",
                "--agg",
                "s=sum(age)",
                "--where",
                "age < 0",
                "--json");

        assertThat(run.succeeded().at(0, "n")).isEqualTo(0L);
        assertThat(run.at(0, "s")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "2 | entities Customer                                       | --agg",
                "2 | people Customer --agg n=count()                         | entities",
                "2 | entities Customer --agg count()                         | it gives the result no name",
                "2 | entities Customer --agg n=median($.age)                 | there is no function 'median'",
                "2 | entities Customer --agg n=sum()                         | a field belongs here",
                "2 | entities Customer --agg n=count($.age)                  | a ')' belongs here",
                "2 | entities Customer --agg n=sum($.age                     | a ')' belongs here",
                "2 | entities Customer --agg n=sum($.aeg)                    | has no field 'aeg'",
                "2 | entities Customer --agg n=count_where(age=)             | column",
                "2 | entities Customer --agg n=count() --agg n=count()       | two results are called 'n'",
                "2 | entities Customer --agg n=count() --group-by $.x        | has no field 'x'",
                "2 | entities Customer --agg n=count() --group-by n          | two results are called 'n'",
                "2 | entities Customer --agg n=count() --group-by tier --group-by tier | grouped by twice",
                "2 | entities Customer --agg n=count() --having m>1          | --having names 'm', which is no aggregate",
                "2 | entities Customer --agg n=count() --order-by m          | --order-by names 'm', which is no aggregate",
                "2 | entities Customer --agg n=count() --order-by n:down     | --order-by is 'n:down'",
                "2 | entities Customer --agg n=count() --limit -1            | invalid limit -1",
                "2 | entities Customer --agg n=count() --having n>           | a value belongs here",
                "2 | entities Customer --agg n=count() --having n~1          | column 2",
                "4 | entities Nope --agg n=count()                           | unknown entity Nope",
                "4 | relations Customer --agg n=count()                      | unknown relation Customer",
            })
    void bad_questions_are_refused(int exitCode, String args, String message) {
        List<String> words = new ArrayList<>(List.of("aggregate"));
        words.addAll(Arrays.asList(args.split(" ")));

        OntoRun run = shop.onto(words.toArray(String[]::new)).failedWith(exitCode);

        assertThat(run.err()).contains(message);
    }
}
