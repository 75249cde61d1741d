package io.ontologia.cli.internal.schema;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.MetaOption;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.access.ShownProgress;
import io.ontologia.cli.internal.model.ModelsOption;
import io.ontologia.cli.internal.model.UpgraderSource;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Migration;
import io.ontologia.core.MigrationResult;
import io.ontologia.core.Model;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto migrate}. */
@Command(
        name = "migrate",
        description =
                "Bring the store to the types of a model: all of them or none, in one commit. Shows the plan, unless --apply "
                        + "is given.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto migrate --models models.yaml",
            "  onto migrate --models models.yaml --upgraders upgrades.jar --apply --token TOKEN --meta release=7",
            "  onto migrate --models com.example.model --classpath app.jar --upgraders com.example.Upgrades --apply --force"
        })
public final class MigrateCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final ModelsOption models = new ModelsOption();

    @Option(
            names = "--upgraders",
            paramLabel = "JAR/CLASS",
            description =
                    "Where the methods marked with @Upgrades are: a JAR, a class on --classpath, or both as JAR/CLASS.")
    private @Nullable String upgraders;

    @Option(names = "--dry-run", description = "Show the plan and its token; this is the default.")
    private boolean dryRun;

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    @Option(names = "--token", paramLabel = "T", description = "The token of the plan that is to be carried out.")
    private @Nullable String token;

    @Option(names = "--force", description = "Carry out whatever the plan is now.")
    private boolean force;

    @Mixin
    private final MetaOption meta = new MetaOption();

    MigrateCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        requireConsistent();
        Map<String, String> metadata = meta.values();
        Model model = models.requireModel();
        MigrationReport report = new MigrationReport(invocation.output());
        try (UpgraderSource source =
                upgraders == null ? UpgraderSource.none() : UpgraderSource.open(upgraders, models.classPath())) {
            if (apply) {
                report.print(migrate(model, source, metadata));
            } else {
                try (Maintenance maintenance = new OntologyAccess(invocation).inspect()) {
                    report.print(refusing(() ->
                            maintenance.migration(model, source.upgraders()).preview()));
                }
            }
        }
        return ExitCode.SUCCESS;
    }

    private void requireConsistent() {
        if (apply && dryRun) {
            throw new UsageError("--dry-run and --apply exclude each other", "leave one of them out");
        }
        if (token != null && force) {
            throw new UsageError("--token and --force exclude each other", "leave one of them out");
        }
        if (apply && token == null && !force) {
            throw new UsageError(
                    "--apply needs to know which plan is meant", "add the --token of the dry run, or --force");
        }
        if (!apply && (token != null || force)) {
            throw new UsageError("--token and --force are for --apply", "add --apply, or leave them out");
        }
    }

    private MigrationResult migrate(Model model, UpgraderSource source, Map<String, String> metadata) {
        try (Maintenance maintenance = new OntologyAccess(invocation).maintain();
                ShownProgress progress = new ShownProgress(invocation.output(), "migrating")) {
            Migration migration = maintenance.migration(model, source.upgraders());
            return refusing(() ->
                    token == null ? migration.force(metadata, progress) : migration.apply(token, metadata, progress));
        }
    }

    private interface Work<T> {
        T run();
    }

    /** What cannot be migrated is a failed command: neither its line nor the storage is to blame. */
    private static <T> T refusing(Work<T> work) {
        try {
            return work.run();
        } catch (OntologiaException e) {
            throw e.kind() == ErrorKind.CONFLICT || e.kind() == ErrorKind.INVALID_INPUT
                    ? new CommandFailure(ExitCode.COMMAND_FAILED, e)
                    : e;
        }
    }
}
