package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.DeadLetter;
import io.ontologia.kernel.UtcTimestamp;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto events dead-letters}. */
@Command(
        name = "dead-letters",
        description = "List the events of a namespace that a handler gave up on, the newest first.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto events dead-letters --namespace shop", "  onto events dead-letters --namespace shop --json"})
final class DeadLettersCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--namespace", paramLabel = "N", required = true, description = "The namespace.")
    private String namespace = "";

    @Option(names = "--limit", paramLabel = "COUNT", description = "At most so many. Default: ${DEFAULT-VALUE}.")
    private int limit = 100;

    DeadLettersCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (limit < 1) {
            throw new UsageError("--limit is " + limit, "use 1 or more");
        }
        List<DeadLetter> found = new BusAccess(invocation).read(bus -> bus.deadLetters(namespace, limit));

        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(found.stream().map(EventDocuments::of).toList());
        }
        output.table(
                List.of("event", "type", "handler", "failed", "attempts", "last error"),
                found.stream()
                        .map(one -> List.<Object>of(
                                one.eventId(),
                                one.eventType(),
                                one.handlerId(),
                                UtcTimestamp.format(one.failedAt()),
                                one.attempts(),
                                one.lastError()))
                        .toList());
        return ExitCode.SUCCESS;
    }
}
