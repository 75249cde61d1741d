package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.MetaOption;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.access.TextFile;
import io.ontologia.cli.internal.model.ModelsOption;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.CommitResult;
import io.ontologia.core.Model;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
            "  onto import --input data --models models.yaml --apply --on-conflict abort",
            "  onto import --input fix.jsonl --apply --on-conflict upsert --precondition must_exist --meta ticket=OPS-12"
        })
public final class ImportCommand implements OntoCommand {
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
        Map<String, String> metadata = meta.values();
        Optional<Precondition> wanted = Optional.ofNullable(precondition).map(Precondition::parse);
        ImportFiles files = ImportFiles.of(TextFile.path("--input", input));
        OntologyAccess access = new OntologyAccess(invocation);
        Model model = models.model().orElseGet(() -> storedModel(access));
        requireSameTypes(access, model);
        try (Session trial = access.trial(model)) {
            ImportRows rows = ImportRows.read(files, trial, invocation.output());
            refuseBadLines(rows);
            ImportPlan plan = plan(access, model, rows, trial, wanted);
            if (isRefused(plan, wanted)) {
                return conflict(rows, plan);
            }
            if (!apply) {
                print("dry_run", rows, plan, Optional.empty());
                return ExitCode.SUCCESS;
            }
            return apply(access, model, rows, trial, wanted, metadata);
        }
    }

    /** Plans again while others are kept out, and carries out that plan. */
    private ExitCode apply(
            OntologyAccess access,
            Model model,
            ImportRows rows,
            Session trial,
            Optional<Precondition> wanted,
            Map<String, String> metadata) {
        try (Session store = access.write(model)) {
            return store.lock().holding(access.lockTimeout(), lease -> {
                ImportPlan plan =
                        ImportPlan.of(rows, Optional.of(store), trial, Optional.ofNullable(onConflict), wanted);
                if (isRefused(plan, wanted)) {
                    return conflict(rows, plan);
                }
                store.ensureAll(plan.writes());
                CommitResult result = store.commit(metadata);
                Optional<Long> commit = result instanceof CommitResult.Committed committed
                        ? Optional.of(committed.commitId())
                        : Optional.empty();
                print("applied", rows, plan, commit);
                return ExitCode.SUCCESS;
            });
        }
    }

    private boolean isRefused(ImportPlan plan, Optional<Precondition> wanted) {
        return !plan.conflicts().isEmpty() && (onConflict != null || wanted.isPresent());
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

    private ImportPlan plan(
            OntologyAccess access, Model model, ImportRows rows, Session trial, Optional<Precondition> wanted) {
        Optional<ConflictPolicy> policy = Optional.ofNullable(onConflict);
        if (!access.exists()) {
            return ImportPlan.of(rows, Optional.empty(), trial, policy, wanted);
        }
        try (Session store = access.read(model)) {
            return ImportPlan.of(rows, Optional.of(store), trial, policy, wanted);
        }
    }

    private void refuseBadLines(ImportRows rows) {
        List<ImportRows.Problem> problems = rows.problems();
        if (problems.isEmpty()) {
            return;
        }
        list("bad line:", problems);
        throw new CommandFailure(
                ExitCode.IMPORT_REFUSED,
                new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot import " + input,
                        problems.size() + " of " + rows.lines() + (rows.lines() == 1 ? " line is" : " lines are")
                                + " bad, and nothing was written",
                        "correct them and try again",
                        Map.of(
                                "problems",
                                problems.stream()
                                        .map(ImportRows.Problem::document)
                                        .toList()),
                        null));
    }

    private ExitCode conflict(ImportRows rows, ImportPlan plan) {
        if (invocation.output().format() == Output.Format.JSON) {
            print("conflict", rows, plan, Optional.empty());
            return ExitCode.IMPORT_REFUSED;
        }
        list("conflict:", plan.conflicts());
        int count = plan.conflicts().size();
        throw new CommandFailure(
                ExitCode.IMPORT_REFUSED,
                new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot import " + input,
                        count + (count == 1 ? " row is" : " rows are")
                                + " not as the import wants them, and nothing was written",
                        "look at the lines above, or choose another --on-conflict or --precondition"));
    }

    private void list(String label, List<ImportRows.Problem> problems) {
        Output output = invocation.output();
        if (output.format() == Output.Format.TEXT) {
            problems.forEach(problem -> output.diagnostic(label, Tone.BAD, problem.toString()));
        }
    }

    private void print(String status, ImportRows rows, ImportPlan plan, Optional<Long> commit) {
        Output output = invocation.output();
        if (output.format() == Output.Format.TEXT) {
            printTable(rows, plan, commit);
            return;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("status", status);
        report.put("total_records", rows.lines());
        report.put("inserts", plan.inserts().size());
        report.put("updates", plan.updates().size());
        report.put("skipped", plan.skipped());
        report.put("conflicts", plan.conflicts().size());
        commit.ifPresent(id -> report.put("commit_id", id));
        if (!plan.conflicts().isEmpty()) {
            report.put(
                    "problems",
                    plan.conflicts().stream().map(ImportRows.Problem::document).toList());
        }
        output.json(report);
    }

    private void printTable(ImportRows rows, ImportPlan plan, Optional<Long> commit) {
        List<@Nullable Object> cells = new ArrayList<>();
        cells.add(rows.lines());
        cells.add(plan.inserts().size());
        cells.add(plan.updates().size());
        cells.add(plan.skipped());
        cells.add(plan.conflicts().size());
        cells.add(commit.orElse(null));
        Output output = invocation.output();
        output.table(List.of("records", "inserts", "updates", "skipped", "conflicts", "commit"), List.of(cells));
        if (apply && commit.isEmpty()) {
            output.line("everything was so already; there is no new commit");
        } else if (!apply && !plan.conflicts().isEmpty()) {
            output.line("nothing was written; some rows exist with other values, so choose with --on-conflict");
        } else if (!apply) {
            output.line("nothing was written; add --apply" + (onConflict == null ? " and --on-conflict" : "")
                    + " to do it");
        }
    }
}
