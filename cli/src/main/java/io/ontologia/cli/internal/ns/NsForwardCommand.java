package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.NamesAccess;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.Nameservice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto ns forward}. */
@Command(
        name = "forward",
        description = "Set one concern of a record upstream, without a local write. The next pull brings it home.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns forward mydb head --payload '{\"address\": \"s3://b/t42.json\", \"t\": 42}' --upstream https://names.example.com"
        })
final class NsForwardCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(
            names = "--upstream",
            paramLabel = "URI",
            description = "The nameservice that decides, as --ns. Environment: ONTOLOGIA_NAMESERVICE_UPSTREAM_URI.")
    private @org.jspecify.annotations.Nullable String upstream;

    @Parameters(index = "0", paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    @Parameters(index = "1", paramLabel = "CONCERN", description = "head, index, status or config.")
    private String concern = "";

    @Mixin
    private final NsPushOptions push = new NsPushOptions();

    NsForwardCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Alias wanted = Alias.parse(alias);
        Concern what = Concern.parse(concern);
        push.check();
        try (Nameservice names = new NamesAccess(invocation).upstream(NsUpstreamOption.uri(invocation, upstream))) {
            return push.push(invocation, names, wanted, what);
        }
    }
}
