package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Styled;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.EventSession;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto events sessions}. */
@Command(
        name = "sessions",
        description = "List the workers of a namespace, and whether they are alive.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto events sessions --namespace shop", "  onto events sessions --namespace shop --json"})
final class SessionsCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--namespace", paramLabel = "N", required = true, description = "The namespace.")
    private String namespace = "";

    SessionsCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        BusAccess access = new BusAccess(invocation);
        List<EventSession> found = access.read(bus -> bus.sessions(namespace));
        Instant now = invocation.clock().now();
        Duration ttl = access.options().sessionTtl();

        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(
                    found.stream().map(one -> EventDocuments.of(one, now, ttl)).toList());
        }
        output.table(
                List.of("session", "started", "last heartbeat", "state"),
                found.stream()
                        .map(one -> List.<Object>of(
                                one.sessionId(),
                                UtcTimestamp.format(one.startedAt()),
                                UtcTimestamp.format(one.lastHeartbeat()),
                                one.isDead(now, ttl) ? new Styled("dead", Tone.BAD) : "alive"))
                        .toList());
        return ExitCode.SUCCESS;
    }
}
