package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Maintenance;
import io.ontologia.core.spi.Upkeep;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code onto index verify}. */
@Command(
        name = "verify",
        description =
                "Object stores only: compare the index of each type with the commits. Changes nothing; exits with 3 when one is "
                        + "not in order. Answers are right without an index too, and take longer.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto index verify --storage-uri s3://bucket/prefix",
            "  onto index verify --storage-uri file:///var/lib/onto --json"
        })
final class IndexVerifyCommand extends UpkeepCommand {
    IndexVerifyCommand(Invocation invocation) {
        super(invocation, "index verify");
    }

    @Override
    Intent intent() {
        return Intent.LOOK;
    }

    @Override
    ExitCode run(Maintenance maintenance, Upkeep upkeep) {
        List<Upkeep.IndexState> states = upkeep.verifyIndices();
        boolean clean = IndexDocuments.clean(states);
        Output output = invocation().output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("ok", clean);
            report.put("types", states.stream().map(IndexDocuments::document).toList());
            output.json(report);
        }
        IndexDocuments.print(output, states);
        if (!clean) {
            output.line("\n'onto index repair --apply' puts them in order");
        }
        return clean ? ExitCode.SUCCESS : ExitCode.MISMATCH;
    }
}
