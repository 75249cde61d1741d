package io.ontologia.cli.internal.schema;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.access.TextFile;
import io.ontologia.cli.internal.model.ModelsOption;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.PrettyJson;
import io.ontologia.core.Model;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto schema export}. */
@Command(
        name = "export",
        description = "Print schema documents: those of a model, or that of one type in the store.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto schema export --models models.yaml --with-hash",
            "  onto schema export --kind entity --type Customer --format yaml",
            "  onto schema export --kind entity --type Customer --version 2 --output customer-v2.json"
        })
final class SchemaExportCommand implements OntoCommand {
    /** How the document is written. */
    enum Format {
        JSON,
        YAML
    }

    private final Invocation invocation;

    @Mixin
    private final ModelsOption models = new ModelsOption();

    @Mixin
    private final StoredTypeOption stored = new StoredTypeOption();

    @Option(names = "--version", paramLabel = "N", description = "An older version of the type; the newest by default.")
    private @Nullable Long version;

    @Option(
            names = "--format",
            paramLabel = "json|yaml",
            defaultValue = "json",
            description = "The form of the document.")
    private Format format = Format.JSON;

    @Option(names = "--with-hash", description = "Add the schema hash to each document.")
    private boolean withHash;

    @Option(names = "--output", paramLabel = "F", description = "Write to this file instead of standard output.")
    private @Nullable String target;

    SchemaExportCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Optional<Model> model = models.model();
        if (model.isPresent() == stored.isGiven()) {
            throw new UsageError(
                    model.isPresent() ? "both --models and --kind/--type are given" : "there is nothing to export",
                    "give either --models, or --kind and --type");
        }
        if (model.isPresent() && version != null) {
            throw new UsageError(
                    "--version is for types in the store", "leave it out, or name a type with --kind and --type");
        }
        if (format == Format.YAML && target == null && invocation.output().format() == Output.Format.JSON) {
            throw new UsageError(
                    "--json and --format yaml contradict each other", "leave one out, or write to --output");
        }
        print(model.isPresent() ? ofModel(model.get()) : ofStored());
        return ExitCode.SUCCESS;
    }

    private Map<String, Object> ofModel(Model model) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("entities", ofModel(model, TypeKind.ENTITY));
        document.put("relations", ofModel(model, TypeKind.RELATION));
        return document;
    }

    private Map<String, Object> ofModel(Model model, TypeKind kind) {
        Map<String, Object> documents = new LinkedHashMap<>();
        for (OntologyType type : model.types()) {
            if (type.kind() == kind) {
                Map<String, Object> document = new LinkedHashMap<>(type.document());
                if (withHash) {
                    document.put("schema_hash", type.schemaHash());
                }
                documents.put(type.name(), document);
            }
        }
        return documents;
    }

    private Map<String, ?> ofStored() {
        TypeRef type = stored.require();
        try (Session session = new OntologyAccess(invocation).read()) {
            List<SchemaVersion> versions = StoredTypeOption.versions(session, type);
            SchemaVersion wanted = version == null
                    ? versions.get(versions.size() - 1)
                    : StoredTypeOption.version(session, type, version);
            Map<String, @Nullable Object> document =
                    new LinkedHashMap<>(JsonObject.parse("the stored schema of " + type, wanted.schemaJson())
                            .fields());
            if (withHash) {
                document.put("schema_hash", wanted.schemaHash());
            }
            return document;
        }
    }

    private void print(Map<String, ?> document) {
        String text = format == Format.JSON ? PrettyJson.write(document) + "\n" : yaml(document);
        Output output = invocation.output();
        if (target == null) {
            output.document(text);
            return;
        }
        TextFile.write("the schema", target, text);
        if (output.format() == Output.Format.JSON) {
            output.json(Map.of("output", target));
        }
        output.line("schema written to " + target);
    }

    private static String yaml(Map<String, ?> document) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setSplitLines(false)
                .build();
        return new Dump(settings).dumpToString(document);
    }
}
