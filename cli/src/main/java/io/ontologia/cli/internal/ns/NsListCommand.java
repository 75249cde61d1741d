package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.Nameservice;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto ns list}. */
@Command(
        name = "list",
        description = "List records. What may be secret in a config is never shown here.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns list",
            "  onto ns list --type vg:bm25 --state indexing",
            "  onto ns list --prefix my --json"
        })
final class NsListCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Option(names = "--type", paramLabel = "T", description = "Only records of this type.")
    private @Nullable String type;

    @Option(
            names = "--state",
            paramLabel = "S",
            description = "Only records in this state: ready, indexing, retracted, …")
    private @Nullable String state;

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only aliases that start with this.")
    private String prefix = "";

    NsListCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        NameQuery query = NameQuery.all().prefix(prefix);
        query = type == null ? query : query.type(new EntityType(type));
        query = state == null ? query : query.state(state);
        NamedStores.Found found;
        try (Nameservice names = nameservice.look(invocation)) {
            found = new NamedStores(invocation, names).all(query);
        }
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(found.records().stream().map(NsDocuments::of).toList());
        } else {
            output.table(
                    NsDocuments.HEADERS,
                    found.records().stream().map(NsDocuments::row).toList());
        }
        // What cannot be read is told, and keeps nothing else from being seen.
        found.unreadable()
                .forEach(one -> output.diagnostic(
                        "unreadable:",
                        Tone.BAD,
                        one.place() + ": " + one.reason().getMessage()));
        return found.unreadable().isEmpty() ? ExitCode.SUCCESS : ExitCode.MISMATCH;
    }
}
