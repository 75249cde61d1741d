package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.ClaimState;
import io.ontologia.core.EventInspection;
import io.ontologia.core.EventStatus;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto events inspect}. */
@Command(
        name = "inspect",
        description = "Show an event and how far each handler is with it: attempts, errors, leases.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto events inspect --event-id 3f9c2a7b-51d0-4846-9f00-1c2d3e4f5a6b",
            "  onto events inspect --event-id tick-7 --namespace shop --json"
        })
final class InspectCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--event-id", paramLabel = "E", required = true, description = "The event.")
    private String eventId = "";

    @Option(names = "--namespace", paramLabel = "N", description = "Its namespace; all are searched by default.")
    private @Nullable String namespace;

    InspectCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        String chosen = namespace;
        List<EventInspection> found = new BusAccess(invocation)
                .read(bus -> chosen == null
                        ? bus.inspect(eventId)
                        : bus.inspect(chosen, eventId).stream().toList());
        if (found.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown event " + eventId,
                    chosen == null ? "no namespace has it" : "namespace '" + chosen + "' does not have it",
                    "'onto events show' lists those that are there");
        }
        if (found.size() > 1) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "cannot choose between events with the id " + eventId,
                    found.size() + " namespaces have one",
                    "name one with --namespace");
        }
        print(found.get(0));
        return ExitCode.SUCCESS;
    }

    private void print(EventInspection found) {
        Output output = invocation.output();
        Instant now = invocation.clock().now();
        Map<String, @Nullable Object> document = EventDocuments.of(found, now);
        if (output.format() == Output.Format.JSON) {
            output.json(document);
            return;
        }
        document.remove("claims");
        document.put("payload", found.event().payloadJson());
        output.properties(document);
        output.line("");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (ClaimState claim : found.claims()) {
            rows.add(Arrays.asList(
                    claim.handlerId(),
                    StatusCell.of(EventStatus.of(List.of(claim), now)),
                    claim.attempts(),
                    claim.sessionId(),
                    UtcTimestamp.format(claim.leaseUntil()),
                    UtcTimestamp.format(claim.availableAt()),
                    claim.lastError().orElse(null)));
        }
        if (rows.isEmpty()) {
            output.line("no handler has claimed it");
        } else {
            output.table(
                    List.of("handler", "status", "attempts", "session", "lease until", "available at", "last error"),
                    rows);
        }
    }
}
