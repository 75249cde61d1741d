package io.ontologia.cli.internal.schema;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.model.ModelsOption;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Styled;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaDiff;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto verify}. */
@Command(
        name = "verify",
        description = "Compare the types of a model with those of the store. Exits with 3 when they differ.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto verify --models models.yaml",
            "  onto verify --models models.yaml --diff",
            "  onto verify --models com.example.model --classpath app.jar --strict --json"
        })
public final class VerifyCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final ModelsOption models = new ModelsOption();

    @Option(names = "--diff", description = "Show field by field what differs, and nothing else.")
    private boolean diff;

    @Option(names = "--strict", description = "A type that only the model or only the store has is a difference, too.")
    private boolean strict;

    VerifyCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    /**
     * What became of one type.
     *
     * @param mismatch what makes it a mismatch; empty when it is none
     */
    private record Verdict(TypeRef type, String result, Optional<Map<String, Object>> mismatch) {}

    @Override
    public ExitCode run() {
        Model model = models.requireModel();
        List<Verdict> verdicts;
        try (Maintenance maintenance = new OntologyAccess(invocation).inspect()) {
            verdicts = compare(model, maintenance.storage().schemas());
        }
        List<Verdict> mismatches =
                verdicts.stream().filter(one -> one.mismatch().isPresent()).toList();
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("ok", mismatches.isEmpty());
            report.put(
                    "mismatches",
                    mismatches.stream().map(VerifyCommand::document).toList());
            output.json(report);
        } else if (diff) {
            printDifferences(mismatches);
        } else {
            printAll(verdicts);
        }
        return mismatches.isEmpty() ? ExitCode.SUCCESS : ExitCode.MISMATCH;
    }

    private List<Verdict> compare(Model model, List<SchemaVersion> stored) {
        List<Verdict> verdicts = new ArrayList<>();
        for (OntologyType declared : model.types()) {
            Optional<SchemaVersion> known = stored.stream()
                    .filter(version -> version.type().equals(declared.ref()))
                    .findFirst();
            if (known.isEmpty()) {
                verdicts.add(new Verdict(declared.ref(), "not in the store yet", onlyIn("models")));
                continue;
            }
            Optional<Map<String, Object>> difference =
                    SchemaDiff.between(known.get(), declared).map(SchemaDocuments::difference);
            verdicts.add(new Verdict(declared.ref(), difference.isPresent() ? "differs" : "same", difference));
        }
        for (SchemaVersion version : stored) {
            if (model.find(version.type()).isEmpty()) {
                verdicts.add(new Verdict(version.type(), "only in the store", onlyIn("store")));
            }
        }
        return verdicts;
    }

    private Optional<Map<String, Object>> onlyIn(String side) {
        return strict ? Optional.of(Map.of("only_in", side)) : Optional.empty();
    }

    private static Map<String, Object> document(Verdict verdict) {
        Map<String, Object> document = TypeNames.document(verdict.type());
        document.put("diff", verdict.mismatch().orElse(Map.of()));
        return document;
    }

    private void printAll(List<Verdict> verdicts) {
        List<List<Object>> rows = new ArrayList<>();
        for (Verdict one : verdicts) {
            rows.add(List.of(
                    one.type().kind().wireName(),
                    one.type().name(),
                    one.mismatch().isPresent() ? new Styled(one.result(), Tone.BAD) : one.result()));
        }
        invocation.output().table(List.of("kind", "type", "result"), rows);
    }

    private void printDifferences(List<Verdict> mismatches) {
        List<List<Object>> rows = new ArrayList<>();
        for (Verdict one : mismatches) {
            SchemaDocuments.addRows(one.type(), one.result(), one.mismatch().orElse(Map.of()), rows);
        }
        if (!rows.isEmpty()) {
            invocation.output().table(List.of("type", "change", "field", "stored", "model"), rows);
        }
    }
}
