package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.filter.FilterOptions;
import io.ontologia.core.Filter;
import io.ontologia.core.Path;
import io.ontologia.core.Session;
import io.ontologia.core.Traversal;
import io.ontologia.core.TypeRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
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
            "  onto query traverse Customer --via Subscription --without-relations"
        })
final class QueryTraverseCommand implements OntoCommand {
    private final Invocation invocation;

    @Parameters(paramLabel = "ROOT", description = "The entity type that paths start from.")
    private String root = "";

    @Option(
            names = "--via",
            paramLabel = "R",
            required = true,
            description =
                    "The relation type of the next step, from whichever end was reached. May be given several times.")
    private List<String> via = new ArrayList<>();

    @Option(names = "--without-relations", description = "List the entities that paths lead to, each once.")
    private boolean withoutRelations;

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
        Optional<Filter> filter = filters.filter();
        window.moment(invocation);
        try (Session session = new OntologyAccess(invocation).read()) {
            Types.require(session, TypeRef.entity(root));
            Traversal traversal = session.traverse(root);
            for (String relation : via) {
                traversal = traversal.via(relation);
            }
            OptionalLong commit = window.commit(session, invocation);
            traversal = commit.isPresent() ? traversal.asOf(commit.getAsLong()) : traversal;
            traversal = filter.isPresent() ? traversal.where(filter.get()) : traversal;
            traversal = traversal.orderBy(page.order());
            traversal = page.limit == null ? traversal : traversal.limit(page.limit);
            traversal = page.offset == null ? traversal : traversal.offset(page.offset);
            PathPrinter printer = new PathPrinter(session, root, via, invocation.output());
            try (Stream<Path> paths = traversal.stream()) {
                if (withoutRelations) {
                    printer.printTargets(paths);
                } else {
                    printer.printPaths(paths);
                }
            }
            WindowOptions.warnOfOmitted(window.apply(session, session.entities(root), invocation), invocation.output());
            for (String relation : via) {
                WindowOptions.warnOfOmitted(
                        window.apply(session, session.relations(relation), invocation), invocation.output());
            }
        }
        return ExitCode.SUCCESS;
    }
}
