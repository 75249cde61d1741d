package io.ontologia.cli.internal;

import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code onto completion}. */
@Command(
        name = "completion",
        description = "Print a script that lets bash and zsh complete commands and options.",
        footerHeading = "%nExamples:%n",
        footer = {"  source <(onto completion)", "  onto completion > ~/.local/share/bash-completion/completions/onto"})
public final class CompletionCommand implements OntoCommand {
    private final Invocation invocation;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it hands out the command
    private CommandSpec spec;

    CompletionCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        String script =
                AutoComplete.bash("onto", Objects.requireNonNull(spec.root()).commandLine());
        invocation.output().line(script.stripTrailing());
        return ExitCode.SUCCESS;
    }
}
