package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.LayoutOptions;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.MetaOption;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Layout;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.Session;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.UtcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
            "  onto commits --since yesterday --author ann",
            "  onto commits --type Customer --key c1",
            "  onto commits --since 100 --meta ticket=OPS-12 --json",
            "  onto commits examine --id 12"
        })
public final class CommitsCommand implements OntoCommand {
    private static final int DEFAULT_LAST = 10;

    private final Invocation invocation;

    @Option(
            names = "--last",
            paramLabel = "N",
            description =
                    "At most so many, the newest ones; 10 by default, or all with --since, --until, --author or --type.")
    private @Nullable Integer last;

    @Mixin
    private final CommitOptions part = new CommitOptions();

    @Mixin
    private final LayoutOptions layout = new LayoutOptions();

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
        Map<String, String> wanted = meta.values();
        CommitOptions.Part asked = part.read(invocation);
        Layout form = layout.layout(invocation.output());
        try (Session session = new OntologyAccess(invocation).read()) {
            long limit = last != null ? last : part.isPart() ? Long.MAX_VALUE : DEFAULT_LAST;
            try (Stream<CommitInfo> commits = session.log().stream(part.filter(asked, session))) {
                print(
                        commits.filter(commit -> matches(commit, wanted))
                                .limit(limit)
                                .toList(),
                        form);
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

    @Override
    public boolean isPaged() {
        return true;
    }

    private void print(List<CommitInfo> commits, Layout form) {
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
                    commit.author().orElse(""),
                    commit.reason().orElse(""),
                    CommitDocuments.metadataText(commit),
                    CommitDocuments.shortDigest(commit)));
        }
        output.table(List.of("commit", "timestamp", "operations", "author", "reason", "meta", "digest"), rows, form);
    }
}
