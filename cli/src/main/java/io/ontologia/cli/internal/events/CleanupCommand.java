package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.TextDuration;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.Moment;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.EventCleanup;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto events cleanup}. */
@Command(
        name = "cleanup",
        description =
                "Remove old events of a namespace, handled or not, and the claims on them; dead letters and sessions "
                        + "stay. Shows how many without --apply.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto events cleanup --namespace shop --before 7d",
            "  onto events cleanup --namespace shop --before 7d --apply",
            "  onto events cleanup --namespace shop --before 2026-02-10T00:00:00Z --apply"
        })
final class CleanupCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--namespace", paramLabel = "N", required = true, description = "The namespace.")
    private String namespace = "";

    @Option(
            names = "--before",
            paramLabel = "WHEN",
            required = true,
            description =
                    "What is older than this: 45s, 30m, 12h, 7d, or created before a time such as 2026-02-10T12:34:56Z, 2026-02-10 or "
                            + "yesterday.")
    private String before = "";

    @Option(names = "--dry-run", description = "Show how many would be removed; this is the default.")
    private boolean dryRun;

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    CleanupCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (dryRun && apply) {
            throw new UsageError("--dry-run and --apply exclude each other", "leave one of them out");
        }
        Instant moment = moment();
        BusAccess access = new BusAccess(invocation);
        EventCleanup cleanup = apply
                ? access.write(bus -> bus.cleanup(namespace, moment))
                : access.read(bus -> bus.previewCleanup(namespace, moment));
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("namespace", namespace);
            report.put("before", UtcTimestamp.format(moment));
            report.put("events", cleanup.events());
            report.put("claims", cleanup.claims());
            report.put("applied", apply);
            output.json(report);
        } else {
            output.line((apply ? "removed " : "would remove ") + cleanup.events() + " events and " + cleanup.claims()
                    + " claims from before " + UtcTimestamp.format(moment));
            if (!apply) {
                output.line("nothing was changed; add --apply to do it");
            }
        }
        return ExitCode.SUCCESS;
    }

    private Instant moment() {
        return TextDuration.isOne(before)
                ? invocation.clock().now().minus(TextDuration.parse("--before", before))
                : Moment.time("--before", before, invocation);
    }
}
