package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code onto ns push-upstream}. */
@Command(
        name = "push-upstream",
        description =
                "Offer upstream what moved here: all four concerns, dependencies, retractions. What moved on both sides is reported and "
                        + "left alone unless --ours or --theirs decides.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns push-upstream mydb --upstream https://names.example.com",
            "  onto ns push-upstream mydb --ours"
        })
final class NsPushUpstreamCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Mixin
    private final NsUpstreamOption upstream = new NsUpstreamOption();

    @Parameters(arity = "0..1", paramLabel = "ALIAS", description = "Only this record.")
    private @Nullable String alias;

    NsPushUpstreamCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        return new UpstreamRun(invocation, nameservice, upstream).run(UpstreamRun.Direction.PUSH, alias);
    }
}
