package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Aggregate;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.FieldExpression;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.GroupOrder;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Order;
import io.ontologia.core.Progress;
import io.ontologia.core.Query;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Groups, their order, their conditions and sums are the same from the storage and from the evaluation in this process, which
 * answers where rows are upgraded: of entities and of relations, by fields, by keys and by fields of the ends.
 */
public abstract class AggregateDifferentialContract extends OntologySuite {
    private static final List<String> OF_ENTITIES = List.of("$.a", "$.b", "$.c", "$.list", "$.a.b", "key");
    private static final List<String> OF_RELATIONS =
            List.of("$.a", "$.b", "$.c", "left.$.a", "right.$.b", "left_key", "right_key", "instance_key");
    private static final List<String> COMPUTED = List.of("n", "least", "most", "total");
    private static final Upgraders UPGRADERS =
            Upgraders.of(Upgrader.entity("Thing", 1, fields -> fields), Upgrader.relation("Link", 1, fields -> fields));
    private static final List<Filter.Op> OPERATORS = List.of(Filter.Op.values());
    private static final int KEYS = 12;

    /** How many stores are filled and asked. */
    protected int runs() {
        return Integer.getInteger("ontologia.aggregates.runs", 20);
    }

    private static Model model(String lastField) {
        List<FieldDef> fields = Stream.of("a", "b", "c", "list", lastField)
                .map(name -> FieldDef.of(name, Primitive.ANY).withDefault(null))
                .toList();
        List<FieldDef> ofEntity = new ArrayList<>(List.of(FieldDef.of("id", Primitive.STR)));
        ofEntity.addAll(fields);
        List<FieldDef> ofRelation = new ArrayList<>(List.of(FieldDef.of("nr", Primitive.STR)));
        ofRelation.addAll(fields);
        return Model.of(
                new EntityType("Thing", ofEntity, "id"),
                new RelationType("Link", "Thing", "Thing", Optional.of("nr"), ofRelation));
    }

    @Test
    void groups_are_the_same_from_the_storage_and_in_process() {
        Ontologia.open(uri(), options(), model("old")).close();
        try (Maintenance maintenance = Ontologia.maintain(uri(), options())) {
            maintenance.migration(model("new"), UPGRADERS).force(Map.of(), Progress.none());
        }
        Session plain = keep(Ontologia.open(uri(), options(), model("new")));
        Session upgrading = keep(Ontologia.open(uri(), options().upgraders(UPGRADERS), model("new")));
        Seeds.forEach("aggregates", runs(), random -> {
            for (int i = 0; i < KEYS; i++) {
                plain.ensure(new Row.OfEntity("Thing", "k" + i, FilterCases.document(random)));
                Map<String, @Nullable Object> fields = FilterCases.document(random);
                plain.ensure(new Row.OfRelation("Link", key(random), key(random), "i" + random.nextInt(2), fields));
            }
            plain.commit();
            long head = plain.head();
            for (int i = 0; i < 4; i++) {
                boolean entities = random.nextBoolean();
                Question question = question(random, entities ? OF_ENTITIES : OF_RELATIONS);

                assertThat(question.ask(entities ? upgrading.entities("Thing") : upgrading.relations("Link"), head))
                        .as("%s", question)
                        .isEqualTo(question.ask(entities ? plain.entities("Thing") : plain.relations("Link"), head));
            }
        });
    }

    private static String key(RandomGenerator random) {
        return "k" + random.nextInt(KEYS + 2);
    }

    private static Question question(RandomGenerator random, List<String> paths) {
        String by = pick(random, paths);
        List<Aggregate> aggregates = List.of(
                Aggregate.count("n"),
                Aggregate.min("least", field(pick(random, paths))),
                Aggregate.max("most", field(pick(random, paths))),
                Aggregate.sum("total", field(pick(random, paths))),
                Aggregate.sum("whole", field(pick(random, paths))));
        List<GroupOrder> order = new ArrayList<>();
        for (int n = random.nextInt(3); n > 0; n--) {
            String name = random.nextInt(4) == 0 ? by : pick(random, COMPUTED);
            order.add(new GroupOrder(
                    name, random.nextBoolean() ? Order.Direction.ASCENDING : Order.Direction.DESCENDING));
        }
        String named = random.nextInt(4) == 0 ? by : pick(random, List.of("n", "least", "most"));
        Aggregate.Having having = new Aggregate.Having(
                named,
                OPERATORS.get(random.nextInt(OPERATORS.size())),
                random.nextInt(3) == 0 ? "a" : (Object) (long) random.nextInt(3));
        return new Question(
                FilterCases.filter(random, 1, List.of(FieldPath.Scope.SELF)),
                field(by),
                aggregates,
                random.nextBoolean() ? List.of(having) : List.of(),
                order,
                random.nextInt(2),
                random.nextInt(1, 8));
    }

    private static String pick(RandomGenerator random, List<String> names) {
        return names.get(random.nextInt(names.size()));
    }

    private record Question(
            Filter filter,
            FieldExpression<?> by,
            List<Aggregate> aggregates,
            List<Aggregate.Having> having,
            List<GroupOrder> order,
            int offset,
            int limit) {

        List<Map<String, @Nullable Object>> ask(Query<Row> rows, long head) {
            Query<Row> query = rows.asOf(head).where(filter).groupBy(by);
            for (Aggregate.Having one : having) {
                query = query.having(one.name(), one.op(), one.value());
            }
            List<Map<String, @Nullable Object>> all = query.aggregate(aggregates.toArray(Aggregate[]::new));
            boolean byReals = order.stream().anyMatch(one -> one.name().equals("total"))
                    && all.stream().anyMatch(group -> group.get("total") instanceof Double);
            if (!byReals) {
                all = query.orderGroups(order.toArray(GroupOrder[]::new))
                        .offset(offset)
                        .limit(limit)
                        .aggregate(aggregates.toArray(Aggregate[]::new));
            }
            return all.stream().map(AggregateDifferentialContract::comparable).toList();
        }
    }

    /** Of 1 and 1.0 either may be the least. The last digits of a sum of reals depend on the order of rows. */
    private static Map<String, @Nullable Object> comparable(Map<String, @Nullable Object> group) {
        Map<String, @Nullable Object> result = new TreeMap<>();
        group.forEach((name, value) -> result.put(
                name,
                value instanceof Double real && (name.equals("total") || name.equals("whole"))
                        ? (Object)
                                new BigDecimal(real).round(new MathContext(12)).stripTrailingZeros()
                        : value instanceof Number number && !name.equals("total") && !name.equals("whole")
                                ? exact(number).stripTrailingZeros()
                                : value));
        return result;
    }

    private static BigDecimal exact(Number number) {
        return number instanceof Double real ? new BigDecimal(real) : new BigDecimal(number.toString());
    }
}
