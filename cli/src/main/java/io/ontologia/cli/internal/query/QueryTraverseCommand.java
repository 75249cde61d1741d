package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.filter.FilterOptions;
import io.ontologia.core.Filter;
import io.ontologia.core.Path;
import io.ontologia.core.Reached;
import io.ontologia.core.RelationType;
import io.ontologia.core.Session;
import io.ontologia.core.Step;
import io.ontologia.core.Traversal;
import io.ontologia.core.TypeRef;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto query traverse}. */
@Command(
        name = "traverse",
        description =
                "Follow relations from entities and list every path. Filters, order, limit and offset are about the "
                        + "entities that paths start from.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto query traverse Customer --via Subscription --where \"tier = 'Gold'\"",
            "  onto query traverse Product --via Subscription --via Employment --as-of 12 --json",
            "  onto query traverse Package --where \"key = 'libc6'\" --via DependsOn:backward:all --without-relations",
            "  onto query traverse Package --via DependsOn:2 --via-where \"kind = 'depends'\" --keep-roots"
        })
final class QueryTraverseCommand implements OntoCommand {
    private final Invocation invocation;

    @Parameters(paramLabel = "ROOT", description = "The entity type that paths start from.")
    private String root = "";

    @Mixin
    private final StepOptions stepOptions = new StepOptions();

    @Option(
            names = "--without-relations",
            description = "List the entities that paths lead to, each once, nearest first, with their depth.")
    private boolean withoutRelations;

    @Option(
            names = "--keep-roots",
            description = "Also list each entity to start from that no path along all steps starts from.")
    private boolean keepRoots;

    @Option(
            names = "--max-reached",
            paramLabel = "N",
            description = "Fail when a step reaches more entities than this; 1000000 unless said otherwise.")
    private @Nullable Long maxReached;

    @Mixin
    private final FilterOptions filters = new FilterOptions();

    @Mixin
    private final PageOptions page = new PageOptions();

    @Mixin
    private final WindowOptions window = new WindowOptions();

    QueryTraverseCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (window.isHistory()) {
            throw new UsageError(
                    "a path has no history",
                    "use --as-of for a moment in the past, or ask for the history of one type");
        }
        if (keepRoots && withoutRelations) {
            throw new UsageError(
                    "--keep-roots lists where paths start, and --without-relations where they lead to",
                    "leave one of them out");
        }
        List<Step> steps = stepOptions.steps();
        Optional<Filter> filter = filters.filter();
        window.moment(invocation);
        try (Session session = new OntologyAccess(invocation).read()) {
            Types.require(session, TypeRef.entity(root));
            Traversal traversal = session.traverse(root);
            for (Step step : steps) {
                Types.require(session, TypeRef.relation(step.relation()));
                traversal = traversal.via(step);
            }
            OptionalLong commit = window.commit(session, invocation);
            traversal = commit.isPresent() ? traversal.asOf(commit.getAsLong()) : traversal;
            traversal = filter.isPresent() ? traversal.where(filter.get()) : traversal;
            traversal = traversal.orderBy(page.order());
            traversal = page.limit == null ? traversal : traversal.limit(page.limit);
            traversal = page.offset == null ? traversal : traversal.offset(page.offset);
            traversal = maxReached == null ? traversal : traversal.mostReached(maxReached);
            traversal = keepRoots ? traversal.keepingRoots() : traversal;
            traversal = window.omitUnreadable ? traversal.omitUnreadable() : traversal;
            print(session, traversal, steps);
            WindowOptions.warnOfOmitted(window.apply(session, session.entities(root), invocation), invocation.output());
            for (Step step : steps) {
                WindowOptions.warnOfOmitted(
                        window.apply(session, session.relations(step.relation()), invocation), invocation.output());
            }
        }
        return ExitCode.SUCCESS;
    }

    private void print(Session session, Traversal traversal, List<Step> steps) {
        Optional<LongSupplier> omitted = window.omitted(() -> omitted(session, steps));
        if (withoutRelations) {
            try (Stream<Reached> reached = traversal.reached()) {
                new ReachedPrinter(
                                Types.require(session, TypeRef.entity(traversal.reachedType())),
                                invocation.output(),
                                omitted)
                        .print(reached);
            }
            return;
        }
        try (Stream<Path> paths = traversal.stream()) {
            new PathPrinter(session, root, steps, invocation.output(), omitted).print(paths);
        }
    }

    /** How many rows of the types that the paths touch cannot be shown. */
    private long omitted(Session session, List<Step> steps) {
        Set<String> entities = new LinkedHashSet<>(List.of(root));
        Set<String> relations = new LinkedHashSet<>();
        for (Step step : steps) {
            RelationType type = (RelationType) Types.require(session, TypeRef.relation(step.relation()));
            relations.add(step.relation());
            entities.addAll(List.of(type.left(), type.right()));
        }
        long omitted = 0;
        for (String relation : relations) {
            omitted += window.apply(session, session.relations(relation), invocation)
                    .omitted();
        }
        for (String entity : entities) {
            omitted +=
                    window.apply(session, session.entities(entity), invocation).omitted();
        }
        return omitted;
    }
}
