package io.ontologia.store.object.internal.engine;

import static io.ontologia.store.object.internal.engine.Rows.THING;
import static io.ontologia.store.object.internal.engine.Rows.thing;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Window;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.FilterEvaluator;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.JsonObject;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every value that engines are known to confuse against every other one, with every operator, plain and negated: in fields
 * with a column of their own, and in JSON. Over files, and over the table of latest versions.
 */
class EveryComparisonIT {
    private static final BigInteger BEYOND_LONG = BigInteger.ONE.shiftLeft(63);
    private static final BigInteger BEYOND_HUGE = BigInteger.ONE.shiftLeft(130);
    private static final BigInteger BEYOND_DOUBLE = BigInteger.TEN.pow(400);

    private static final List<Object> TEXTS = List.of(
            "",
            "a",
            "A",
            "ab",
            "a%",
            "%",
            "_",
            "1",
            "1.0",
            "true",
            "null",
            "[]",
            "{\"a\":1}",
            "'",
            "\"",
            "\\",
            "\\u0041",
            "?",
            "$1",
            "--",
            "\n",
            "\t",
            "\u0001",
            "\u007f",
            "é",
            "e\u0301",
            "\uFFFD",
            "\uE000",
            "😀",
            "😀a");
    private static final List<Object> LONGS = List.of(
            0L, 1L, -1L, 10L, 9007199254740992L, 9007199254740993L, -9007199254740993L, Long.MAX_VALUE, Long.MIN_VALUE);
    private static final List<Object> DOUBLES = List.of(
            0.0,
            -0.0,
            1.0,
            1.5,
            -1.5,
            0.1,
            Double.MIN_VALUE,
            1.7976931348623157e308,
            -1e300,
            9007199254740992.0,
            9.223372036854776e18,
            -9.223372036854776e18,
            1e16,
            1e22,
            123456789.125);
    private static final List<Object> HUGE = List.of(
            BEYOND_LONG,
            BEYOND_LONG.negate().subtract(BigInteger.ONE),
            BEYOND_HUGE,
            BEYOND_HUGE.negate(),
            BEYOND_DOUBLE,
            BEYOND_DOUBLE.negate(),
            new BigInteger("123456789012345678901234567890"));
    private static final List<Object> BOOLS = List.of(true, false);

    @TempDir
    Path folder;

    private Rows rows;
    private final List<DesiredRow> documents = new ArrayList<>();

    @BeforeEach
    void open() {
        rows = new Rows(folder);
        add("name", TEXTS);
        add("count", LONGS);
        add("price", DOUBLES);
        add("open", BOOLS);
        List.of(TEXTS, LONGS, DOUBLES, HUGE, BOOLS).forEach(values -> add("v", values));
        add("v", List.of(List.of(), List.of(1L), "x"));
        documents.add(thing("nothing"));
        documents.add(thing("nulls", "name", null, "count", null, "price", null, "open", null, "v", null));
        rows.commit(1, 1, THING, documents);
        rows.latest().rebuild(THING.ref(), rows.files(THING.ref()), 1, "");
    }

    private void add(String field, List<?> values) {
        values.forEach(value -> documents.add(thing("k" + documents.size(), field, value)));
    }

    @AfterEach
    void close() {
        rows.close();
    }

    @Test
    void every_comparison_means_the_same_as_in_process() {
        List<Object> constants = new ArrayList<>();
        List.of(TEXTS, LONGS, DOUBLES, HUGE, BOOLS).forEach(constants::addAll);
        for (String field : List.of("name", "count", "price", "open", "v")) {
            for (Object constant : constants) {
                for (Filter.Test test : tests(constant)) {
                    Filter.At at = new Filter.At(FieldPath.of(field), test);
                    assertSame(at, new Source.Table(1));
                    assertSame(at.not(), new Source.Table(1));
                }
                Filter.Compare compare = new Filter.Compare(Filter.Op.EQ, constant);
                assertSame(new Filter.At(FieldPath.of(field), compare), rows.source(THING.ref()));
            }
        }
    }

    private static List<Filter.Test> tests(Object constant) {
        List<Filter.Test> tests = new ArrayList<>();
        for (Filter.Op op : Filter.Op.values()) {
            if (!(constant instanceof Boolean) || op == Filter.Op.EQ || op == Filter.Op.NE) {
                tests.add(new Filter.Compare(op, constant));
            }
        }
        if (constant instanceof String text) {
            for (Filter.TextOp op : Filter.TextOp.values()) {
                tests.add(new Filter.Text(op, text));
            }
        }
        return tests;
    }

    private void assertSame(Filter filter, Source source) {
        RowQuery query = EngineQueries.filtered(THING.ref(), new Window.Latest(), filter);
        try (Stream<StoredRow> found = rows.engine().rows(query, type -> source, rows.latest())) {
            assertThat(found.map(row -> row.identity().toString()))
                    .as("%s in %s", filter, source)
                    .containsExactlyInAnyOrderElementsOf(documents.stream()
                            .filter(row -> FilterEvaluator.passes(
                                    filter,
                                    JsonObject.parse("a row", row.fieldsJson()).fields()))
                            .map(row -> row.identity().toString())
                            .toList());
        }
    }
}
