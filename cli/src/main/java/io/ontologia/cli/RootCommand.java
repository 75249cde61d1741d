package io.ontologia.cli;

import io.ontologia.cli.internal.CompletionCommand;
import io.ontologia.cli.internal.GlobalOptions;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.store.StoreCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto} itself: every command hangs below it. */
@Command(
        name = "onto",
        description = "A versioned knowledge store: every change is a commit that can be asked about later.",
        subcommands = {StoreCommand.class, CompletionCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {"  onto store check --storage-uri s3://bucket/prefix", "  onto store check --help"})
final class RootCommand {
    @Mixin
    final GlobalOptions globalOptions;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    boolean version;

    RootCommand(Invocation invocation) {
        this.globalOptions = invocation.options();
    }
}
