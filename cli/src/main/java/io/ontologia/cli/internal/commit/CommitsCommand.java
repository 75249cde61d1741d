package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.MetaOption;
import io.ontologia.cli.internal.access.Moment;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.Session;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.UtcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto commits}. */
@Command(
        name = "commits",
        description = "List commits, newest first.",
        subcommands = CommitsExamineCommand.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto commits --last 20",
            "  onto commits --since 100 --meta ticket=OPS-12 --json",
            "  onto commits examine --id 12"
        })
public final class CommitsCommand implements OntoCommand {
    private static final int DEFAULT_LAST = 10;

    private final Invocation invocation;

    @Option(
            names = "--last",
            paramLabel = "N",
            description = "At most so many, the newest ones; 10 by default, or all that there are since --since.")
    private @Nullable Integer last;

    @Option(names = "--since", paramLabel = "N", description = "Only commits after this one.")
    private @Nullable Long since;

    @Mixin
    private final MetaOption meta = new MetaOption();

    CommitsCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (last != null && last < 1) {
            throw new UsageError("--last is " + last, "use 1 or more");
        }
        if (since != null && since < 0) {
            throw new UsageError("--since is " + since, "use 0 or more");
        }
        Map<String, String> wanted = meta.values();
        try (Session session = new OntologyAccess(invocation).read()) {
            long after = since == null ? 0 : Moment.requireKnown(session, since);
            long limit = last != null ? last : since == null ? DEFAULT_LAST : Long.MAX_VALUE;
            try (Stream<CommitInfo> commits = session.storage().commits(after, OptionalLong.empty())) {
                print(commits.filter(commit -> matches(commit, wanted))
                        .limit(limit)
                        .toList());
            }
        }
        return ExitCode.SUCCESS;
    }

    private static boolean matches(CommitInfo commit, Map<String, String> wanted) {
        return wanted.entrySet().stream().allMatch(pair -> {
            Object value = commit.metadata().get(pair.getKey());
            String text = value instanceof String plain ? plain : value == null ? null : CanonicalJson.write(value);
            return pair.getValue().equals(text);
        });
    }

    private void print(List<CommitInfo> commits) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(commits.stream().map(CommitDocuments::of).toList());
        }
        List<List<Object>> rows = new ArrayList<>();
        for (CommitInfo commit : commits) {
            rows.add(List.of(
                    commit.id(),
                    UtcTimestamp.format(commit.at()),
                    commit.operations(),
                    CommitDocuments.metadataText(commit),
                    CommitDocuments.shortDigest(commit)));
        }
        output.table(List.of("commit", "timestamp", "operations", "meta", "digest"), rows);
    }
}
