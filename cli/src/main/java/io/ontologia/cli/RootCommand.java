package io.ontologia.cli;

import io.ontologia.cli.internal.CompletionCommand;
import io.ontologia.cli.internal.GlobalOptions;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.admin.EraseCommand;
import io.ontologia.cli.internal.admin.FsckCommand;
import io.ontologia.cli.internal.admin.InfoCommand;
import io.ontologia.cli.internal.admin.InitCommand;
import io.ontologia.cli.internal.admin.LockCommand;
import io.ontologia.cli.internal.commit.CommitsCommand;
import io.ontologia.cli.internal.commit.DiffCommand;
import io.ontologia.cli.internal.commit.DigestCommand;
import io.ontologia.cli.internal.commit.RestoreCommand;
import io.ontologia.cli.internal.commit.RetractCommand;
import io.ontologia.cli.internal.commit.RevertCommand;
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
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto} itself: every command hangs below it. */
@Command(
        name = "onto",
        description = "A versioned knowledge store: every change is a commit that can be asked about later.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto demo",
            "  onto import --input data --models models.yaml --apply --on-conflict abort",
            "  onto query entities Customer --where \"tier = 'Gold'\"",
            "  onto query entities Customer --as-of 12 --json"
        })
final class RootCommand {
    private static final Map<String, Class<?>> COMMANDS = commands();

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

    private static Map<String, Class<?>> commands() {
        Map<String, Class<?>> commands = new LinkedHashMap<>();
        commands.put("demo", DemoCommand.class);
        commands.put("init", InitCommand.class);
        commands.put("info", InfoCommand.class);
        commands.put("schema", SchemaCommand.class);
        commands.put("verify", VerifyCommand.class);
        commands.put("migrate", MigrateCommand.class);
        commands.put("import", ImportCommand.class);
        commands.put("retract", RetractCommand.class);
        commands.put("revert", RevertCommand.class);
        commands.put("restore", RestoreCommand.class);
        commands.put("export", ExportCommand.class);
        commands.put("copy", CopyCommand.class);
        commands.put("query", QueryCommand.class);
        commands.put("explain", ExplainCommand.class);
        commands.put("aggregate", AggregateCommand.class);
        commands.put("commits", CommitsCommand.class);
        commands.put("diff", DiffCommand.class);
        commands.put("digest", DigestCommand.class);
        commands.put("events", EventsCommand.class);
        commands.put("ns", NsCommand.class);
        commands.put("fsck", FsckCommand.class);
        commands.put("erase", EraseCommand.class);
        commands.put("lock", LockCommand.class);
        commands.put("index", IndexCommand.class);
        commands.put("compact", CompactCommand.class);
        commands.put("gc", GcCommand.class);
        commands.put("store", StoreCommand.class);
        commands.put("completion", CompletionCommand.class);
        return commands;
    }

    /**
     * The commands that a command line can mean, by name. To describe them all takes longer than most of them run, so where
     * the first word names one, only that is described.
     */
    static Map<String, Class<?>> commandsFor(String... args) {
        Class<?> named = args.length == 0 ? null : COMMANDS.get(args[0]);
        return named == null || named == CompletionCommand.class ? COMMANDS : Map.of(args[0], named);
    }
}
