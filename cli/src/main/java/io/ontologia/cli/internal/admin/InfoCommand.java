package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.model.TypeText;
import io.ontologia.cli.internal.objects.IndexDocuments;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.core.spi.Upkeep.IndexState;
import io.ontologia.kernel.UtcTimestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto info}. */
@Command(
        name = "info",
        description = "Show where a store is, what it holds, and who holds its write lock.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto info", "  onto info --stats --schema", "  onto info --stats --json"})
public final class InfoCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--stats", description = "Add how many rows and versions each type has.")
    private boolean stats;

    @Option(names = "--schema", description = "Add the fields of each type.")
    private boolean schema;

    InfoCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        try (Maintenance maintenance = new OntologyAccess(invocation).inspect()) {
            StorageInfo info = maintenance.info(stats ? StorageInfo.Detail.ROW_COUNTS : StorageInfo.Detail.BASIC);
            List<SchemaVersion> types = maintenance.storage().schemas();
            Optional<String> headTime = maintenance
                    .storage()
                    .commit(info.head())
                    .map(CommitInfo::at)
                    .map(UtcTimestamp::format);
            Optional<List<IndexState>> indices = maintenance.storage().upkeep().map(Upkeep::indexStates);
            if (invocation.output().format() == Output.Format.JSON) {
                Map<String, @Nullable Object> document = document(info, headTime.orElse(null), types);
                indices.ifPresent(states -> document.putAll(indexDocument(states, info)));
                invocation.output().json(document);
            } else {
                print(info, headTime.orElse(null), types, indices.orElse(List.of()));
            }
        }
        return ExitCode.SUCCESS;
    }

    private Map<String, @Nullable Object> document(
            StorageInfo info, @Nullable String headTime, List<SchemaVersion> types) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("backend", info.backend());
        document.put("engine_version", info.engineVersion());
        document.put("location", info.location());
        document.put("head_commit_id", info.head());
        document.put("head_timestamp", headTime);
        document.put("bytes", info.bytes());
        document.put(
                "lock",
                info.lock()
                        .map(holder ->
                                LockDocuments.of(holder, invocation.clock().now()))
                        .orElse(null));
        info.lockDamage().ifPresent(damage -> document.put("lock_damage", LockDocuments.of(damage)));
        document.put("types", types.stream().map(type -> document(type, info)).toList());
        return document;
    }

    private static Map<String, @Nullable Object> indexDocument(List<IndexState> states, StorageInfo info) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("indices", states.stream().map(IndexDocuments::document).toList());
        document.put(
                "last_index_warning", warning(states).or(info::lastIndexWarning).orElse(null));
        return document;
    }

    private static Optional<String> warning(List<IndexState> states) {
        return states.stream()
                .flatMap(state -> IndexDocuments.warning(state).stream())
                .findFirst();
    }

    private Map<String, @Nullable Object> document(SchemaVersion version, StorageInfo info) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("type_kind", version.type().kind().wireName());
        document.put("type_name", version.type().name());
        document.put("schema_version_id", version.version());
        if (stats) {
            StorageInfo.RowCounts counts = counts(info, version);
            document.put("rows", counts.current());
            document.put("versions", counts.history());
        }
        if (schema) {
            OntologyType type = version.describe();
            if (type instanceof RelationType relation) {
                document.put("left_type", relation.left());
                document.put("right_type", relation.right());
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            type.fields().forEach(field -> fields.put(field.name(), TypeText.of(field.type())));
            document.put("fields", fields);
        }
        return document;
    }

    private void print(
            StorageInfo info, @Nullable String headTime, List<SchemaVersion> types, List<IndexState> indices) {
        Output output = invocation.output();
        Map<String, @Nullable Object> summary = new LinkedHashMap<>();
        summary.put("backend", info.backend());
        summary.put("engine", info.engineVersion());
        summary.put("location", info.location());
        summary.put("head commit", headTime == null ? "none" : info.head() + " of " + headTime);
        info.bytes().forEach((file, bytes) -> summary.put(file, String.format(Locale.ROOT, "%,d bytes", bytes)));
        summary.put(
                "write lock",
                info.lock()
                        .map(holder ->
                                LockDocuments.text(holder, invocation.clock().now()))
                        .or(() -> info.lockDamage().map(LockDocuments::text))
                        .orElse("free"));
        warning(indices).ifPresent(warning -> summary.put("last index warning", warning));
        output.properties(summary);
        output.line("");
        printTypes(info, types);
        if (!indices.isEmpty()) {
            output.line("");
            IndexDocuments.print(output, indices);
        }
        if (schema) {
            printFields(types);
        }
    }

    private void printTypes(StorageInfo info, List<SchemaVersion> types) {
        List<List<Object>> rows = new ArrayList<>();
        for (SchemaVersion type : types) {
            List<Object> row = new ArrayList<>(
                    List.of(type.type().kind().wireName(), type.type().name(), type.version()));
            if (stats) {
                row.add(counts(info, type).current());
                row.add(counts(info, type).history());
            }
            rows.add(row);
        }
        invocation
                .output()
                .table(
                        stats
                                ? List.of("kind", "type", "schema version", "rows", "row versions")
                                : List.of("kind", "type", "schema version"),
                        rows);
    }

    private void printFields(List<SchemaVersion> types) {
        List<List<Object>> rows = new ArrayList<>();
        for (SchemaVersion version : types) {
            OntologyType type = version.describe();
            if (type instanceof RelationType relation) {
                rows.add(List.of(type.name(), "(left)", relation.left(), ""));
                rows.add(List.of(type.name(), "(right)", relation.right(), ""));
            }
            for (FieldDef field : type.fields()) {
                rows.add(List.of(type.name(), field.name(), TypeText.of(field.type()), role(type, field)));
            }
        }
        invocation.output().line("");
        invocation.output().table(List.of("type", "field", "holds", "role"), rows);
    }

    private static String role(OntologyType type, FieldDef field) {
        if (type instanceof EntityType entity && entity.keyField().equals(field.name())) {
            return "primary key";
        }
        if (type instanceof RelationType relation && relation.instanceKeyField().equals(Optional.of(field.name()))) {
            return "instance key";
        }
        return field.indexed() == FieldDef.Index.YES ? "indexed" : "";
    }

    private static StorageInfo.RowCounts counts(StorageInfo info, SchemaVersion type) {
        return info.rows().getOrDefault(type.type(), new StorageInfo.RowCounts(0, 0));
    }
}
