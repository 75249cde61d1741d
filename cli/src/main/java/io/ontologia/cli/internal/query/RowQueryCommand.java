package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.filter.FilterOptions;
import io.ontologia.cli.internal.output.Layout;
import io.ontologia.core.CommitLog;
import io.ontologia.core.Filter;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Query;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What {@code entities} and {@code relations} of {@code onto query} and {@code onto explain} have in common. */
abstract class RowQueryCommand implements OntoCommand {
    /** What a command shows of a query. */
    enum Shows {
        /** What it finds. */
        ROWS,
        /** How it finds it. */
        PLAN
    }

    private final Invocation invocation;
    private final TypeKind kind;
    private final Shows shows;

    @Parameters(paramLabel = "T", description = "The name of the type.")
    private String type = "";

    @Mixin
    private final FilterOptions filters = new FilterOptions();

    @Mixin
    private final PageOptions page = new PageOptions();

    @Mixin
    private final WindowOptions window = new WindowOptions();

    RowQueryCommand(Invocation invocation, TypeKind kind, Shows shows) {
        this.invocation = invocation;
        this.kind = kind;
        this.shows = shows;
    }

    @Override
    public ExitCode run() {
        Optional<Filter> filter = filters.filter();
        window.moment(invocation);
        TypeRef ref = new TypeRef(kind, type);
        try (Session session = new OntologyAccess(invocation).read()) {
            OntologyType described = Types.require(session, ref);
            Query<Row> query = window.apply(
                    session, kind == TypeKind.ENTITY ? session.entities(type) : session.relations(type), invocation);
            query = filter.isPresent() ? query.where(filter.get()) : query;
            Query<Row> paged = query.orderBy(page.order());
            paged = page.limit == null ? paged : paged.limit(page.limit);
            paged = page.offset == null ? paged : paged.offset(page.offset);
            Query<Row> whole = query;
            answer(session, described, paged, window.omitted(whole::omitted));
            if (shows == Shows.ROWS) {
                WindowOptions.warnOfOmitted(query, invocation.output());
            }
        }
        return ExitCode.SUCCESS;
    }

    @Override
    public boolean isPaged() {
        return true;
    }

    /** How rows are shown. */
    TableOptions table() {
        return new TableOptions();
    }

    private void answer(Session session, OntologyType described, Query<Row> query, Optional<LongSupplier> omitted) {
        if (shows == Shows.PLAN) {
            ExplanationPrinter.print(described.ref(), query.explain(), invocation.output());
            return;
        }
        Layout layout = table().layout.layout(invocation.output());
        try (Stream<Result<Row>> results = query.resultStream()) {
            boolean withCommit = window.isHistory() || table().needsCommits();
            Optional<CommitLog> log = withCommit ? Optional.of(session.log()) : Optional.empty();
            new RowPrinter(described, invocation.output(), table().columns, layout, log).print(results, omitted);
        }
    }
}
