package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.nameservice.Nameservice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code onto ns doctor}. */
@Command(
        name = "doctor",
        description =
                "Look for what is wrong: records that cannot be read, stray objects, records that do not agree with their "
                        + "stores, lost dependencies, locks that ran out. Changes nothing; exit code 3 when something is found.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns doctor", "  onto ns doctor --json"})
final class NsDoctorCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    NsDoctorCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        List<Diagnosis.Finding> findings;
        try (Nameservice names = nameservice.look(invocation)) {
            findings = new Diagnosis(invocation, names).run();
        }
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("ok", findings.isEmpty());
            document.put(
                    "findings", findings.stream().map(NsDoctorCommand::document).toList());
            output.json(document);
        } else if (findings.isEmpty()) {
            output.line("no problems found");
        } else {
            List<List<Object>> rows = new ArrayList<>();
            findings.forEach(found -> rows.add(List.of(found.code(), found.place(), found.problem(), found.remedy())));
            output.table(List.of("code", "where", "problem", "what to do"), rows);
        }
        return findings.isEmpty() ? ExitCode.SUCCESS : ExitCode.MISMATCH;
    }

    private static Map<String, Object> document(Diagnosis.Finding found) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("code", found.code());
        document.put("where", found.place());
        document.put("problem", found.problem());
        document.put("remedy", found.remedy());
        return document;
    }
}
