package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.MachineLimit;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.TextFile;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.MetaOption;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.filter.TypeScope;
import io.ontologia.cli.internal.model.ModelsOption;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Cascade;
import io.ontologia.core.Model;
import io.ontologia.core.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto import}. */
@Command(
        name = "import",
        description =
                "Read rows from lines of JSON, as 'onto export' writes them, and make them true in one commit: all or "
                        + "none. Shows what would change, unless --apply is given.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto import --input data --models models.yaml",
            "  onto import --input fix.jsonl --on-conflict upsert --all --json",
            "  onto import --input data --models models.yaml --apply --on-conflict abort",
            "  onto import --input fix.jsonl --apply --on-conflict upsert --precondition must_exist --meta ticket=OPS-12",
            "  onto import --input customers.jsonl --complete Customer --apply --on-conflict upsert"
        })
public final class ImportCommand implements OntoCommand {
    private static final int LISTED = 20;

    private final Invocation invocation;

    @Option(
            names = "--input",
            paramLabel = "FILE|DIR",
            required = true,
            description = "A file of lines, or a folder with .jsonl files.")
    private String input = "";

    @Mixin
    private final ModelsOption models = new ModelsOption();

    @Option(names = "--dry-run", description = "Show what would change; this is the default.")
    private boolean dryRun;

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    @Option(names = "--all", description = "List all changes, conflicts and bad lines; the first 20 otherwise.")
    private boolean all;

    @Option(
            names = "--on-conflict",
            paramLabel = "abort|skip|upsert",
            description =
                    "What becomes of rows that the store has with other values: abort the import, keep the store's "
                            + "values, or take those of the import.")
    private @Nullable ConflictPolicy onConflict;

    @Option(
            names = "--precondition",
            paramLabel = "P",
            description =
                    "What must be so of every row: must_exist, must_not_exist, or if_commit_id:N (that commit wrote it "
                            + "last).")
    private @Nullable String precondition;

    @Option(
            names = "--complete",
            paramLabel = "TYPE[:where]",
            description =
                    "The input has every row of this type, or every one that passes the filter: rows of the store that are "
                            + "not in it end. May be given several times.")
    private List<String> complete = new ArrayList<>();

    @Option(
            names = "--allow-retract",
            paramLabel = "N",
            description =
                    "Let a complete import end up to so many rows; otherwise it is refused when it would end more than 20 "
                            + "percent of those that are there.")
    private @Nullable Long allowRetract;

    @Option(names = "--cascade", description = "End the relations of entities that end.")
    private boolean cascade;

    @Option(names = "--merge", description = "Fields that a line does not name keep the values that the store has.")
    private boolean merge;

    @Mixin
    private final MetaOption meta = new MetaOption();

    ImportCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (dryRun && apply) {
            throw new UsageError("--dry-run and --apply exclude each other", "leave one of them out");
        }
        if (apply && onConflict == null) {
            throw new UsageError(
                    "--apply needs to know what becomes of conflicts", "add --on-conflict abort, skip or upsert");
        }
        if (allowRetract != null && complete.isEmpty()) {
            throw new UsageError("--allow-retract is for complete imports", "add --complete TYPE, or leave it out");
        }
        invocation.interruption().storesNothingYet();
        Map<String, String> metadata = meta.values();
        Optional<Precondition> wanted = Optional.ofNullable(precondition).map(Precondition::parse);
        ImportFiles files = ImportFiles.of(TextFile.path("--input", input));
        OntologyAccess access = new OntologyAccess(invocation);
        Model model = models.model().orElseGet(() -> storedModel(access));
        requireSameTypes(access, model);
        try {
            return run(files, model, access, metadata, wanted);
        } catch (OutOfMemoryError e) {
            throw MachineLimit.memory("cannot import " + input, Optional.of(files.bytes()), e);
        }
    }

    private ExitCode run(
            ImportFiles files,
            Model model,
            OntologyAccess access,
            Map<String, String> metadata,
            Optional<Precondition> wanted) {
        try (Session trial = access.trial(model)) {
            Output output = invocation.output();
            ImportReport report = new ImportReport(input, output);
            int most = all ? Integer.MAX_VALUE : LISTED;
            ImportRows.Check check = merge ? ImportRows.Check.PARTS : ImportRows.Check.WHOLE_ROWS;
            ImportRows rows = ImportRows.read(files, trial, check, most, output);
            if (!rows.problems().isEmpty()) {
                throw report.badLines(rows);
            }
            CompleteState state = new CompleteState(
                    complete.stream()
                            .map(text -> TypeScope.parse("--complete", text))
                            .toList(),
                    allowRetract == null ? OptionalLong.empty() : OptionalLong.of(allowRetract));
            ImportPlan.Wish wish = new ImportPlan.Wish(
                    Optional.ofNullable(onConflict),
                    wanted,
                    state,
                    cascade ? Cascade.RELATIONS : Cascade.NONE,
                    merge,
                    most);
            Importer importer = new Importer(access, model, trial, rows, wish, invocation.interruption(), report);
            return report.print(apply ? importer.apply(metadata) : importer.preview());
        }
    }

    private static Model storedModel(OntologyAccess access) {
        try (Session session = access.read()) {
            return Model.of(session.types());
        }
    }

    /** Says so at once when the models are not those of the store, before a long input is read for nothing. */
    private static void requireSameTypes(OntologyAccess access, Model model) {
        if (access.exists()) {
            access.read(model).close();
        }
    }
}
