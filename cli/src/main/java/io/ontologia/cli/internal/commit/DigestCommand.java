package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.access.ShownProgress;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.Maintenance;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto digest}. */
@Command(
        name = "digest",
        description =
                "Print the digest of a commit. Keep it in another place: 'onto fsck --digest' proves with it that nothing up to "
                        + "that commit was changed.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto digest", "  onto digest --commit 12 --json", "  onto digest --apply"})
public final class DigestCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--commit", paramLabel = "N", description = "The commit; the newest one by default.")
    private @Nullable Long commit;

    @Option(
            names = "--apply",
            description =
                    "Record the digest of every commit that has none, because an earlier version or another program "
                            + "made it.")
    private boolean apply;

    DigestCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Output output = invocation.output();
        OntologyAccess access = new OntologyAccess(invocation);
        long recorded = 0;
        Optional<CommitInfo> found;
        try (Maintenance maintenance = apply ? access.maintain() : access.inspect();
                ShownProgress progress = new ShownProgress(output, "digests")) {
            if (apply) {
                recorded = maintenance.recordDigests(progress);
            }
            found = maintenance.digest(commit == null ? OptionalLong.empty() : OptionalLong.of(commit), progress);
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("commit_id", found.map(CommitInfo::id).orElse(0L));
        document.put("digest", found.flatMap(CommitInfo::digest).orElse(null));
        if (apply) {
            document.put("recorded", recorded);
        }
        if (output.format() == Output.Format.JSON) {
            output.json(document);
            return ExitCode.SUCCESS;
        }
        output.line(found.map(info -> "commit " + info.id() + " has the digest "
                        + info.digest().orElse(""))
                .orElse("there is no commit yet"));
        if (apply) {
            output.line(recorded + (recorded == 1 ? " digest was" : " digests were") + " recorded");
        }
        return ExitCode.SUCCESS;
    }
}
