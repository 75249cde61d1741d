package io.ontologia.cli.internal.schema;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.UtcTimestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto schema history}. */
@Command(
        name = "history",
        description = "List the versions of a type's schema, oldest first, or show one of them.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto schema history --kind entity --type Customer",
            "  onto schema history --kind relation --type Subscription --since-version 2 --json",
            "  onto schema history --kind entity --type Customer --version 1"
        })
final class SchemaHistoryCommand implements OntoCommand {
    private static final int DEFAULT_LAST = 20;

    private final Invocation invocation;

    @Mixin
    private final StoredTypeOption stored = new StoredTypeOption();

    @Option(names = "--last", paramLabel = "N", description = "At most so many, the newest ones; 20 by default.")
    private @Nullable Integer last;

    @Option(names = "--since-version", paramLabel = "N", description = "Only versions after this one.")
    private @Nullable Long sinceVersion;

    @Option(names = "--version", paramLabel = "N", description = "Show this version with its schema document.")
    private @Nullable Long version;

    SchemaHistoryCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        TypeRef type = stored.require();
        if (version != null && (last != null || sinceVersion != null)) {
            throw new UsageError("--version excludes --last and --since-version", "leave one of them out");
        }
        if (last != null && last < 1) {
            throw new UsageError("--last is " + last, "use 1 or more");
        }
        try (Session session = new OntologyAccess(invocation).read()) {
            if (version != null) {
                printOne(StoredTypeOption.version(session, type, version));
            } else {
                printAll(wanted(StoredTypeOption.versions(session, type)));
            }
        }
        return ExitCode.SUCCESS;
    }

    private List<SchemaVersion> wanted(List<SchemaVersion> versions) {
        List<SchemaVersion> since = versions.stream()
                .filter(one -> sinceVersion == null || one.version() > sinceVersion)
                .toList();
        int count = last == null ? DEFAULT_LAST : last;
        return since.subList(Math.max(0, since.size() - count), since.size());
    }

    private void printAll(List<SchemaVersion> versions) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(versions.stream().map(SchemaHistoryCommand::document).toList());
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (SchemaVersion one : versions) {
            List<@Nullable Object> row = new ArrayList<>();
            row.add(one.version());
            row.add(one.schemaHash().substring(0, 12));
            row.add(UtcTimestamp.format(one.createdAt()));
            row.add(one.runtimeId().orElse(null));
            row.add(one.reason().orElse(null));
            rows.add(row);
        }
        output.table(List.of("version", "hash", "created at", "runtime", "reason"), rows);
    }

    private void printOne(SchemaVersion one) {
        Map<String, @Nullable Object> document = document(one);
        Output output = invocation.output();
        if (output.format() == Output.Format.TEXT) {
            output.properties(document);
            output.line("");
            output.json(schema(one));
            return;
        }
        document.put("schema_json", schema(one));
        output.json(document);
    }

    private static Map<String, @Nullable Object> schema(SchemaVersion one) {
        return JsonObject.parse("the stored schema of " + one.type(), one.schemaJson())
                .fields();
    }

    private static Map<String, @Nullable Object> document(SchemaVersion one) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>(TypeNames.document(one.type()));
        document.put("schema_version_id", one.version());
        document.put("schema_hash", one.schemaHash());
        document.put("created_at", UtcTimestamp.format(one.createdAt()));
        document.put("runtime_id", one.runtimeId().orElse(null));
        document.put("reason", one.reason().orElse(null));
        return document;
    }
}
