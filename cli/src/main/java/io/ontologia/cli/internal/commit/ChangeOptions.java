package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.MetaOption;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Cascade;
import io.ontologia.core.Change;
import io.ontologia.core.CommitResult;
import io.ontologia.core.Session;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What commands have in common that change rows in one commit: a plan first, then the commit. */
final class ChangeOptions {
    private static final int LISTED = 20;

    @Option(names = "--dry-run", description = "Show what would change; this is the default.")
    private boolean dryRun;

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    @Option(names = "--cascade", description = "End the relations of entities that end.")
    private boolean cascade;

    @Option(names = "--all", description = "List all changes; the first 20 otherwise.")
    private boolean all;

    @Mixin
    private final MetaOption meta = new MetaOption();

    Cascade cascade() {
        return cascade ? Cascade.RELATIONS : Cascade.NONE;
    }

    /**
     * Shows what a request would change, or commits it.
     *
     * @param request asks a session for rows
     * @param more what the commit's metadata says beside what the user gives
     */
    ExitCode run(Invocation invocation, Consumer<Session> request, Map<String, ?> more) {
        if (dryRun && apply) {
            throw new UsageError("--dry-run and --apply exclude each other", "leave one of them out");
        }
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>(more);
        metadata.putAll(meta.values());
        OntologyAccess access = new OntologyAccess(invocation);
        try (Session session = apply ? access.write() : access.read()) {
            try {
                request.accept(session);
                if (apply) {
                    print(invocation.output(), session.commit(metadata));
                } else {
                    print(invocation.output(), session.preview());
                }
            } finally {
                session.discard();
            }
        }
        return ExitCode.SUCCESS;
    }

    private void print(Output output, List<Change> changes) {
        List<Change> listed = all ? changes : changes.subList(0, Math.min(LISTED, changes.size()));
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("status", "dry_run");
            document.put("inserts", count(changes, Change.Operation.INSERT));
            document.put("updates", count(changes, Change.Operation.UPDATE_VERSION));
            document.put("retractions", count(changes, Change.Operation.RETRACT));
            document.put("changes", listed.stream().map(ChangeTable::document).toList());
            output.json(document);
            return;
        }
        if (changes.isEmpty()) {
            output.line("nothing to do");
            return;
        }
        ChangeTable.print(listed, output);
        if (listed.size() < changes.size()) {
            output.line("and " + (changes.size() - listed.size()) + " more rows; --all lists them");
        }
        output.line("\n" + count(changes, Change.Operation.INSERT) + " new, "
                + count(changes, Change.Operation.UPDATE_VERSION) + " changed, "
                + count(changes, Change.Operation.RETRACT) + " ended; nothing was written; add --apply to do it");
    }

    private static long count(List<Change> changes, Change.Operation operation) {
        return changes.stream()
                .filter(change -> change.operation() == operation)
                .count();
    }

    private static void print(Output output, CommitResult result) {
        if (result instanceof CommitResult.Committed committed) {
            if (output.format() == Output.Format.JSON) {
                Map<String, Object> document = new LinkedHashMap<>();
                document.put("status", "applied");
                document.put("inserts", committed.inserted());
                document.put("updates", committed.updated());
                document.put("retractions", committed.retracted());
                document.put("commit_id", committed.commitId());
                output.json(document);
                return;
            }
            output.line("commit " + committed.commitId() + ": " + committed.inserted() + " new, " + committed.updated()
                    + " changed, " + committed.retracted() + " ended");
        } else if (output.format() == Output.Format.JSON) {
            output.json(Map.of("status", "applied", "inserts", 0, "updates", 0, "retractions", 0));
        } else {
            output.line("everything was so already; there is no new commit");
        }
    }
}
