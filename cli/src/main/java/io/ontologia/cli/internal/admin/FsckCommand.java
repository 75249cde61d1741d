package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.access.ShownProgress;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Styled;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto fsck}. */
@Command(
        name = "fsck",
        description =
                "Read the whole store and report what is wrong in it. Changes nothing; exits with 3 when something "
                        + "was found.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto fsck",
            "  onto fsck --db shop.db --json",
            "  onto fsck --erased",
            "  onto fsck --digest 8ace0cdb263481fc991d615eb50b452806a154ecc686d798d2c8af86984018d3"
        })
public final class FsckCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(
            names = "--digest",
            paramLabel = "D",
            description = "A digest that 'onto digest' printed once: proves that nothing was changed up to its commit.")
    private @Nullable String digest;

    @Option(
            names = "--erased",
            description =
                    "Also look for content of erased rows that is still in files of the store, though no query shows it.")
    private boolean erased;

    FsckCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Output output = invocation.output();
        List<Finding> findings;
        OptionalLong proven = OptionalLong.empty();
        try (Maintenance maintenance = new OntologyAccess(invocation).inspect();
                ShownProgress progress = new ShownProgress(output, "checking")) {
            findings =
                    new ArrayList<>(digest == null ? maintenance.check(progress) : maintenance.check(digest, progress));
            if (erased) {
                findings.addAll(maintenance.checkErased(progress));
                findings.sort(Comparator.comparing(Finding::severity));
            }
            if (digest != null) {
                proven = maintenance.commitOf(digest, progress);
            }
        }
        boolean ok = findings.stream().noneMatch(Finding::isProblem);
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("ok", ok);
            report.put("findings", findings.stream().map(FsckCommand::document).toList());
            if (digest != null) {
                Map<String, @Nullable Object> proof = new LinkedHashMap<>();
                proof.put("digest", digest);
                proof.put("commit_id", proven.isPresent() ? proven.getAsLong() : null);
                report.put("proof", proof);
            }
            output.json(report);
        } else if (findings.isEmpty()) {
            output.line("no problems found");
        } else {
            print(findings);
            if (ok) {
                output.line("no problems found");
            }
        }
        if (proven.isPresent() && ok) {
            output.line("nothing was changed up to commit " + proven.getAsLong());
        }
        return ok ? ExitCode.SUCCESS : ExitCode.MISMATCH;
    }

    private void print(List<Finding> findings) {
        List<List<Object>> rows = new ArrayList<>();
        for (Finding finding : findings) {
            Tone tone = finding.severity() == Finding.Severity.ERROR ? Tone.BAD : Tone.WEAK;
            rows.add(List.of(
                    new Styled(finding.severity().wireName(), tone),
                    finding.code(),
                    finding.count(),
                    finding.example(),
                    finding.message()));
        }
        invocation.output().table(List.of("severity", "finding", "count", "first", "what it means"), rows);
    }

    private static Map<String, Object> document(Finding finding) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("code", finding.code());
        document.put("severity", finding.severity().wireName());
        document.put("message", finding.message());
        document.put("count", finding.count());
        document.put("example", finding.example());
        return document;
    }
}
