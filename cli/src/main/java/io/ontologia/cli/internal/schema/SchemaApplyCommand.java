package io.ontologia.cli.internal.schema;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.model.ModelsOption;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Model;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto schema apply}. */
@Command(
        name = "apply",
        description =
                "Register the types of a model that the store does not know yet; create the store when there is none. "
                        + "A known type that differs is refused: changing it is what 'onto migrate' is for.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto schema apply --models models.yaml",
            "  onto schema apply --models models.yaml --dry-run",
            "  onto schema apply --models com.example.model --classpath app.jar"
        })
final class SchemaApplyCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final ModelsOption models = new ModelsOption();

    @Option(names = "--dry-run", description = "Say what would be registered, and register nothing.")
    private boolean dryRun;

    SchemaApplyCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Model model = models.requireModel();
        OntologyAccess access = new OntologyAccess(invocation);
        Set<TypeRef> known = access.exists() ? known(access, model) : Set.of();
        if (!dryRun) {
            access.write(model).close();
        }
        List<TypeRef> created = new ArrayList<>();
        List<TypeRef> unchanged = new ArrayList<>();
        for (OntologyType type : model.types()) {
            (known.contains(type.ref()) ? unchanged : created).add(type.ref());
        }
        print(created, unchanged);
        return ExitCode.SUCCESS;
    }

    private static Set<TypeRef> known(OntologyAccess access, Model model) {
        try (Session session = access.read(model)) {
            return session.storage().schemas().stream().map(SchemaVersion::type).collect(Collectors.toSet());
        }
    }

    private void print(List<TypeRef> created, List<TypeRef> unchanged) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("created", created.stream().map(TypeNames::document).toList());
            report.put("unchanged", unchanged.stream().map(TypeNames::document).toList());
            output.json(report);
        }
        String verb = dryRun ? "would be created" : "created";
        List<List<Object>> rows = new ArrayList<>();
        created.forEach(type -> rows.add(List.of(type.kind().wireName(), type.name(), verb)));
        unchanged.forEach(type -> rows.add(List.of(type.kind().wireName(), type.name(), "unchanged")));
        output.table(List.of("kind", "type", "result"), rows);
    }
}
