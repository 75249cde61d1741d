package io.ontologia.store.object.internal.engine;

import static io.ontologia.store.object.internal.engine.Rows.LINK;
import static io.ontologia.store.object.internal.engine.Rows.THING;
import static io.ontologia.store.object.internal.engine.Rows.link;
import static io.ontologia.store.object.internal.engine.Rows.thing;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Identity;
import io.ontologia.core.Order;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows are written to files and found again, now, as of a commit, and in all their versions. */
class EngineTest {
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

    private static RowQuery things(Window window) {
        return RowQuery.of(THING.ref(), window);
    }

    private static RowQuery latest() {
        return things(new Window.Latest());
    }

    private static RowQuery sorted(Order... order) {
        RowQuery all = latest();
        return new RowQuery(
                all.type(),
                all.window(),
                all.filter(),
                all.leftType(),
                all.rightType(),
                all.schemaVersion(),
                all.restriction(),
                Arrays.asList(order),
                all.limit(),
                all.offset(),
                all.after());
    }

    private static RowQuery paged(RowQuery query, OptionalLong limit, long offset, Optional<Identity> after) {
        return new RowQuery(
                query.type(),
                query.window(),
                query.filter(),
                query.leftType(),
                query.rightType(),
                query.schemaVersion(),
                query.restriction(),
                query.order(),
                limit,
                offset,
                after);
    }

    @Test
    void a_row_comes_back_as_it_was_written() {
        String json = Rows.json(
                "id", "é😀'\"\\", "name", "\u0001\n", "count", new BigInteger("123456789012345678901234567890"));
        rows.commit(
                7,
                3,
                THING,
                List.of(new io.ontologia.core.spi.DesiredRow(THING.ref(), new Identity.OfEntity("é😀'\"\\"), json)));

        assertThat(rows.rows(latest())).containsExactly(new StoredRow(new Identity.OfEntity("é😀'\"\\"), json, 7, 3));
    }

    @Test
    void the_newest_version_of_each_row_is_found() {
        rows.commit(1, thing("b"), thing("a"), thing("c"));
        rows.commit(3, thing("c", "v", 1L), thing("d"));
        rows.commit(4, thing("a", "v", 2L));

        assertThat(rows.keys(latest())).containsExactly("a@4", "b@1", "c@3", "d@3");
        assertThat(rows.count(latest())).isEqualTo(4);
        assertThat(rows.keys(things(new Window.AsOf(3)))).containsExactly("a@1", "b@1", "c@3", "d@3");
        assertThat(rows.keys(things(new Window.AsOf(2)))).containsExactly("a@1", "b@1", "c@1");
        assertThat(rows.keys(things(new Window.AsOf(0)))).isEmpty();
        assertThat(rows.keys(things(new Window.History(0)))).containsExactly("a@1", "b@1", "c@1", "c@3", "d@3", "a@4");
        assertThat(rows.keys(things(new Window.History(3)))).containsExactly("a@4");
    }

    @Test
    void without_files_there_are_no_rows() {
        assertThat(rows.keys(latest())).isEmpty();
        assertThat(rows.count(latest())).isZero();
    }

    @Test
    void a_commit_without_rows_makes_a_file_without_rows() {
        rows.commit(1, 1, THING, List.of());

        assertThat(rows.keys(latest())).isEmpty();
    }

    @Test
    void relations_are_ordered_by_both_ends() {
        rows.commit(1, link("b", "a"), link("a", "c"), link("a", "\uD83D\uDE00"), link("a", "\uFFFD"));
        rows.commit(2, link("a", "c", "v", 1L));

        assertThat(rows.keys(RowQuery.of(LINK.ref(), new Window.Latest())))
                .containsExactly("a -> c@2", "a -> \uFFFD@1", "a -> \uD83D\uDE00@1", "b -> a@1");
    }

    @Test
    void rows_can_be_restricted_to_keys() {
        rows.commit(1, thing("a"), thing("b"), thing("c'd"));
        rows.commit(2, thing("a", "v", 1L));
        rows.commit(3, link("a", "b"), link("b", "c"));

        assertThat(rows.keys(latest().restrictedTo(keys("a")))).containsExactly("a@2");
        assertThat(rows.keys(latest().restrictedTo(keys("c'd", "nobody", "a")))).containsExactly("a@2", "c'd@1");
        assertThat(rows.keys(latest().restrictedTo(keys()))).isEmpty();
        assertThat(rows.keys(RowQuery.of(LINK.ref(), new Window.Latest())
                        .restrictedTo(new RowQuery.Restriction(RowQuery.Restriction.Part.RIGHT, List.of("c", "x")))))
                .containsExactly("b -> c@3");
    }

    private static RowQuery.Restriction keys(String... keys) {
        return new RowQuery.Restriction(RowQuery.Restriction.Part.KEY, List.of(keys));
    }

    @Test
    void rows_can_be_cut_and_continued() {
        rows.commit(1, thing("a"), thing("b"), thing("c"), thing("d"));
        rows.commit(2, link("a", "b"), link("a", "c"), link("b", "a"));

        assertThat(rows.keys(paged(latest(), OptionalLong.of(2), 1, Optional.empty())))
                .containsExactly("b@1", "c@1");
        assertThat(rows.keys(paged(latest(), OptionalLong.empty(), 3, Optional.empty())))
                .containsExactly("d@1");
        assertThat(rows.keys(paged(latest(), OptionalLong.of(1), 0, Optional.of(new Identity.OfEntity("b")))))
                .containsExactly("c@1");
        assertThat(rows.keys(paged(
                        RowQuery.of(LINK.ref(), new Window.Latest()),
                        OptionalLong.empty(),
                        0,
                        Optional.of(new Identity.OfRelation("a", "b", "")))))
                .containsExactly("a -> c@2", "b -> a@2");
    }

    @Test
    void rows_of_one_schema_version_can_be_asked_for() {
        rows.commit(1, 1, THING, List.of(thing("a"), thing("b")));
        rows.commit(2, 2, THING, List.of(thing("a")));

        assertThat(rows.keys(latest().ofVersion(OptionalLong.of(1)))).containsExactly("b@1");
        assertThat(rows.keys(latest().ofVersion(OptionalLong.of(2)))).containsExactly("a@2");
    }

    @Test
    void values_of_every_kind_have_an_order_and_nothing_comes_last() {
        rows.commit(
                1,
                thing("a", "v", null),
                thing("b"),
                thing("c", "v", "10"),
                thing("d", "v", 9007199254740993L),
                thing("e", "v", 9007199254740992.0),
                thing("f", "v", true),
                thing("g", "v", false),
                thing("h", "v", -1.5),
                thing("i", "v", new BigInteger("123456789012345678901234567890")),
                thing("j", "v", List.of(2L)),
                thing("k", "v", List.of(1L)),
                thing("l", "v", Map.of("x", 1L)),
                thing("m", "v", "😀"),
                thing("n", "v", "\uFFFD"),
                thing("o", "v", 10L),
                thing("p", "v", new BigInteger("123456789012345678901234567889")),
                thing("q", "v", 10.0));
        FieldPath v = FieldPath.of("v");

        assertThat(rows.keys(sorted(new Order(v, Order.Direction.ASCENDING))))
                .extracting(key -> key.substring(0, 1))
                .containsExactly("g", "f", "h", "o", "q", "e", "d", "p", "i", "c", "n", "m", "k", "j", "l", "a", "b");
        assertThat(rows.keys(sorted(new Order(v, Order.Direction.DESCENDING))))
                .extracting(key -> key.substring(0, 1))
                .containsExactly("l", "j", "k", "m", "n", "c", "i", "p", "d", "e", "o", "q", "h", "f", "g", "a", "b");
    }

    @Test
    void fields_with_a_column_of_their_own_have_an_order_too() {
        rows.commit(1, thing("a", "name", "b", "count", 2L), thing("b", "name", "A"), thing("c", "count", -1L));
        rows.commit(2, thing("d", "name", "", "count", new BigInteger("9223372036854775808")));

        assertThat(rows.keys(sorted(new Order(FieldPath.of("name"), Order.Direction.ASCENDING))))
                .containsExactly("d@2", "b@1", "a@1", "c@1");
        assertThat(rows.keys(sorted(new Order(FieldPath.of("count"), Order.Direction.DESCENDING))))
                .containsExactly("d@2", "a@1", "c@1", "b@1");
    }

    @Test
    void minus_zero_is_zero() {
        rows.commit(1, thing("a", "price", -0.0, "v", -0.0), thing("b", "price", 1.0));
        rows.commit(2, thing("c", "price", 0.0, "v", 0L));

        for (Object zero : List.of(0.0, -0.0, 0L)) {
            assertThat(rows.keys(EngineQueries.where(THING.ref(), "price", zero)))
                    .containsExactly("a@1", "c@2");
            assertThat(rows.keys(EngineQueries.where(THING.ref(), "v", zero))).containsExactly("a@1", "c@2");
        }
    }

    @Test
    void files_with_names_that_look_like_patterns_are_read_as_they_are() throws Exception {
        Path strange = java.nio.file.Files.createDirectories(folder.resolve("a=[b]*{c}'%20"));
        Path target = strange.resolve("x?y.parquet");
        rows.engine().write(target, 1, 5, RowBatch.of(THING, List.of(thing("a", "name", "n"))));
        Source.Files source = new Source.Files(List.of(new DataFile(target, 5, 5)));

        try (var found = rows.engine()
                .rows(
                        sorted(new Order(FieldPath.of("name"), Order.Direction.ASCENDING)),
                        type -> source,
                        rows.latest())) {
            assertThat(found).extracting(StoredRow::commitId).containsExactly(5L);
        }
        try (Engine other = Engine.open(new EngineOptions("256MB", 1, folder.resolve("other"), List.of(folder)));
                var found = other.rows(
                        sorted(new Order(FieldPath.of("name"), Order.Direction.ASCENDING)),
                        type -> source,
                        rows.latest())) {
            assertThat(found).extracting(StoredRow::commitId).containsExactly(5L);
        }
    }
}
