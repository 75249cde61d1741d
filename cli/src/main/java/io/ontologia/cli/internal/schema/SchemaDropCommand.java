package io.ontologia.cli.internal.schema;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.MetaOption;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Maintenance;
import io.ontologia.core.SchemaDrop;
import io.ontologia.core.SchemaDropPlan;
import io.ontologia.core.SchemaDropRefusedException;
import io.ontologia.core.SchemaDropResult;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto schema drop}. */
@Command(
        name = "drop",
        description =
                "Remove a type, for good. Shows the plan, unless --apply is given. Exits with 7 when relations or rows stand in "
                        + "the way.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto schema drop relation Subscription --purge-history",
            "  onto schema drop entity Customer --cascade-relations --purge-history",
            "  onto schema drop entity Customer --drop-relation Subscription --purge-history --apply --token TOKEN"
        })
final class SchemaDropCommand implements OntoCommand {
    private final Invocation invocation;

    @Parameters(index = "0", paramLabel = "entity|relation", description = "The kind of the type.")
    private TypeKind kind = TypeKind.ENTITY;

    @Parameters(index = "1", paramLabel = "T", description = "The name of the type.")
    private String type = "";

    @Option(
            names = "--drop-relation",
            paramLabel = "R",
            description = "Remove this relation type too, which uses the entity type. May be given several times.")
    private List<String> relations = new ArrayList<>();

    @Option(names = "--cascade-relations", description = "Remove every relation type that uses the entity type, too.")
    private boolean cascade;

    @Option(names = "--purge-history", description = "Delete the rows of the removed types with all their versions.")
    private boolean purge;

    @Option(names = "--dry-run", description = "Show the plan and its token; this is the default.")
    private boolean dryRun;

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    @Option(names = "--token", paramLabel = "T", description = "The token of the plan that is to be carried out.")
    private @Nullable String token;

    @Mixin
    private final MetaOption meta = new MetaOption();

    SchemaDropCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        requireConsistent();
        TypeRef target = new TypeRef(kind, type);
        Map<String, String> metadata = meta.values();
        OntologyAccess access = new OntologyAccess(invocation);
        if (token == null) {
            try (Maintenance maintenance = access.inspect()) {
                return print(drop(maintenance, target).preview());
            }
        }
        try (Maintenance maintenance = access.maintain()) {
            print(drop(maintenance, target).apply(token, metadata));
            return ExitCode.SUCCESS;
        } catch (OntologiaException e) {
            throw e.kind() == ErrorKind.CONFLICT ? new CommandFailure(ExitCode.DROP_REFUSED, e) : e;
        }
    }

    private void requireConsistent() {
        if (apply && dryRun) {
            throw new UsageError("--dry-run and --apply exclude each other", "leave one of them out");
        }
        if (apply != (token != null)) {
            throw new UsageError(
                    apply ? "--apply needs the token of a plan" : "--token is for --apply",
                    apply ? "run the command without --apply, and add the --token that it prints" : "add --apply");
        }
        if (kind == TypeKind.RELATION && (cascade || !relations.isEmpty())) {
            throw new UsageError(
                    "--drop-relation and --cascade-relations are for entity types", "leave them out for a relation");
        }
        if (cascade && !relations.isEmpty()) {
            throw new UsageError("--drop-relation and --cascade-relations exclude each other", "leave one of them out");
        }
    }

    private SchemaDrop drop(Maintenance maintenance, TypeRef target) {
        SchemaDrop drop = maintenance.drop(target).withRelations(relations.toArray(String[]::new));
        drop = cascade ? drop.cascadingRelations() : drop;
        return purge ? drop.purgingHistory() : drop;
    }

    private ExitCode print(SchemaDropPlan plan) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(document(plan));
            return plan.obstacles().isEmpty() ? ExitCode.SUCCESS : ExitCode.DROP_REFUSED;
        }
        List<List<Object>> rows = new ArrayList<>();
        plan.rowCounts()
                .forEach((one, counts) ->
                        rows.add(List.of(one.kind().wireName(), one.name(), counts.current(), counts.history())));
        output.table(List.of("kind", "type to drop", "rows", "row versions"), rows);
        if (!plan.obstacles().isEmpty()) {
            throw new CommandFailure(ExitCode.DROP_REFUSED, new SchemaDropRefusedException(plan));
        }
        output.line("");
        output.line("token: " + plan.token());
        output.line("nothing was changed; add --apply and --token with this token to do it");
        return ExitCode.SUCCESS;
    }

    private static Map<String, Object> document(SchemaDropPlan plan) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("target", TypeNames.document(plan.target()));
        document.put(
                "affected", plan.affected().stream().map(TypeNames::document).toList());
        Map<TypeRef, Long> counts = new LinkedHashMap<>();
        for (Map.Entry<TypeRef, StorageInfo.RowCounts> entry : plan.rowCounts().entrySet()) {
            counts.put(entry.getKey(), entry.getValue().current());
        }
        document.put("row_counts", TypeNames.byName(counts));
        document.put("requires_purge", plan.requiresPurge());
        document.put("token", plan.token());
        if (!plan.obstacles().isEmpty()) {
            document.put("obstacles", plan.obstacles());
        }
        return document;
    }

    private void print(SchemaDropResult result) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("target", TypeNames.document(result.target()));
            document.put(
                    "dropped",
                    result.dropped().stream().map(TypeNames::document).toList());
            document.put("rows_purged", TypeNames.byName(result.rowsPurged()));
            document.put("commit_id", result.commitId());
            output.json(document);
        }
        List<List<Object>> rows = new ArrayList<>();
        result.dropped()
                .forEach(one -> rows.add(List.of(
                        one.kind().wireName(), one.name(), result.rowsPurged().getOrDefault(one, 0L))));
        output.table(List.of("kind", "dropped type", "row versions deleted"), rows);
        output.line("\ncommit " + result.commitId());
    }
}
