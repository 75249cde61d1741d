package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Change;
import io.ontologia.core.Session;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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
        footer = {"  onto diff 3 12", "  onto diff 0 12 --type Customer --json"})
public final class DiffCommand implements OntoCommand {
    private static final int WIDEST = 60;

    private final Invocation invocation;

    @Parameters(index = "0", paramLabel = "FROM", description = "The earlier commit.")
    private long from;

    @Parameters(index = "1", paramLabel = "TO", description = "The later commit.")
    private long to;

    @Option(names = "--type", paramLabel = "T", description = "Only the types of this name.")
    private @Nullable String type;

    DiffCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        try (Session session = new OntologyAccess(invocation).read()) {
            List<Change> changes = session.log().diff(from, to).stream()
                    .filter(change -> type == null || change.type().name().equals(type))
                    .toList();
            if (type != null && changes.isEmpty()) {
                requireKnown(session, type);
            }
            print(changes);
        }
        return ExitCode.SUCCESS;
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

    private void print(List<Change> changes) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(changes.stream().map(DiffCommand::document).toList());
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Change change : changes) {
            addRows(change, rows);
        }
        output.table(List.of("type", "row", "change", "field", "old", "new"), rows);
        if (changes.isEmpty()) {
            output.note("no difference");
        }
    }

    private static Map<String, @Nullable Object> document(Change change) {
        Map<String, @Nullable Object> document = CommitDocuments.of(change);
        document.put("old", change.before().orElse(null));
        document.put("new", change.after());
        return document;
    }

    /** One row for each field that differs; the row's name only on the first. */
    private static void addRows(Change change, List<List<@Nullable Object>> rows) {
        Map<String, @Nullable Object> before = change.before().orElse(Map.of());
        Set<String> fields = new TreeSet<>(before.keySet());
        fields.addAll(change.after().keySet());
        fields.removeIf(field -> change.before().isPresent()
                && Objects.equals(before.get(field), change.after().get(field)));
        String name = change.type().name();
        String row = change.identity().toString();
        String operation = change.before().isPresent() ? "changed" : "new";
        if (fields.isEmpty()) {
            fields.add("");
        }
        for (String field : fields) {
            List<@Nullable Object> cells = new ArrayList<>();
            cells.add(name);
            cells.add(row);
            cells.add(operation);
            cells.add(field);
            cells.add(change.before().isPresent() ? value(before, field) : "");
            cells.add(value(change.after(), field));
            rows.add(cells);
            name = "";
            row = "";
            operation = "";
        }
    }

    private static String value(Map<String, @Nullable Object> fields, String field) {
        if (!fields.containsKey(field)) {
            return "";
        }
        String text = CanonicalJson.write(fields.get(field));
        return text.length() <= WIDEST ? text : text.substring(0, text.offsetByCodePoints(0, WIDEST - 1)) + "…";
    }
}
