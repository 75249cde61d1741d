package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Query;
import io.ontologia.core.RelationType;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.spi.FilterEvaluator;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.testkit.FilterCases;
import io.ontologia.testkit.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Filters mean the same in SQLite and in this process, now and as of a commit: 1,000 runs of 10 documents and 10 filters
 * on entities, 300 runs of 12 relations and 6 filters that look at both ends, and a few filters with very long lists.
 */
class FilterDifferentialIT {
    private static final Model MODEL = Model.of(
            new EntityType(
                    "Thing",
                    List.of(
                            FieldDef.of("id", TypeSpec.Primitive.STR),
                            any("a").withIndex(),
                            any("b"),
                            any("c"),
                            any("list")),
                    "id"),
            new RelationType(
                    "Link",
                    "Thing",
                    "Thing",
                    Optional.empty(),
                    List.of(any("a"), any("b").withIndex(), any("c"), any("list"))));

    private static FieldDef any(String name) {
        return FieldDef.of(name, TypeSpec.Primitive.ANY).withDefault(null);
    }

    /** What is stored after a commit: the documents by key, and the relations by their ends. */
    private record State(
            long commit,
            TreeMap<String, Map<String, @Nullable Object>> things,
            TreeMap<String, Map<String, @Nullable Object>> links) {
        static final State EMPTY = new State(0, new TreeMap<>(), new TreeMap<>());

        List<String> things(Filter filter) {
            return things.entrySet().stream()
                    .filter(one -> FilterEvaluator.evaluate(filter, scope -> switch (scope) {
                                case SELF -> one.getValue();
                                case IDENTITY -> Map.of("key", one.getKey());
                                case LEFT, RIGHT -> null;
                            })
                            .orElse(false))
                    .map(Map.Entry::getKey)
                    .toList();
        }

        List<String> links(Filter filter) {
            return links.entrySet().stream()
                    .filter(one -> FilterEvaluator.evaluate(filter, scope -> switch (scope) {
                                case SELF -> one.getValue();
                                case LEFT -> things.get(leftOf(one.getKey()));
                                case RIGHT -> things.get(rightOf(one.getKey()));
                                case IDENTITY ->
                                    Map.of(
                                            "left_key",
                                            leftOf(one.getKey()),
                                            "right_key",
                                            rightOf(one.getKey()),
                                            "instance_key",
                                            "");
                            })
                            .orElse(false))
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    private static String leftOf(String link) {
        return link.substring(0, 2);
    }

    private static String rightOf(String link) {
        return link.substring(link.length() - 2);
    }

    @Test
    void a_filter_finds_the_same_entities_in_sqlite_and_in_process() {
        try (Session session = Ontologia.open("sqlite::memory:", SessionOptions.defaults(), MODEL)) {
            Seeds.forEach("filters on entities", 1_000, random -> {
                State past = change(session, random, State.EMPTY, 10, 0);
                State now = change(session, random, past, 5, 0);

                for (int i = 0; i < 10; i++) {
                    Filter filter =
                            FilterCases.filter(random, 3, List.of(FieldPath.Scope.SELF, FieldPath.Scope.IDENTITY));
                    Query<Row> query = session.entities("Thing").where(filter);

                    assertThat(keys(query)).as("%s over %s", filter, now).isEqualTo(now.things(filter));
                    if (i == 0) {
                        assertThat(keys(query.asOf(past.commit())))
                                .as("%s over %s", filter, past)
                                .isEqualTo(past.things(filter));
                    }
                }
            });
        }
    }

    @Test
    void a_filter_on_both_ends_finds_the_same_relations_in_sqlite_and_in_process() {
        try (Session session = Ontologia.open("sqlite::memory:", SessionOptions.defaults(), MODEL)) {
            Seeds.forEach("filters on relations", 300, random -> {
                State past = change(session, random, State.EMPTY, 5, 12);
                State now = change(session, random, past, 3, 4);

                for (int i = 0; i < 6; i++) {
                    Filter filter = FilterCases.filter(random, 3, List.of(FieldPath.Scope.values()));
                    Query<Row> query = session.relations("Link").where(filter);

                    assertThat(keys(query)).as("%s over %s", filter, now).isEqualTo(now.links(filter));
                    assertThat(query.count()).isEqualTo(now.links(filter).size());
                    assertThat(keys(query.asOf(past.commit())))
                            .as("%s over %s", filter, past)
                            .isEqualTo(past.links(filter));
                }
            });
        }
    }

    @Test
    void a_list_of_100_000_values_finds_the_same_in_sqlite_and_in_process() {
        try (Session session = Ontologia.open("sqlite::memory:", SessionOptions.defaults(), MODEL)) {
            Seeds.forEach("filters with many values", 4, random -> {
                State now = change(session, random, State.EMPTY, 10, 12);
                Filter ofThings = FilterCases.filterWithManyValues(random, List.of(FieldPath.Scope.SELF));
                Filter ofLinks = FilterCases.filterWithManyValues(
                        random, List.of(FieldPath.Scope.SELF, FieldPath.Scope.LEFT, FieldPath.Scope.RIGHT));

                assertThat(keys(session.entities("Thing").where(ofThings)))
                        .as("over %s", now)
                        .isEqualTo(now.things(ofThings));
                assertThat(keys(session.relations("Link").where(ofLinks)))
                        .as("over %s", now)
                        .isEqualTo(now.links(ofLinks));
            });
        }
    }

    /** Gives new documents to the first things and links. */
    private static State change(Session session, RandomGenerator random, State before, int things, int links) {
        State after = new State(0, new TreeMap<>(before.things()), new TreeMap<>(before.links()));
        for (int i = 0; i < things; i++) {
            Map<String, @Nullable Object> document = FilterCases.document(random);
            session.ensure(new Row.OfEntity("Thing", "k" + i, document));
            after.things().put("k" + i, stored(document));
        }
        for (int i = 0; i < links; i++) {
            Map<String, @Nullable Object> document = FilterCases.document(random);
            // Where there are five things, some links lead to what is not stored.
            Identity.OfRelation ends = new Identity.OfRelation("k" + i % 6, "k" + (i * 5 + 1) % 7, "");
            session.ensure(new Row.OfRelation("Link", ends.leftKey(), ends.rightKey(), "", document));
            after.links().put(ends.toString(), stored(document));
        }
        session.commit();
        return new State(session.head(), after.things(), after.links());
    }

    private static List<String> keys(Query<Row> query) {
        try (Stream<Result<Row>> found = query.resultStream()) {
            return found.map(result -> result.identity().toString()).toList();
        }
    }

    @SuppressWarnings("unchecked") // a JSON object has text keys
    private static Map<String, @Nullable Object> stored(Map<String, @Nullable Object> fields) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(Json.parse(CanonicalJson.write(fields)));
    }
}
