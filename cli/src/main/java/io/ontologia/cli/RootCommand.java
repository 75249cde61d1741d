package io.ontologia.cli;

import io.ontologia.cli.internal.CompletionCommand;
import io.ontologia.cli.internal.GlobalOptions;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.admin.FsckCommand;
import io.ontologia.cli.internal.admin.InfoCommand;
import io.ontologia.cli.internal.admin.InitCommand;
import io.ontologia.cli.internal.admin.LockCommand;
import io.ontologia.cli.internal.commit.CommitsCommand;
import io.ontologia.cli.internal.commit.DiffCommand;
import io.ontologia.cli.internal.demo.DemoCommand;
import io.ontologia.cli.internal.events.EventsCommand;
import io.ontologia.cli.internal.ns.NsCommand;
import io.ontologia.cli.internal.objects.CompactCommand;
import io.ontologia.cli.internal.objects.GcCommand;
import io.ontologia.cli.internal.objects.IndexCommand;
import io.ontologia.cli.internal.query.AggregateCommand;
import io.ontologia.cli.internal.query.ExplainCommand;
import io.ontologia.cli.internal.query.QueryCommand;
import io.ontologia.cli.internal.schema.MigrateCommand;
import io.ontologia.cli.internal.schema.SchemaCommand;
import io.ontologia.cli.internal.schema.VerifyCommand;
import io.ontologia.cli.internal.store.StoreCommand;
import io.ontologia.cli.internal.transfer.CopyCommand;
import io.ontologia.cli.internal.transfer.ExportCommand;
import io.ontologia.cli.internal.transfer.ImportCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto} itself: every command hangs below it. */
@Command(
        name = "onto",
        description = "A versioned knowledge store: every change is a commit that can be asked about later.",
        subcommands = {
            DemoCommand.class,
            InitCommand.class,
            InfoCommand.class,
            SchemaCommand.class,
            VerifyCommand.class,
            MigrateCommand.class,
            ImportCommand.class,
            ExportCommand.class,
            CopyCommand.class,
            QueryCommand.class,
            ExplainCommand.class,
            AggregateCommand.class,
            CommitsCommand.class,
            DiffCommand.class,
            EventsCommand.class,
            NsCommand.class,
            FsckCommand.class,
            LockCommand.class,
            IndexCommand.class,
            CompactCommand.class,
            GcCommand.class,
            StoreCommand.class,
            CompletionCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto demo",
            "  onto import --input data --models models.yaml --apply --on-conflict abort",
            "  onto query entities Customer --where \"tier = 'Gold'\"",
            "  onto query entities Customer --as-of 12 --json"
        })
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
