package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Migration;
import io.ontologia.nameservice.Nameservice;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto ns migrate}. */
@Command(
        name = "migrate",
        description =
                "Bring records of schema version 1 to version 2. Shows which without --apply. May be broken off and run again.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns migrate", "  onto ns migrate --apply --json"})
final class NsMigrateCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    NsMigrateCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Output output = invocation.output();
        Migration.Report report;
        try (Nameservice names = nameservice.whole(invocation);
                Progress shown = output.progress("records", 0)) {
            if (names.legacy().isEmpty()) {
                throw new CommandFailure(
                        ExitCode.COMMAND_FAILED,
                        new OntologiaException(
                                ErrorKind.INVALID_INPUT,
                                "cannot migrate " + names.location(),
                                "it is not where the records are",
                                "run this with the URI of the folder, bucket or table behind it"));
            }
            AtomicLong told = new AtomicLong();
            Migration migration = new Migration(
                    names, progress -> shown.advance(progress.looked() - told.getAndSet(progress.looked())));
            report = apply ? migration.run() : migration.dryRun();
        }
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("looked", report.looked());
            document.put(
                    "migrated", report.migrated().stream().map(Object::toString).toList());
            document.put("failed", report.failures().size());
            document.put("applied", apply);
            output.json(document);
        } else {
            report.migrated().forEach(alias -> output.line((apply ? "migrated " : "would migrate ") + alias));
            output.line(report.migrated().size() + " of " + report.looked() + " records are of version 1");
            if (!apply && !report.migrated().isEmpty()) {
                output.line("nothing was changed; add --apply to do it");
            }
        }
        report.failures()
                .forEach(one -> output.diagnostic(
                        "not migrated:",
                        Tone.BAD,
                        one.place() + ": " + one.reason().getMessage()));
        return report.failures().isEmpty() ? ExitCode.SUCCESS : ExitCode.MISMATCH;
    }
}
