package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.MetaOption;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.access.ShownProgress;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Erasure;
import io.ontologia.core.ErasurePlan;
import io.ontologia.core.ErasureRefusedException;
import io.ontologia.core.ErasureRemains;
import io.ontologia.core.ErasureResult;
import io.ontologia.core.Identity;
import io.ontologia.core.Maintenance;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto erase}. */
@Command(
        name = "erase",
        description =
                "Remove every version of rows from the store, for example because the law demands it. Shows the plan, unless "
                        + "--apply is given. A commit without rows records the erasure, without keys and values. On object "
                        + "stores 'onto gc' removes the old files later; 'onto fsck --erased' shows whether the content is gone.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto erase Customer c1 c2 --cascade-relations",
            "  onto erase Customer c1 --meta reason=\"request 4711\" --apply --token TOKEN",
            "  onto erase Subscription c1 p7",
            "  onto erase --finish"
        })
public final class EraseCommand implements OntoCommand {
    private final Invocation invocation;

    @Parameters(index = "0", arity = "0..1", paramLabel = "TYPE", description = "The name of the type.")
    private @Nullable String type;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "KEY",
            description =
                    "The keys of entities; or the left key, the right key and, if there is one, the instance key of a relation.")
    private List<String> keys = new ArrayList<>();

    @Option(
            names = "--kind",
            paramLabel = "entity|relation",
            description = "The kind of the type, where an entity type and a relation type have the same name.")
    private @Nullable TypeKind kind;

    @Option(
            names = "--cascade-relations",
            description = "Erase every relation too that ever had one of the entities at an end.")
    private boolean cascade;

    @Option(
            names = "--finish",
            description =
                    "Remove the content of rows that were erased before, where the erasure was interrupted or readers kept it from "
                            + "its end. Takes no type and no keys.")
    private boolean finish;

    @Option(names = "--dry-run", description = "Show the plan and its token; this is the default.")
    private boolean dryRun;

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    @Option(names = "--token", paramLabel = "T", description = "The token of the plan that is to be carried out.")
    private @Nullable String token;

    @Mixin
    private final MetaOption meta = new MetaOption();

    EraseCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        requireConsistent();
        Map<String, String> metadata = meta.values();
        OntologyAccess access = new OntologyAccess(invocation);
        EraseDocuments documents = new EraseDocuments(invocation.output());
        if (finish) {
            try (Maintenance maintenance = access.maintain();
                    ShownProgress progress = new ShownProgress(invocation.output(), "erasing")) {
                return exit(documents.print(maintenance.finishErasures(progress)));
            }
        }
        if (token == null) {
            try (Maintenance maintenance = access.inspect()) {
                return preview(erasure(maintenance).preview(), documents);
            }
        }
        try (Maintenance maintenance = access.maintain();
                ShownProgress progress = new ShownProgress(invocation.output(), "erasing")) {
            ErasureResult result = erasure(maintenance).apply(token, metadata, progress);
            documents.print(result);
            return exit(result.remains());
        } catch (OntologiaException e) {
            throw e.kind() == ErrorKind.CONFLICT ? new CommandFailure(ExitCode.COMMAND_FAILED, e) : e;
        }
    }

    private void requireConsistent() {
        if (finish && (type != null || apply || dryRun || token != null || cascade)) {
            throw new UsageError("--finish is given together with something else", "use --finish alone");
        }
        if (finish) {
            return;
        }
        if (type == null || keys.isEmpty()) {
            throw new UsageError("no row is named", "name a type and the keys of its rows");
        }
        if (apply && dryRun) {
            throw new UsageError("--dry-run and --apply exclude each other", "leave one of them out");
        }
        if (apply != (token != null)) {
            throw new UsageError(
                    apply ? "--apply needs the token of a plan" : "--token is for --apply",
                    apply ? "run the command without --apply, and add the --token that it prints" : "add --apply");
        }
    }

    private Erasure erasure(Maintenance maintenance) {
        TypeRef target = target(maintenance);
        List<Identity> identities = new ArrayList<>();
        if (target.kind() == TypeKind.ENTITY) {
            keys.forEach(key -> identities.add(new Identity.OfEntity(key)));
        } else if (keys.size() == 2 || keys.size() == 3) {
            identities.add(new Identity.OfRelation(keys.get(0), keys.get(1), keys.size() == 3 ? keys.get(2) : ""));
        } else {
            throw new UsageError(
                    "a relation has a left key, a right key and at most an instance key",
                    "name one relation by two or three keys");
        }
        Erasure erasure = maintenance.erasure(target, identities);
        return cascade ? erasure.cascadingRelations() : erasure;
    }

    private TypeRef target(Maintenance maintenance) {
        String name = type == null ? "" : type;
        List<TypeRef> named = maintenance.storage().schemas().stream()
                .map(schema -> schema.type())
                .filter(known -> known.name().equals(name) && (kind == null || known.kind() == kind))
                .toList();
        if (named.size() > 1) {
            throw new UsageError(
                    "'" + name + "' is the name of an entity type and of a relation type",
                    "add --kind entity or --kind relation");
        }
        if (named.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "cannot erase rows of '" + name + "'",
                    "the store does not know the type",
                    "'onto info --schema' lists the types");
        }
        return named.get(0);
    }

    private ExitCode preview(ErasurePlan plan, EraseDocuments documents) {
        documents.print(plan);
        if (plan.isEmpty() || !plan.dependents().isEmpty()) {
            if (invocation.output().format() == Output.Format.JSON) {
                return ExitCode.COMMAND_FAILED;
            }
            throw new CommandFailure(ExitCode.COMMAND_FAILED, new ErasureRefusedException(plan));
        }
        return ExitCode.SUCCESS;
    }

    /** Content that only time keeps from its removal is no failure. */
    private static ExitCode exit(ErasureRemains remains) {
        return remains.isEmpty() || remains.removableFrom().isPresent() ? ExitCode.SUCCESS : ExitCode.COMMAND_FAILED;
    }
}
