package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.TextDuration;
import io.ontologia.cli.internal.output.JsonListWriter;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.TableWriter;
import io.ontologia.core.EventStatus;
import io.ontologia.core.ListedEvent;
import io.ontologia.core.spi.EventStore;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto events watch}. */
@Command(
        name = "watch",
        description =
                "Follow a namespace: one line for each event that appears or gets another status, until interrupted.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto events watch --namespace shop",
            "  onto events watch --namespace shop --from-now --for 30s --json"
        })
final class WatchCommand implements OntoCommand {
    private final Invocation invocation;
    private final Map<String, EventStatus> seen = new HashMap<>();

    @Option(names = "--namespace", paramLabel = "N", required = true, description = "The namespace.")
    private String namespace = "";

    @Option(names = "--for", paramLabel = "SPAN", description = "Stop after so long: 45s, 30m, 12h, 7d.")
    private @Nullable String span;

    @Option(names = "--from-now", description = "Leave out what is there at the start.")
    private boolean fromNow;

    WatchCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        invocation.interruption().endsBySignal();
        Instant end = span == null ? Instant.MAX : invocation.clock().now().plus(TextDuration.parse("--for", span));
        Output output = invocation.output();
        JsonListWriter list = output.jsonList();
        boolean json = output.format() == Output.Format.JSON;
        // Not closed when something fails: then there is nothing but the error to print.
        TableWriter table = output.tableWriter(List.of("created", "status", "type", "id", "payload"));
        follow(end, change -> {
            if (json) {
                list.add(EventDocuments.of(change));
            } else {
                table.add(row(change));
                table.flush();
            }
        });
        table.close();
        if (json) {
            list.end();
        }
        return ExitCode.SUCCESS;
    }

    private void follow(Instant end, Consumer<ListedEvent> changed) {
        BusAccess access = new BusAccess(invocation);
        Duration interval = access.options().pollInterval();
        access.read(bus -> {
            if (fromNow) {
                changes(bus);
            }
            while (true) {
                changes(bus).forEach(changed);
                if (!invocation.clock().now().isBefore(end)) {
                    return end;
                }
                invocation.clock().sleep(interval);
            }
        });
    }

    /** What is new or got another status since the last call, oldest first. */
    private List<ListedEvent> changes(EventStore bus) {
        return bus.list(namespace, Integer.MAX_VALUE).stream()
                .filter(one -> seen.put(one.event().id(), one.status()) != one.status())
                .sorted(Comparator.comparing((ListedEvent one) -> one.event().createdAt())
                        .thenComparing(one -> one.event().id()))
                .toList();
    }

    private static List<Object> row(ListedEvent change) {
        return List.of(
                UtcTimestamp.format(change.event().createdAt()),
                StatusCell.of(change.status()),
                change.event().type(),
                change.event().id(),
                change.event().payloadJson());
    }
}
