package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.Moment;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.Change;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto diff}. */
@Command(
        name = "diff",
        description =
                "Show what became of each row between two commits: from its values after the first to those after the "
                        + "second. 0 is the time before the first commit.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto diff 3 12", "  onto diff yesterday now", "  onto diff 0 12 --type Customer --json"})
public final class DiffCommand implements OntoCommand {
    private final Invocation invocation;

    @Parameters(
            index = "0",
            paramLabel = "FROM",
            description = "The earlier commit, or a time: the last commit at or before it.")
    private String from = "";

    @Parameters(
            index = "1",
            paramLabel = "TO",
            description = "The later commit, or a time: the last commit at or before it.")
    private String to = "";

    @Option(names = "--type", paramLabel = "T", description = "Only the types of this name.")
    private @Nullable String type;

    @Option(
            names = "--omit-unreadable",
            description =
                    "Leave out rows that cannot be shown in the present schema, instead of failing. With --json the answer is "
                            + "{changes, omitted}.")
    private boolean omitUnreadable;

    DiffCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Moment first = Moment.parse("FROM", from, invocation);
        Moment second = Moment.parse("TO", to, invocation);
        try (Session session = new OntologyAccess(invocation).read()) {
            long start = commit(first, session);
            long end = commit(second, session);
            List<Change> changes = (omitUnreadable ? session.log().omitUnreadable() : session.log())
                    .diff(start, end).stream()
                            .filter(change ->
                                    type == null || change.type().name().equals(type))
                            .toList();
            if (type != null && changes.isEmpty()) {
                requireKnown(session, type);
            }
            print(changes, omitUnreadable ? OptionalLong.of(session.log().omitted(start, end)) : OptionalLong.empty());
        }
        return ExitCode.SUCCESS;
    }

    private long commit(Moment moment, Session session) {
        return moment instanceof Moment.AfterCommit named ? named.id() : moment.commitIn(session, invocation.output());
    }

    private static void requireKnown(Session session, String name) {
        if (session.types().stream().noneMatch(known -> known.name().equals(name))) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown type " + name,
                    "the store has no type of that name",
                    "see 'onto info --schema' for those that it has");
        }
    }

    @Override
    public boolean isPaged() {
        return true;
    }

    private void print(List<Change> changes, OptionalLong omitted) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Object documents = changes.stream().map(ChangeTable::document).toList();
            output.json(
                    omitted.isPresent()
                            ? new TreeMap<>(Map.of("changes", documents, "omitted", omitted.getAsLong()))
                            : documents);
        }
        if (omitted.orElse(0) > 0) {
            output.diagnostic(
                    "warning:", Tone.WEAK, omitted.getAsLong() + " changed rows cannot be shown and were left out");
        }
        ChangeTable.print(changes, output);
        if (changes.isEmpty()) {
            output.note("no difference");
        }
    }
}
