package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.LayoutOptions;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.filter.AggregateParser;
import io.ontologia.cli.internal.filter.FilterOptions;
import io.ontologia.cli.internal.filter.Paths;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldExpression;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Fields;
import io.ontologia.core.Filter;
import io.ontologia.core.GroupOrder;
import io.ontologia.core.Query;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto aggregate}. */
@Command(
        name = "aggregate",
        description = "Count, sum up and average rows of a type, all together or group by group.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto aggregate entities Customer --agg 'n=count()' --agg 'age=avg($.age)' --group-by $.tier",
            "  onto aggregate relations Subscription --agg 'seats=sum($.seat_count)' --group-by $.left.tier --having 'seats >= 10'",
            "  onto aggregate relations Subscription --agg 'n=count()' --group-by right_key --order-by n:desc --limit 10",
            "  onto aggregate entities Customer --agg \"vips=count_where(any(tags) = 'vip')\" --json"
        })
public final class AggregateCommand implements OntoCommand {
    /** What is aggregated. */
    enum Kind {
        ENTITIES,
        RELATIONS
    }

    private final Invocation invocation;

    @Parameters(index = "0", paramLabel = "entities|relations", description = "What to aggregate.")
    private Kind kind = Kind.ENTITIES;

    @Parameters(index = "1", paramLabel = "T", description = "The name of the type.")
    private String type = "";

    @Option(
            names = "--agg",
            paramLabel = "NAME=FUNCTION",
            required = true,
            description =
                    "What to compute, and what to call it: n=count(), x=count_where(EXPR), and sum, avg, min, max and "
                            + "avg_len of a field, such as total=sum($.amount). May be given several times.")
    private List<String> aggregates = new ArrayList<>();

    @Option(
            names = "--group-by",
            paramLabel = "PATH",
            description = "One result for each value found here. May be given several times.")
    private List<String> groupBy = new ArrayList<>();

    @Option(
            names = "--having",
            paramLabel = "CONDITION",
            description =
                    "Only groups whose result, or value grouped by, compares so: \"n > 10 and age < 40\". May be given "
                            + "several times.")
    private List<String> having = new ArrayList<>();

    @Option(
            names = "--order-by",
            paramLabel = "NAME|PATH[:desc]",
            description =
                    "Sort groups by a result, or by a value grouped by; what has none comes last. Without it they come in "
                            + "the order of the values grouped by. May be given several times.")
    private List<String> orderBy = new ArrayList<>();

    @Option(names = "--limit", paramLabel = "N", description = "At most so many groups.")
    private @Nullable Long limit;

    @Option(names = "--offset", paramLabel = "N", description = "Without the first so many groups.")
    private @Nullable Long offset;

    @Mixin
    private final LayoutOptions layout = new LayoutOptions();

    @Mixin
    private final FilterOptions filters = new FilterOptions();

    @Mixin
    private final WindowOptions window = new WindowOptions();

    AggregateCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        List<Aggregate> wanted =
                aggregates.stream().map(AggregateParser::aggregate).toList();
        List<FieldPath> groups = groupBy.stream().map(Paths::parse).toList();
        requireNames(wanted);
        GroupOrder[] order = orderBy.stream()
                .map(text -> SortOption.parse(
                        text,
                        (name, direction) -> new GroupOrder(named("--order-by", name, wanted, groups), direction)))
                .toArray(GroupOrder[]::new);
        List<Aggregate.Having> conditions = having.stream()
                .flatMap(text -> AggregateParser.having(text).stream())
                .map(one -> new Aggregate.Having(named("--having", one.name(), wanted, groups), one.op(), one.value()))
                .toList();
        Optional<Filter> filter = filters.filter();
        window.moment(invocation);
        layout.layout(invocation.output());
        try (Session session = new OntologyAccess(invocation).read()) {
            Types.require(session, new TypeRef(kind == Kind.ENTITIES ? TypeKind.ENTITY : TypeKind.RELATION, type));
            Query<Row> query = window.apply(
                    session, kind == Kind.ENTITIES ? session.entities(type) : session.relations(type), invocation);
            query = filter.isPresent() ? query.where(filter.get()) : query;
            Query<Row> grouped = query.groupBy(
                    groups.stream().map(path -> Fields.field(path.toString())).toArray(FieldExpression[]::new));
            for (Aggregate.Having condition : conditions) {
                grouped = grouped.having(condition.name(), condition.op(), condition.value());
            }
            grouped = grouped.orderGroups(order);
            grouped = limit == null ? grouped : grouped.limit(limit);
            grouped = offset == null ? grouped : grouped.offset(offset);
            Query<Row> whole = query;
            print(grouped.aggregate(wanted.toArray(Aggregate[]::new)), wanted, groups, window.omitted(whole::omitted));
            WindowOptions.warnOfOmitted(query, invocation.output());
        }
        return ExitCode.SUCCESS;
    }

    private static Map<String, Object> omitting(Object rows, long omitted) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rows", rows);
        document.put("omitted", omitted);
        return document;
    }

    /** The name of an aggregate, or the path of a value grouped by, that an option means. */
    private static String named(String option, String name, List<Aggregate> wanted, List<FieldPath> groups) {
        if (wanted.stream().anyMatch(aggregate -> aggregate.name().equals(name))) {
            return name;
        }
        FieldPath path = Paths.parse(name);
        if (!groups.contains(path)) {
            throw new UsageError(
                    option + " names '" + name + "', which is no aggregate and is not grouped by",
                    "name one that --agg defines, or a path of --group-by");
        }
        return path.toString();
    }

    private void requireNames(List<Aggregate> wanted) {
        Set<String> names = new HashSet<>(groupBy);
        if (names.size() < groupBy.size()) {
            throw new UsageError("a path is grouped by twice", "leave one of them out");
        }
        for (Aggregate aggregate : wanted) {
            if (!names.add(aggregate.name())) {
                throw new UsageError("two results are called '" + aggregate.name() + "'", "rename one of them");
            }
        }
    }

    private void print(
            List<Map<String, @Nullable Object>> results,
            List<Aggregate> wanted,
            List<FieldPath> groups,
            Optional<LongSupplier> omitted) {
        List<String> names = new ArrayList<>(groupBy);
        wanted.forEach(aggregate -> names.add(aggregate.name()));
        List<Map<String, @Nullable Object>> documents = new ArrayList<>();
        for (Map<String, @Nullable Object> result : results) {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            for (int i = 0; i < groups.size(); i++) {
                // Under the name that the user gave it.
                document.put(groupBy.get(i), result.get(groups.get(i).toString()));
            }
            wanted.forEach(aggregate -> document.put(aggregate.name(), result.get(aggregate.name())));
            documents.add(document);
        }
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(omitted.<Object>map(count -> omitting(documents, count.getAsLong()))
                    .orElse(documents));
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Map<String, @Nullable Object> document : documents) {
            List<@Nullable Object> row = new ArrayList<>();
            document.values().forEach(value -> row.add(RowTable.cell(value, layout.layout(output))));
            rows.add(row);
        }
        output.table(names, rows, layout.layout(output));
    }
}
