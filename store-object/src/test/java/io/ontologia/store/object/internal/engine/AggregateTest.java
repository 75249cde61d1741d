package io.ontologia.store.object.internal.engine;

import static io.ontologia.core.Aggregate.avg;
import static io.ontologia.core.Aggregate.avgLen;
import static io.ontologia.core.Aggregate.count;
import static io.ontologia.core.Aggregate.countWhere;
import static io.ontologia.core.Aggregate.max;
import static io.ontologia.core.Aggregate.min;
import static io.ontologia.core.Aggregate.sum;
import static io.ontologia.core.Fields.field;
import static io.ontologia.store.object.internal.engine.Rows.LINK;
import static io.ontologia.store.object.internal.engine.Rows.THING;
import static io.ontologia.store.object.internal.engine.Rows.link;
import static io.ontologia.store.object.internal.engine.Rows.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldExpression;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Window;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values computed over many rows, of fields with and without a column of their own. */
class AggregateTest {
    private static final FieldExpression<Object> V = field("$.v");
    private static final FieldExpression<Object> NAME = field("$.name");
    private static final FieldExpression<Object> COUNT = field("$.count");
    private static final FieldExpression<Object> PRICE = field("$.price");

    @TempDir
    Path folder;

    private Rows rows;

    @BeforeEach
    void open() {
        rows = new Rows(folder);
    }

    @AfterEach
    void close() {
        rows.close();
    }

    private List<Map<String, @Nullable Object>> all(Aggregate... aggregates) {
        return aggregate(List.of(), List.of(), aggregates);
    }

    private List<Map<String, @Nullable Object>> aggregate(
            List<FieldPath> groupBy, List<Aggregate.Having> having, Aggregate... aggregates) {
        return rows.aggregate(new AggregateQuery(
                RowQuery.of(THING.ref(), new Window.Latest()), List.of(aggregates), groupBy, having));
    }

    private static Map<String, @Nullable Object> fields(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return map;
    }

    @Test
    void over_no_rows_a_count_is_zero_and_everything_else_is_null() {
        Map<String, @Nullable Object> nothing =
                fields("n", 0L, "w", 0L, "s", null, "a", null, "i", null, "x", null, "l", null);
        Aggregate[] everything = {
            count("n"),
            countWhere("w", field("$.name").eq("x")),
            sum("s", COUNT),
            avg("a", PRICE),
            min("i", NAME),
            max("x", V),
            avgLen("l", V)
        };

        assertThat(all(everything)).containsExactly(nothing);
        rows.commit(1, 1, THING, List.of());
        assertThat(all(everything)).containsExactly(nothing);
    }

    @Test
    void fields_with_a_column_are_added_and_compared() {
        rows.commit(1, thing("a", "name", "x", "count", 3L, "price", 1.5, "open", true));
        rows.commit(2, thing("b", "name", "y", "count", 4L), thing("c", "price", 2.0, "open", false));

        assertThat(all(
                        sum("s", COUNT),
                        avg("a", COUNT),
                        min("i", COUNT),
                        max("x", PRICE),
                        min("n", NAME),
                        min("o", field("$.open")),
                        sum("ns", NAME),
                        avgLen("l", NAME)))
                .containsExactly(
                        fields("s", 7L, "a", 3.5, "i", 3L, "x", 2.0, "n", "x", "o", null, "ns", null, "l", null));
    }

    @Test
    void only_numbers_are_added_and_only_lists_have_a_length() {
        rows.commit(
                1,
                thing("a", "v", 1L),
                thing("b", "v", 2.5),
                thing("c", "v", true),
                thing("d", "v", "7"),
                thing("e", "v", null),
                thing("f", "v", List.of(1L, 2L, 3L)),
                thing("g", "v", List.of()));

        assertThat(all(sum("sum", V), avg("avg", V), min("min", V), max("max", V), avgLen("len", V)))
                .containsExactly(fields("sum", 3.5, "avg", 1.75, "min", 1L, "max", "7", "len", 1.5));
    }

    @Test
    void the_smallest_and_largest_numbers_are_exact() {
        rows.commit(
                1,
                thing("a", "v", 9007199254740993L, "count", Long.MAX_VALUE),
                thing("b", "v", 9007199254740992.0, "count", new BigInteger("123456789012345678901234567890")),
                thing("c", "v", new BigInteger("123456789012345678901234567890"), "count", 1L),
                thing("d", "v", new BigInteger("123456789012345678901234567891")));

        assertThat(all(min("i", V), max("x", V), max("c", COUNT)))
                .containsExactly(fields(
                        "i",
                        9007199254740992.0,
                        "x",
                        new BigInteger("123456789012345678901234567891"),
                        "c",
                        new BigInteger("123456789012345678901234567890")));
    }

    @Test
    void values_of_different_types_are_different_groups_and_equal_numbers_are_one() {
        rows.commit(
                1,
                thing("a", "v", 1L),
                thing("b", "v", 1.0),
                thing("c", "v", true),
                thing("d", "v", "1"),
                thing("e", "v", null),
                thing("f"),
                thing("g", "v", List.of(1L)),
                thing("h", "v", List.of(1L)),
                thing("i", "v", false),
                thing("j", "v", 9007199254740993L),
                thing("k", "v", 9007199254740992L));

        assertThat(aggregate(List.of(FieldPath.of("v")), List.of(), count("n")))
                .containsExactly(
                        fields("$.v", false, "n", 1L),
                        fields("$.v", true, "n", 1L),
                        fields("$.v", 1L, "n", 2L),
                        fields("$.v", 9007199254740992L, "n", 1L),
                        fields("$.v", 9007199254740993L, "n", 1L),
                        fields("$.v", "1", "n", 1L),
                        fields("$.v", List.of(1L), "n", 2L),
                        fields("$.v", null, "n", 2L));
    }

    @Test
    void groups_by_fields_with_a_column_come_in_order_and_nothing_comes_last() {
        rows.commit(
                1,
                thing("a", "name", "x", "price", 2.0),
                thing("b", "name", "x", "price", 1.0),
                thing("c", "name", "X"),
                thing("d"));

        assertThat(aggregate(List.of(FieldPath.of("name"), FieldPath.of("price")), List.of(), count("n")))
                .containsExactly(
                        fields("$.name", "X", "$.price", null, "n", 1L),
                        fields("$.name", "x", "$.price", 1.0, "n", 1L),
                        fields("$.name", "x", "$.price", 2.0, "n", 1L),
                        fields("$.name", null, "$.price", null, "n", 1L));
    }

    @Test
    void groups_are_chosen_by_what_was_computed_for_them() {
        rows.commit(
                1,
                thing("a", "name", "x", "count", 1L, "v", "p"),
                thing("b", "name", "x", "count", 2L, "v", "q"),
                thing("c", "name", "y", "count", 5L, "v", 3L),
                thing("d", "name", "z", "v", "r"));
        Aggregate[] everything = {count("n"), sum("s", COUNT), max("v", V), min("m", NAME)};

        assertThat(names(new Aggregate.Having("n", Filter.Op.GT, 1), everything))
                .containsExactly("x");
        assertThat(names(new Aggregate.Having("n", Filter.Op.NE, 2), everything))
                .containsExactly("y", "z");
        assertThat(names(new Aggregate.Having("s", Filter.Op.GTE, 3), everything))
                .containsExactly("x", "y");
        assertThat(names(new Aggregate.Having("s", Filter.Op.LT, 3.5), everything))
                .containsExactly("x");
        assertThat(names(new Aggregate.Having("v", Filter.Op.GT, "p"), everything))
                .containsExactly("x", "z");
        assertThat(names(new Aggregate.Having("v", Filter.Op.NE, 2), everything))
                .containsExactly("y");
        assertThat(names(new Aggregate.Having("m", Filter.Op.NE, 2), everything))
                .isEmpty();
        assertThat(names(new Aggregate.Having("m", Filter.Op.EQ, "y"), everything))
                .containsExactly("y");
        assertThatThrownBy(() -> names(new Aggregate.Having("other", Filter.Op.EQ, 1), everything))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("no aggregate called 'other'");
    }

    private List<@Nullable Object> names(Aggregate.Having having, Aggregate... aggregates) {
        return aggregate(List.of(FieldPath.of("name")), List.of(having), aggregates).stream()
                .<@Nullable Object>map(group -> group.get("$.name"))
                .toList();
    }

    @Test
    void the_entities_at_the_ends_can_be_grouped_and_counted() {
        rows.commit(1, thing("a", "name", "x", "count", 3L), thing("b", "name", "y", "v", List.of(1L, 2L)));
        rows.commit(2, link("a", "b"), link("b", "a"), link("b", "missing"));
        RowQuery links = new RowQuery(
                LINK.ref(),
                new Window.Latest(),
                Optional.empty(),
                Optional.of("Thing"),
                Optional.of("Thing"),
                OptionalLong.empty(),
                Optional.empty(),
                List.of(),
                OptionalLong.of(2),
                0,
                Optional.empty());

        assertThat(rows.aggregate(new AggregateQuery(
                        links,
                        List.of(
                                count("n"),
                                sum("s", field("right.$.count")),
                                countWhere("w", field("right.$.name").isNull()),
                                avgLen("l", field("right.$.v"))),
                        List.of(FieldPath.parse("left.$.name")),
                        List.of())))
                // The name of an entity that does not exist is not null but unknown.
                .containsExactly(
                        fields("left.$.name", "x", "n", 1L, "s", null, "w", 0L, "l", 2.0),
                        fields("left.$.name", "y", "n", 2L, "s", 3L, "w", 0L, "l", null));
    }
}
