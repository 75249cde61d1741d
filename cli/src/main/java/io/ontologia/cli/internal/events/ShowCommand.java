package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.ListedEvent;
import io.ontologia.kernel.UtcTimestamp;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto events show}. */
@Command(
        name = "show",
        description = "List the events of a namespace with their status, in the order in which they are claimed.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto events show --namespace shop", "  onto events show --namespace shop --limit 10 --json"})
final class ShowCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--namespace", paramLabel = "N", required = true, description = "The namespace.")
    private String namespace = "";

    @Option(names = "--limit", paramLabel = "COUNT", description = "At most so many. Default: ${DEFAULT-VALUE}.")
    private int limit = 100;

    ShowCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (limit < 1) {
            throw new UsageError("--limit is " + limit, "use 1 or more");
        }
        List<ListedEvent> found = new BusAccess(invocation).read(bus -> bus.list(namespace, limit));

        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(found.stream().map(EventDocuments::of).toList());
        }
        output.table(
                List.of("id", "type", "status", "priority", "created", "depth"),
                found.stream()
                        .map(one -> List.<Object>of(
                                one.event().id(),
                                one.event().type(),
                                StatusCell.of(one.status()),
                                one.event().priority(),
                                UtcTimestamp.format(one.event().createdAt()),
                                one.event().chainDepth()))
                        .toList());
        return ExitCode.SUCCESS;
    }
}
