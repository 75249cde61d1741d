package io.ontologia.cli.internal.filter;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ontologia.core.Filter;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WhereParserTest {
    static Stream<Arguments> expressions() {
        Filter gold = field("$.tier").eq("Gold");
        Filter old = field("$.age").gt(30);
        Filter missing = field("$.age").isNull();
        return Stream.of(
                Arguments.of("tier = 'Gold'", gold),
                Arguments.of("$.tier == \"Gold\"", gold),
                Arguments.of("tier='Gold'and age>30", new Filter.And(List.of(gold, old))),
                Arguments.of(
                        "tier = 'Gold' or age > 30 and age is null",
                        new Filter.Or(List.of(gold, new Filter.And(List.of(old, missing))))),
                Arguments.of(
                        "(tier = 'Gold' or age > 30) AND age IS NULL",
                        new Filter.And(List.of(new Filter.Or(List.of(gold, old)), missing))),
                Arguments.of("not age is null", missing.not()),
                Arguments.of("not not tier = 'Gold'", gold.not().not()),
                Arguments.of("not (tier = 'Gold' and age > 30)", new Filter.And(List.of(gold, old)).not()),
                Arguments.of("age is not null", field("$.age").isNotNull()),
                Arguments.of("active is true", field("$.active").isTrue()),
                Arguments.of("active is not false", field("$.active").ne(false)),
                Arguments.of("active != true", field("$.active").ne(true)),
                Arguments.of("a.b.c <> 1", field("$.a.b.c").ne(1)),
                Arguments.of(
                        "profile.zip-code = '1'", field("$.profile.zip-code").eq("1")),
                Arguments.of("profile.0 = 1", field("$.profile.0").eq(1)),
                Arguments.of(
                        "profile.\"zip-code\" = '1'",
                        field("$.profile.zip-code").eq("1")),
                Arguments.of("profile.\"0\".x = 1", field("$.profile.0.x").eq(1)),
                Arguments.of(
                        "$.profile.\"first name\" = 'A'",
                        field("$.profile.\"first name\"").eq("A")),
                Arguments.of("x >= -1.5e3", field("$.x").gte(-1500.0)),
                Arguments.of("x <= 123456789012345678901", field("$.x").lte(new BigInteger("123456789012345678901"))),
                Arguments.of("left.tier = 'Gold'", field("left.$.tier").eq("Gold")),
                Arguments.of("$.left.tier = 'Gold'", field("left.$.tier").eq("Gold")),
                Arguments.of("right.$.price < 5", field("right.$.price").lt(5)),
                Arguments.of("tier in ('Gold', 'Silver')", field("$.tier").in(List.of("Gold", "Silver"))),
                Arguments.of("tier in [1, true]", field("$.tier").in(List.of(1, true))),
                Arguments.of("tier in ()", field("$.tier").in(List.of())),
                Arguments.of(
                        "tier not in ('x')", field("$.tier").in(List.of("x")).not()),
                Arguments.of("name starts_with 'A'", field("$.name").startsWith("A")),
                Arguments.of("name ends_with 'z'", field("$.name").endsWith("z")),
                Arguments.of(
                        "name not contains '%'", field("$.name").contains("%").not()),
                Arguments.of("any(tags) = 'vip'", field("$.tags").any().eq("vip")),
                Arguments.of(
                        "any($.events[].kind) in ('a')",
                        field("$.events").anyPath("kind").in(List.of("a"))),
                Arguments.of(
                        "any(a.b[].c.d) is null", field("$.a.b").anyPath("c.d").isNull()),
                Arguments.of(
                        "not any(tags[]) starts_with 'v'",
                        field("$.tags").any().startsWith("v").not()),
                Arguments.of("any = 1", field("$.any").eq(1)),
                Arguments.of(
                        "$.in = 1 and $.not = 2",
                        new Filter.And(
                                List.of(field("$.in").eq(1), field("$.not").eq(2)))),
                Arguments.of(
                        "name = 'it\\'s \\\"\\\\ \\u00e9\\n'", field("$.name").eq("it's \"\\ é\n")),
                Arguments.of("name = ''", field("$.name").eq("")));
    }

    @ParameterizedTest
    @MethodSource("expressions")
    void an_expression_becomes_a_filter(String text, Filter expected) {
        Filter filter = WhereParser.parse("--where", text);

        assertThat(filter).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                       | 1  | a field belongs here and not the end",
                "tier                     | 5  | an operator belongs here and not the end",
                "tier =                   | 7  | a value belongs here and not the end",
                "tier = Gold              | 8  | a value belongs here and not 'Gold'. put texts into quotes: 'Gold'",
                "tier = 'Gold             | 8  | the text that begins here has no end",
                "tier = null              | 8  | nothing equals null. write: is null",
                "tier in ('a', null)      | 15 | nothing equals null",
                "tier in 'a'              | 9  | a '(' belongs here and not ''a''",
                "tier in ('a' 'b')        | 14 | a ')' belongs here and not ''b''",
                "(tier = 'a'              | 12 | a ')' belongs here and not the end",
                "tier = 'a')              | 11 | the expression could end before ')'",
                "tier = 'a' tier = 'b'    | 12 | the expression could end before 'tier'",
                "tier = 'a' and           | 15 | a field belongs here and not the end",
                "tier = 'a' && x = 1      | 12 | '&' does not belong into an expression",
                "tier not = 'a'           | 10 | 'not' is followed by '='",
                "tier is maybe            | 9  | null, true or false belongs here and not 'maybe'",
                "tier contains 5          | 15 | a text in quotes belongs here and not '5'",
                "tier ~ 'a'               | 6  | '~' does not belong into an expression",
                "tags[].x = 1             | 1  | 'tags[].x' means many values",
                "any(tags[].x[].y) = 1    | 5  | items of lists in lists cannot be looked into",
                "any(left.tags) = 1       | 16 | a test of list items cannot look into the ends of a relation",
                "any(tags) not in (1)     | 11 | 'not' cannot stand between any",
                "active > true            | 8  | true and false have no order",
                "x = 1e999                | 5  | the number is too large",
                "x = 'a\\q'               | 7  | there is no escape '\\q'",
                "x = '\\u12'              | 6  | \\u needs four hexadecimal digits",
                "and = 1                  | 1  | a field belongs here and not 'and'",
            })
    void a_mistake_is_told_with_its_column(String text, int column, String reason) {
        OntologiaException refused =
                catchThrowableOfType(OntologiaException.class, () -> WhereParser.parse("--where", text));

        assertThat(refused)
                .hasMessageStartingWith("invalid --where, column " + column + ": ")
                .hasMessageContaining(reason);
        assertThat(refused.kind()).isEqualTo(ErrorKind.INVALID_INPUT);
        assertThat(refused.details()).containsEntry("column", column);
    }

    @Test
    void nesting_has_an_end() {
        OntologiaException parentheses = catchThrowableOfType(
                OntologiaException.class, () -> WhereParser.parse("--where", "(".repeat(100_000) + "a = 1"));
        assertThat(parentheses).hasMessageContaining("it nests too deep");
        assertThat(WhereParser.parse("--where", "not ".repeat(100_001) + "a = 1"))
                .isEqualTo(WhereParser.parse("--where", "not a = 1"));
    }

    @Test
    void a_chain_has_an_end_and_a_list_may_be_long() {
        for (String word : List.of("or", "and")) {
            OntologiaException chain = catchThrowableOfType(
                    OntologiaException.class,
                    () -> WhereParser.parse(
                            "--where", "b = 2 " + word + (" a = 1 " + word).repeat(100_000) + " a = 1"));

            assertThat(chain)
                    .hasMessageStartingWith("invalid --where, column 1: ")
                    .hasMessageContaining("more than 500 tests")
                    .hasMessageContaining("use in(…)");
        }
        assertThat(WhereParser.parse("--where", "a in (" + "'x', ".repeat(99_999) + "'y')"))
                .isInstanceOfSatisfying(
                        Filter.At.class,
                        at -> assertThat(((Filter.In) at.test()).values()).hasSize(100_000));
    }
}
