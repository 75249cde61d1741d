package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Maintenance;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.core.spi.Upkeep.IndexState;
import io.ontologia.core.spi.Upkeep.IndexStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto index repair}. */
@Command(
        name = "repair",
        description =
                "Object stores only: bring every index up to the newest commit, from the commits themselves where needed. "
                        + "Exits with 3 when indices are not in order, also as a plan.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto index repair --storage-uri s3://bucket/prefix",
            "  onto index repair --apply --storage-uri s3://bucket/prefix"
        })
final class IndexRepairCommand extends UpkeepCommand {
    @Option(names = "--dry-run", description = "Show which indices would be repaired; this is the default.")
    private boolean dryRun;

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    IndexRepairCommand(Invocation invocation) {
        super(invocation, "index repair");
    }

    @Override
    Intent intent() {
        return Plans.intent(dryRun, apply);
    }

    @Override
    ExitCode run(Maintenance maintenance, Upkeep upkeep) {
        List<IndexState> before = upkeep.verifyIndices();
        List<IndexState> broken = before.stream()
                .filter(state -> state.status() != IndexStatus.OK)
                .toList();
        List<IndexState> after = apply && !broken.isEmpty() ? upkeep.repairIndices() : before;
        print(broken, after);
        return IndexDocuments.clean(after) ? ExitCode.SUCCESS : ExitCode.MISMATCH;
    }

    private void print(List<IndexState> broken, List<IndexState> after) {
        Output output = invocation().output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("ok", IndexDocuments.clean(after));
            report.put("types", after.stream().map(IndexDocuments::document).toList());
            report.put("applied", apply);
            report.put("repaired", apply ? broken.size() : 0);
            output.json(report);
        }
        IndexDocuments.print(output, apply ? after : broken);
        output.line("");
        if (broken.isEmpty()) {
            output.line("every index is in order");
        } else if (apply) {
            output.line("repaired: " + broken.size());
        } else {
            output.line(Plans.NOTHING_CHANGED);
        }
    }
}
