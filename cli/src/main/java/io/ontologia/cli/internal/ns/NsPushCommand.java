package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.Nameservice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code onto ns push}. */
@Command(
        name = "push",
        description =
                "Set one concern of a record, if nobody else does at the same time. The payload takes the place of the one there is.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns push mydb head --payload '{\"address\": \"s3://b/t42.json\", \"t\": 42}'",
            "  onto ns push mydb status --payload '{\"state\": \"ready\"}' --expect 7"
        })
final class NsPushCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(index = "0", paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    @Parameters(index = "1", paramLabel = "CONCERN", description = "head, index, status or config.")
    private String concern = "";

    @Mixin
    private final NsPushOptions push = new NsPushOptions();

    NsPushCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Alias wanted = Alias.parse(alias);
        Concern what = Concern.parse(concern);
        push.check();
        // A config is pushed on what is there, secrets included.
        try (Nameservice names =
                what == Concern.CONFIG ? nameservice.whole(invocation) : nameservice.open(invocation)) {
            return push.push(invocation, names, wanted, what);
        }
    }
}
