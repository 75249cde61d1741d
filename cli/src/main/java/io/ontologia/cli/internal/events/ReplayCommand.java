package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Event;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto events replay}. */
@Command(
        name = "replay",
        description = "Enqueue a copy of an event: the same type, payload and priority, as the root of a new chain.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto events replay --namespace shop --event-id 3f9c2a7b-51d0-4846-9f00-1c2d3e4f5a6b"})
final class ReplayCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--namespace", paramLabel = "N", required = true, description = "The namespace.")
    private String namespace = "";

    @Option(names = "--event-id", paramLabel = "E", required = true, description = "The event.")
    private String eventId = "";

    ReplayCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Event copy = new BusAccess(invocation).write(bus -> bus.replay(namespace, eventId));
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(EventDocuments.of(copy));
        }
        output.line("enqueued as " + copy.id());
        return ExitCode.SUCCESS;
    }
}
