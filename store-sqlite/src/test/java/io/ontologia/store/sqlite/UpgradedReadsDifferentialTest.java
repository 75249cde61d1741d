package io.ontologia.store.sqlite;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Aggregate;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.FieldExpression;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Order;
import io.ontologia.core.Progress;
import io.ontologia.core.Query;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.testkit.FilterCases;
import io.ontologia.testkit.Seeds;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where every row is of the current version, the reading in this process answers as SQLite does. */
class UpgradedReadsDifferentialTest {
    private static final List<String> PATHS = List.of("$.a", "$.b", "$.c", "$.list", "$.a.b");
    private static final Upgraders UPGRADERS = Upgraders.of(Upgrader.entity("Thing", 1, fields -> fields));

    private static Model model(String lastField) {
        List<FieldDef> fields = new ArrayList<>(List.of(FieldDef.of("id", Primitive.STR)));
        for (String name : List.of("a", "b", "c", "list", lastField)) {
            fields.add(FieldDef.of(name, Primitive.ANY).withDefault(null));
        }
        return Model.of(new EntityType("Thing", fields, "id"));
    }

    @TempDir
    Path folder;

    private String uri = "";

    @BeforeEach
    void makeStoreWithTwoSchemaVersions() {
        uri = "sqlite:///" + folder.resolve("onto.db");
        Ontologia.open(uri, SessionOptions.defaults(), model("old")).close();
        try (Maintenance maintenance = Ontologia.maintain(uri, SessionOptions.defaults())) {
            maintenance.migration(model("new"), UPGRADERS).force(Map.of(), Progress.none());
        }
    }

    @Test
    void filters_orders_pages_and_aggregates_mean_the_same() {
        try (Session plain = Ontologia.open(uri, SessionOptions.defaults(), model("new"));
                Session upgrading =
                        Ontologia.open(uri, SessionOptions.defaults().upgraders(UPGRADERS), model("new"))) {
            Seeds.forEach("upgraded reads", 150, random -> {
                for (int i = 0; i < 12; i++) {
                    plain.ensure(new Row.OfEntity("Thing", "k" + i, FilterCases.document(random)));
                }
                plain.commit();
                long head = plain.head();
                for (int i = 0; i < 5; i++) {
                    Filter filter =
                            FilterCases.filter(random, 2, List.of(FieldPath.Scope.SELF, FieldPath.Scope.IDENTITY));
                    Order order = order(random);
                    int offset = random.nextInt(3);
                    FieldExpression<?> by = field(pick(random));
                    Aggregate[] aggregates = aggregates(random);

                    assertThat(list(upgrading, head, filter, order, offset))
                            .as("%s by %s", filter, order)
                            .isEqualTo(list(plain, head, filter, order, offset));
                    assertThat(groups(upgrading, head, filter, by, aggregates))
                            .as("%s grouped by %s: %s", filter, by.path(), List.of(aggregates))
                            .isEqualTo(groups(plain, head, filter, by, aggregates));
                }
            });
        }
    }

    private static String pick(RandomGenerator random) {
        return PATHS.get(random.nextInt(PATHS.size()));
    }

    private static Order order(RandomGenerator random) {
        FieldExpression<?> path = field(pick(random));
        return random.nextBoolean() ? path.ascending() : path.descending();
    }

    private static Aggregate[] aggregates(RandomGenerator random) {
        return new Aggregate[] {
            Aggregate.count("n"),
            Aggregate.min("least", field(pick(random))),
            Aggregate.max("most", field(pick(random))),
            Aggregate.avgLen("length", field("$.list")),
            Aggregate.countWhere("some", FilterCases.filter(random, 1, List.of(FieldPath.Scope.SELF)))
        };
    }

    private static List<String> list(Session session, long head, Filter filter, Order order, int offset) {
        Query<Row> query = session.entities("Thing").asOf(head).where(filter);
        List<String> found = new ArrayList<>();
        query.orderBy(order)
                .offset(offset)
                .limit(7)
                .results()
                .forEach(row -> found.add(row.identity() + " " + row.value().fields()));
        found.add("of " + query.count());
        return found;
    }

    private static List<Map<String, @Nullable Object>> groups(
            Session session, long head, Filter filter, FieldExpression<?> by, Aggregate... aggregates) {
        return session
                .entities("Thing")
                .asOf(head)
                .where(filter)
                .groupBy(by)
                .having("n", Filter.Op.GTE, 1L)
                .aggregate(aggregates)
                .stream()
                .map(UpgradedReadsDifferentialTest::withPlainNumbers)
                .toList();
    }

    /** Of 1 and 1.0 either may be the smallest. */
    private static Map<String, @Nullable Object> withPlainNumbers(Map<String, @Nullable Object> group) {
        Map<String, @Nullable Object> result = new TreeMap<>();
        group.forEach((name, value) -> result.put(
                name, value instanceof Number number ? (Object) exact(number).stripTrailingZeros() : value));
        return result;
    }

    private static BigDecimal exact(Number number) {
        return number instanceof Double real ? new BigDecimal(real) : new BigDecimal(number.toString());
    }
}
