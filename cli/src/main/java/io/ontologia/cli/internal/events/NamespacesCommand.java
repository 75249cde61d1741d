package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.spi.EventStore;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code onto events list-namespaces}. */
@Command(
        name = "list-namespaces",
        description = "List the namespaces that have events or sessions, and how many.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto events list-namespaces", "  onto events list-namespaces --json"})
final class NamespacesCommand implements OntoCommand {
    private final Invocation invocation;

    NamespacesCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        List<EventNamespace> found = new BusAccess(invocation).read(EventStore::namespaces);

        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(found.stream().map(EventDocuments::of).toList());
        }
        output.table(
                List.of("namespace", "events", "sessions", "dead letters"),
                found.stream()
                        .map(one -> List.<Object>of(one.name(), one.events(), one.sessions(), one.deadLetters()))
                        .toList());
        return ExitCode.SUCCESS;
    }
}
