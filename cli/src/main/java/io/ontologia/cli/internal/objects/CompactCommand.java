package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.access.ShownProgress;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Maintenance;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.core.spi.Upkeep.Rewrite;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto compact}. */
@Command(
        name = "compact",
        description =
                "Object stores only: replace many small files by few large ones with the same rows. What queries answer stays "
                        + "the same, about every state there ever was. Without --apply, shows what would be replaced.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto compact --storage-uri s3://bucket/prefix",
            "  onto compact --type Customer --apply --storage-uri s3://bucket/prefix"
        })
public final class CompactCommand extends UpkeepCommand {
    @Option(names = "--type", paramLabel = "T", description = "Only this type.")
    private @Nullable String type;

    @Option(names = "--dry-run", description = "Show the plan; this is the default.")
    private boolean dryRun;

    @Option(names = "--apply", description = "Do it, under the write lock.")
    private boolean apply;

    CompactCommand(Invocation invocation) {
        super(invocation, "compact");
    }

    @Override
    Intent intent() {
        return Plans.intent(dryRun, apply);
    }

    @Override
    ExitCode run(Maintenance maintenance, Upkeep upkeep) {
        List<Optional<TypeRef>> scopes = scopes(maintenance);
        if (!apply) {
            print(each(scopes, upkeep::planCompaction));
            return ExitCode.SUCCESS;
        }
        String runtimeId = new OntologyAccess(invocation()).runtimeId();
        List<Rewrite> rewrites;
        try (ShownProgress progress = new ShownProgress(invocation().output(), "compacting")) {
            rewrites = each(scopes, scope -> upkeep.compact(scope, runtimeId, progress));
        }
        print(rewrites);
        return ExitCode.SUCCESS;
    }

    /** Everything, or each type of the name: an entity type and a relation type may share one. */
    private List<Optional<TypeRef>> scopes(Maintenance maintenance) {
        if (type == null) {
            return List.of(Optional.empty());
        }
        List<Optional<TypeRef>> named = maintenance.storage().schemas().stream()
                .map(SchemaVersion::type)
                .filter(one -> one.name().equals(type))
                .map(Optional::of)
                .toList();
        if (named.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown type " + type,
                    "the store has no type of that name",
                    "see 'onto info --schema' for those that it has");
        }
        return named;
    }

    private static List<Rewrite> each(List<Optional<TypeRef>> scopes, Function<Optional<TypeRef>, List<Rewrite>> work) {
        return scopes.stream().flatMap(scope -> work.apply(scope).stream()).toList();
    }

    private void print(List<Rewrite> rewrites) {
        Output output = invocation().output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put(
                    "planned", rewrites.stream().map(CompactCommand::document).toList());
            report.put("applied", apply);
            report.put(
                    "rewrites",
                    apply ? rewrites.stream().map(CompactCommand::done).toList() : List.of());
            output.json(report);
        } else if (rewrites.isEmpty()) {
            output.line("there is nothing to compact");
        } else {
            printTable(rewrites);
        }
    }

    private void printTable(List<Rewrite> rewrites) {
        List<List<Object>> rows = new ArrayList<>();
        for (Rewrite rewrite : rewrites) {
            rows.add(List.of(
                    rewrite.type().kind().wireName(),
                    rewrite.type().name(),
                    rewrite.minCommitId(),
                    rewrite.maxCommitId(),
                    rewrite.files(),
                    rewrite.path().orElse("one file")));
        }
        Output output = invocation().output();
        output.table(List.of("kind", "type", "from commit", "to commit", "files", apply ? "became" : "become"), rows);
        if (!apply) {
            output.line("");
            output.line(Plans.NOTHING_CHANGED);
        }
    }

    private static Map<String, Object> document(Rewrite rewrite) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("kind", rewrite.type().kind().wireName());
        document.put("type_name", rewrite.type().name());
        document.put("min_commit_id", rewrite.minCommitId());
        document.put("max_commit_id", rewrite.maxCommitId());
        document.put("entry_count", rewrite.files());
        document.put("files", rewrite.files());
        rewrite.path().ifPresent(path -> document.put("path", path));
        return document;
    }

    private static Map<String, Object> done(Rewrite rewrite) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("kind", rewrite.type().kind().wireName());
        document.put("type_name", rewrite.type().name());
        document.put("min_commit_id", rewrite.minCommitId());
        document.put("max_commit_id", rewrite.maxCommitId());
        rewrite.path().ifPresent(path -> document.put("snap_path", path));
        return document;
    }
}
