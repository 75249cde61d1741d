package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.TextFile;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.Moment;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.cli.internal.views.ExportViewsCommand;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Query;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto export}. */
@Command(
        name = "export",
        description =
                "Write rows as lines of JSON, one file T.jsonl for each type. All files show the same commit. Or print views for "
                        + "other engines.",
        subcommands = {ExportViewsCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto export --output backup",
            "  onto export --output backup --as-of 12 --type Customer",
            "  onto export --output changes --history-since 100 --with-metadata"
        })
public final class ExportCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--output", paramLabel = "DIR", description = "The folder to write into.")
    private @Nullable String output;

    @Option(names = "--type", paramLabel = "T", description = "Only the types of this name.")
    private @Nullable String type;

    @Option(
            names = "--as-of",
            paramLabel = "N|TIME",
            description = "The state after this commit or at this time, instead of the newest.")
    private @Nullable String asOf;

    @Option(
            names = "--history-since",
            paramLabel = "N|TIME",
            description = "Every version written after this commit, or at this time or later, oldest first; 0 for all.")
    private @Nullable String historySince;

    @Option(names = "--with-metadata", description = "Say of each row which commit wrote it.")
    private boolean withMetadata;

    @Option(
            names = "--omit-unreadable",
            description = "Leave out rows that cannot be shown in the present schema, instead of failing.")
    private boolean omitUnreadable;

    /** The state that is exported, for programs. */
    private final Map<String, Object> exported = new LinkedHashMap<>();

    ExportCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (output == null) {
            throw new UsageError(
                    "Missing required option: '--output=DIR'", "say where to write, or 'onto export views'");
        }
        if (asOf != null && historySince != null) {
            throw new UsageError("--as-of and --history-since exclude each other", "leave one of them out");
        }
        try (Session session = new OntologyAccess(invocation).read()) {
            print(write(session, new Exporter(session, types(session), folder(), metadata(), invocation.output())));
        }
        return ExitCode.SUCCESS;
    }

    private Exporter.Written write(Session session, Exporter exporter) {
        long head = session.head();
        if (asOf != null) {
            Moment moment = Moment.parse("--as-of", asOf, invocation);
            long commit = moment.commitIn(session, invocation.output());
            exported.put("commit_id", commit);
            if (moment instanceof Moment.AtTime at) {
                exported.put("time", UtcTimestamp.format(at.time()));
            }
            return exporter.write(query -> tolerant(query).asOf(commit), head);
        }
        if (historySince != null) {
            long since =
                    Moment.parse("--history-since", historySince, invocation).commitBefore(session);
            return exporter.write(query -> tolerant(query).historySince(since), head);
        }
        Exporter.Written written = exporter.write(this::tolerant, Long.MAX_VALUE);
        // When somebody committed meanwhile, the files may show different commits: write the state of the start again.
        return session.head() == head
                ? written
                : exporter.write(query -> tolerant(query).asOf(head), head);
    }

    private Query<Row> tolerant(Query<Row> query) {
        return omitUnreadable ? query.omitUnreadable() : query;
    }

    private Path folder() {
        return TextFile.path("--output", Objects.requireNonNull(output));
    }

    private RowLine.Metadata metadata() {
        return withMetadata ? RowLine.Metadata.WITH : RowLine.Metadata.WITHOUT;
    }

    private Map<String, List<OntologyType>> types(Session session) {
        Map<String, List<OntologyType>> byName = new TreeMap<>();
        for (OntologyType one : session.types()) {
            if (type == null || one.name().equals(type)) {
                byName.computeIfAbsent(one.name(), name -> new ArrayList<>()).add(one);
            }
        }
        if (type != null && byName.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown type " + type,
                    "the store has no type of that name",
                    "see 'onto info --schema' for those that it has");
        }
        return byName;
    }

    private void print(Exporter.Written written) {
        Output printer = invocation.output();
        if (written.omitted() > 0) {
            printer.diagnostic(
                    "warning:",
                    Tone.WEAK,
                    written.omitted() + " versions cannot be shown in the present schema and were left out");
        }
        if (printer.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("rows", written.rows());
            report.put(
                    "files",
                    written.files().keySet().stream().map(Path::toString).toList());
            if (written.omitted() > 0) {
                report.put("omitted", written.omitted());
            }
            if (!exported.isEmpty()) {
                report.put("as_of", exported);
            }
            printer.json(report);
        }
        List<List<Object>> rows = new ArrayList<>();
        written.files().forEach((file, count) -> rows.add(List.of(file.toString(), count)));
        printer.table(List.of("file", "rows"), rows);
    }
}
