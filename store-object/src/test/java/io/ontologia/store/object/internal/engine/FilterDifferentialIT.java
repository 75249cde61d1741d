package io.ontologia.store.object.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.testkit.FilterCases;
import io.ontologia.testkit.Seeds;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Filters mean the same in DuckDB and in this process, over files, as of a commit and over tables of latest versions: of entities and of relations with both
 * their ends, whose fields have columns of their own or not, and not the same in every commit.
 *
 * <p>{@code -Dontologia.filters.runs=1000} makes it long.
 */
class FilterDifferentialIT {
    private static final List<FieldPath.Scope> SELF = List.of(FieldPath.Scope.SELF, FieldPath.Scope.IDENTITY);
    private static final List<FieldPath.Scope> EVERYWHERE = List.of(FieldPath.Scope.values());

    @TempDir
    Path folder;

    private Engine engine;
    private LatestTables latest;

    @BeforeEach
    void open() {
        engine = Engine.open(new EngineOptions("256MB", 2, folder.resolve("engine"), List.of(folder)));
        latest = engine.latest("store");
    }

    @AfterEach
    void close() {
        latest.close();
        engine.close();
    }

    @Test
    void a_filter_finds_the_same_entities_in_duckdb_and_in_process() {
        Seeds.forEach("filters on entities", Integer.getInteger("ontologia.filters.runs", 60), random -> {
            GeneratedStore past = GeneratedStore.empty(engine, folder).commit(random, 10, 0);
            past.rebuild(latest);
            GeneratedStore now = past.commit(random, 5, 0);
            now.advance(latest);

            for (int i = 0; i < 40; i++) {
                Filter filter = FilterCases.filter(random, 3, SELF);

                assertSame(GeneratedStore.THINGS, filter, now, new Window.Latest());
                assertSameInTables(GeneratedStore.THINGS, filter, now);
                if (i % 10 == 0) {
                    assertSame(GeneratedStore.THINGS, filter, past, new Window.AsOf(past.commit()));
                }
            }
        });
    }

    @Test
    void a_filter_on_both_ends_finds_the_same_relations_in_duckdb_and_in_process() {
        Seeds.forEach("filters on relations", Integer.getInteger("ontologia.filters.runs", 40), random -> {
            GeneratedStore past = GeneratedStore.empty(engine, folder).commit(random, 5, 12);
            past.rebuild(latest);
            GeneratedStore now = past.commit(random, 3, 4);
            now.advance(latest);

            for (int i = 0; i < 20; i++) {
                Filter filter = FilterCases.filter(random, 3, EVERYWHERE);

                assertSame(GeneratedStore.LINKS, filter, now, new Window.Latest());
                assertSameInTables(GeneratedStore.LINKS, filter, now);
                if (i % 4 == 0) {
                    assertSame(GeneratedStore.LINKS, filter, past, new Window.AsOf(past.commit()));
                }
            }
        });
    }

    @Test
    void a_list_of_100_000_values_finds_the_same_in_duckdb_and_in_process() {
        Seeds.forEach("filters with many values", 2, random -> {
            GeneratedStore now = GeneratedStore.empty(engine, folder).commit(random, 10, 12);
            now.rebuild(latest);
            Filter ofThings = FilterCases.filterWithManyValues(random, List.of(FieldPath.Scope.SELF));
            Filter ofLinks = FilterCases.filterWithManyValues(
                    random, List.of(FieldPath.Scope.SELF, FieldPath.Scope.LEFT, FieldPath.Scope.RIGHT));

            assertSame(GeneratedStore.THINGS, ofThings, now, new Window.Latest());
            assertSameInTables(GeneratedStore.THINGS, ofThings, now);
            assertSame(GeneratedStore.LINKS, ofLinks, now, new Window.Latest());
            assertSameInTables(GeneratedStore.LINKS, ofLinks, now);
        });
    }

    /** Whether what a window has of a store is what the store had when it was the newest. */
    private void assertSame(TypeRef type, Filter filter, GeneratedStore expected, Window window) {
        RowQuery query = EngineQueries.filtered(type, window, filter);

        assertThat(keys(query, expected::files))
                .as("%s over %s", filter, expected)
                .isEqualTo(expected.passing(type, filter));
    }

    private void assertSameInTables(TypeRef type, Filter filter, GeneratedStore expected) {
        RowQuery query = EngineQueries.filtered(type, new Window.Latest(), filter);

        assertThat(keys(query, any -> new Source.Table(expected.commit())))
                .as("%s over tables of %s", filter, expected)
                .isEqualTo(expected.passing(type, filter));
    }

    private List<String> keys(RowQuery query, Function<TypeRef, Source> sources) {
        try (Stream<StoredRow> rows = engine.rows(query, sources, latest)) {
            return rows.map(row -> row.identity().toString()).toList();
        }
    }
}
