package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Change;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitLog;
import io.ontologia.core.Session;
import io.ontologia.kernel.UtcTimestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto commits examine}. */
@Command(
        name = "examine",
        description = "Show one commit and every row that it wrote.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto commits examine --id 12", "  onto commits examine --id 12 --json"})
final class CommitsExamineCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--id", paramLabel = "N", required = true, description = "The commit.")
    private long id;

    CommitsExamineCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        try (Session session = new OntologyAccess(invocation).read()) {
            CommitLog log = session.log();
            List<Change> changes = log.changes(id);
            print(log.get(id).orElseThrow(), changes);
        }
        return ExitCode.SUCCESS;
    }

    private void print(CommitInfo commit, List<Change> changes) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, @Nullable Object> document = CommitDocuments.of(commit);
            document.put("changes", changes.stream().map(CommitDocuments::of).toList());
            output.json(document);
            return;
        }
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("commit", commit.id());
        summary.put("timestamp", UtcTimestamp.format(commit.at()));
        summary.put("operations", commit.operations());
        commit.author().ifPresent(author -> summary.put("author", author));
        commit.reason().ifPresent(reason -> summary.put("reason", reason));
        summary.put("meta", CommitDocuments.metadataText(commit));
        commit.digest().ifPresent(digest -> summary.put("digest", digest));
        output.properties(summary);
        output.line("");
        List<List<Object>> rows = new ArrayList<>();
        for (Change change : changes) {
            rows.add(List.of(
                    change.type().kind().wireName(),
                    change.type().name(),
                    change.identity().toString(),
                    change.operation().wireName()));
        }
        output.table(List.of("kind", "type", "row", "operation"), rows);
    }
}
