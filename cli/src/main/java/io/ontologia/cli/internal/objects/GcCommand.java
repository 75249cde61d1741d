package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.TextDuration;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Maintenance;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.core.spi.Upkeep.Garbage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto gc}. */
@Command(
        name = "gc",
        description =
                "Object stores only: find objects that nothing refers to, and remove them with --apply: attempts at commits "
                        + "that never became visible, and snapshots that others took the place of.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto gc --storage-uri s3://bucket/prefix",
            "  onto gc --older-than 30d --apply --storage-uri s3://bucket/prefix",
            "  onto gc --covered --storage-uri s3://bucket/prefix"
        })
public final class GcCommand extends UpkeepCommand {
    @Option(
            names = "--older-than",
            paramLabel = "SPAN",
            defaultValue = "7d",
            description =
                    "Only objects that were not written to for so long, by the store's clock: 12h, 7d; at least 1h. Keep it "
                            + "longer than any query takes. Default: ${DEFAULT-VALUE}.")
    private String olderThan = "7d";

    @Option(
            names = "--covered",
            description =
                    "Instead: data files of commits whose rows are proven to be in a snapshot as well, for as long. Reads "
                            + "every snapshot. Ontologia answers as before; other readers must know snapshots.")
    private boolean covered;

    @Option(names = "--dry-run", description = "Show what would be removed; this is the default.")
    private boolean dryRun;

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    GcCommand(Invocation invocation) {
        super(invocation, "gc");
    }

    @Override
    Intent intent() {
        age();
        return Plans.intent(dryRun, apply);
    }

    private Duration age() {
        return TextDuration.parse("--older-than", olderThan);
    }

    @Override
    ExitCode run(Maintenance maintenance, Upkeep upkeep) {
        Duration age = age();
        if (age.compareTo(Upkeep.SHORTEST_GRACE) < 0) {
            invocation()
                    .output()
                    .note("objects younger than 1h are never removed, so --older-than " + olderThan + " means 1h");
        }
        print(
                covered
                        ? apply ? upkeep.removeCovered(age) : upkeep.findCovered(age)
                        : apply ? upkeep.collectGarbage(age) : upkeep.findGarbage(age));
        return ExitCode.SUCCESS;
    }

    private void print(Garbage garbage) {
        Output output = invocation().output();
        int count = garbage.keys().size();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("orphans", garbage.keys());
            report.put("bytes", garbage.bytes());
            report.put("deleted", apply ? count : 0);
            output.json(report);
        } else if (count == 0) {
            output.line("nothing is left over");
        } else {
            output.table(
                    List.of(apply ? "removed" : "left over"),
                    garbage.keys().stream().map(List::of).toList());
            output.line(String.format(Locale.ROOT, "\n%,d objects of %,d bytes", count, garbage.bytes()));
            if (!apply) {
                output.line(Plans.NOTHING_CHANGED);
            }
        }
    }
}
