package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code onto ns pull}. */
@Command(
        name = "pull",
        description =
                "Bring home what moved upstream: all four concerns, dependencies, retractions. What moved on both sides, and records that "
                        + "were purged upstream, are reported and left alone unless --theirs or --ours decides.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns pull --ns file:///var/lib/names --upstream https://names.example.com",
            "  onto ns pull mydb",
            "  onto ns pull mydb --theirs"
        })
final class NsPullCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Mixin
    private final NsUpstreamOption upstream = new NsUpstreamOption();

    @Parameters(arity = "0..1", paramLabel = "ALIAS", description = "Only this record.")
    private @Nullable String alias;

    NsPullCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        return new UpstreamRun(invocation, nameservice, upstream).run(UpstreamRun.Direction.PULL, alias);
    }
}
