package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.TextDuration;
import io.ontologia.cli.internal.output.JsonListWriter;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.TableWriter;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Step;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.NameEvents;
import io.ontologia.nameservice.NameFilter;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Subscription;
import io.ontologia.nameservice.Subscriptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto ns watch}. */
@Command(
        name = "watch",
        description = "Follow records: what is there, then one line for everything that moves, until interrupted.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns watch",
            "  onto ns watch mydb other --concern head --concern index",
            "  onto ns watch --type vg:bm25 --for 30s --json"
        })
final class NsWatchCommand implements OntoCommand {
    /** How often a stream looks whether its time is over. */
    private static final Duration SLICE = Duration.ofMillis(200);

    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(arity = "0..*", paramLabel = "ALIAS", description = "Only these records.")
    private List<String> aliases = new ArrayList<>();

    @Option(
            names = "--concern",
            paramLabel = "C",
            description = "Only moves of this one: head, index, status or config; may be repeated.")
    private List<String> concerns = new ArrayList<>();

    @Option(names = "--type", paramLabel = "T", description = "Only records of this type.")
    private @Nullable String type;

    @Option(names = "--for", paramLabel = "SPAN", description = "Stop after so long: 45s, 30m, 12h, 7d.")
    private @Nullable String span;

    @Option(names = "--from-now", description = "Leave out what is there at the start.")
    private boolean fromNow;

    NsWatchCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Instant end = span == null ? Instant.MAX : invocation.clock().now().plus(TextDuration.parse("--for", span));
        Output output = invocation.output();
        boolean json = output.format() == Output.Format.JSON;
        JsonListWriter list = output.jsonList();
        // Not closed when something fails: then there is nothing but the error to print.
        TableWriter table = output.tableWriter(List.of("event", "alias", "concern", "watermark", "payload"));
        follow(end, event -> {
            if (json) {
                list.add(document(event));
                list.flush();
            } else {
                table.add(row(event));
                table.flush();
            }
        });
        table.close();
        if (json) {
            list.end();
        }
        return ExitCode.SUCCESS;
    }

    private void follow(Instant end, Consumer<NameEvent> listener) {
        try (Nameservice names = nameservice.look(invocation)) {
            Optional<NameEvents> stream = names.events(filter());
            if (stream.isPresent()) {
                try (NameEvents events = stream.get()) {
                    listen(events, end, listener);
                }
            } else {
                poll(names, end, listener);
            }
        }
    }

    /** Takes what the nameservice sends. */
    private void listen(NameEvents events, Instant end, Consumer<NameEvent> listener) {
        while (invocation.clock().now().isBefore(end)) {
            events.next(SLICE).ifPresent(event -> pass(event, listener));
            if (Thread.currentThread().isInterrupted()) {
                throw new OntologiaException(
                        ErrorKind.CLOSED, "cannot follow the records", "the thread was interrupted", "start again");
            }
        }
    }

    private void poll(Nameservice names, Instant end, Consumer<NameEvent> listener) {
        Duration interval = invocation.settings().events().pollInterval();
        try (Subscriptions subscriptions = new Subscriptions(names);
                Subscription subscription = subscriptions.subscribe(filter())) {
            Step poller = subscriptions.poller(interval);
            while (true) {
                Optional<NameEvent> event = subscription.poll();
                while (event.isPresent()) {
                    pass(event.get(), listener);
                    event = subscription.poll();
                }
                if (!invocation.clock().now().isBefore(end)) {
                    return;
                }
                invocation.clock().sleep(interval);
                poller.step();
            }
        }
    }

    private void pass(NameEvent event, Consumer<NameEvent> listener) {
        if (!(event instanceof NameEvent.Live) && !(fromNow && event instanceof NameEvent.Snapshot)) {
            listener.accept(event);
        }
    }

    private NameFilter filter() {
        NameFilter filter = NameFilter.all();
        filter = filter.aliases(aliases.stream().map(Alias::parse).collect(Collectors.toSet()));
        filter = type == null ? filter : filter.type(new EntityType(type));
        return concerns.isEmpty()
                ? filter
                : filter.concerns(concerns.stream().map(Concern::parse).collect(Collectors.toSet()));
    }

    private static Map<String, @Nullable Object> document(NameEvent event) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("event", name(event));
        record(event).ifPresent(record -> document.put("record", NsDocuments.of(record)));
        if (event instanceof NameEvent.Moved moved) {
            document.put("pk", moved.alias().toString());
            document.put("concern", moved.concern().wireName());
            document.put("v", moved.value().watermark());
            document.put(
                    "payload",
                    moved.value().payload().map(ConcernPayload::fields).orElse(null));
        }
        if (event instanceof NameEvent.Purged purged) {
            document.put("pk", purged.alias().toString());
        }
        return document;
    }

    private static List<@Nullable Object> row(NameEvent event) {
        if (event instanceof NameEvent.Moved moved) {
            return Arrays.asList(
                    name(event),
                    moved.alias().toString(),
                    moved.concern().wireName(),
                    moved.value().watermark(),
                    moved.value().payload().map(ConcernPayload::json).orElse(null));
        }
        if (event instanceof NameEvent.Purged purged) {
            return Arrays.asList(name(event), purged.alias().toString(), null, null, null);
        }
        return Arrays.asList(
                name(event),
                record(event).map(record -> record.alias().toString()).orElse(null),
                null,
                null,
                record(event).flatMap(NameRecord::state).orElse(null));
    }

    private static Optional<NameRecord> record(NameEvent event) {
        if (event instanceof NameEvent.Snapshot snapshot) {
            return Optional.of(snapshot.record());
        }
        return event instanceof NameEvent.Created created ? Optional.of(created.record()) : Optional.empty();
    }

    private static String name(NameEvent event) {
        return event.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }
}
