package io.ontologia.cli.internal.schema;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.MigrationPlan;
import io.ontologia.core.MigrationResult;
import io.ontologia.core.SchemaChange;
import io.ontologia.core.SchemaDiff;
import io.ontologia.core.TypeRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints the plan and the result of a migration. */
final class MigrationReport {
    private final Output output;

    MigrationReport(Output output) {
        this.output = output;
    }

    void print(MigrationPlan plan) {
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("has_changes", plan.hasChanges());
            document.put("token", plan.token());
            document.put("diffs", plan.diffs().stream().map(SchemaDiff::toJson).toList());
            document.put("new_types", TypeNames.of(plan.newTypes()));
            document.put("estimated_rows", TypeNames.byName(plan.estimatedRows()));
            document.put("types_requiring_upgraders", TypeNames.of(plan.typesRequiringUpgraders()));
            document.put("types_schema_only", TypeNames.of(plan.typesSchemaOnly()));
            document.put("types_upgraded_by_steps", TypeNames.of(plan.typesUpgradedBySteps()));
            Map<TypeRef, Object> changes = new LinkedHashMap<>();
            plan.changes()
                    .forEach((type, all) -> changes.put(
                            type, all.stream().map(SchemaChange::toJson).toList()));
            document.put("changes", TypeNames.byName(changes));
            document.put("missing_upgraders", TypeNames.byName(plan.missingUpgraders()));
            output.json(document);
            return;
        }
        if (!plan.hasChanges()) {
            output.line("nothing to do: the store has the types of the model");
            return;
        }
        List<List<Object>> changes = new ArrayList<>();
        plan.newTypes().forEach(type -> changes.add(List.of(type.toString(), "new", "", "", "")));
        for (SchemaDiff diff : plan.diffs()) {
            SchemaDocuments.addRows(diff.type(), "changed", SchemaDocuments.difference(diff), changes);
        }
        output.table(List.of("type", "change", "field", "stored", "model"), changes);
        if (!plan.diffs().isEmpty()) {
            output.line("");
            output.table(List.of("type", "field", "kind", "old rows"), oldRows(plan));
            output.line("");
            output.table(List.of("type", "rows", "upgraders"), upgraderRows(plan));
        }
        output.line("");
        output.line("token: " + plan.token());
        output.line(
                plan.missingUpgraders().isEmpty()
                        ? "nothing was changed; add --apply and --token with this token to do it"
                        : "nothing was changed; declare steps in the model file, or name upgraders with --upgraders");
    }

    private static List<List<Object>> oldRows(MigrationPlan plan) {
        List<List<Object>> rows = new ArrayList<>();
        plan.changes()
                .forEach((type, changes) -> changes.forEach(change -> rows.add(
                        List.of(type.toString(), change.field(), change.kind().wireName(), change.oldRows()))));
        return rows;
    }

    private static List<List<Object>> upgraderRows(MigrationPlan plan) {
        List<List<Object>> rows = new ArrayList<>();
        for (SchemaDiff diff : plan.diffs()) {
            TypeRef type = diff.type();
            List<Long> missing = plan.missingUpgraders().getOrDefault(type, List.of());
            String upgraders = plan.typesSchemaOnly().contains(type)
                            || (plan.typesUpgradedBySteps().contains(type) && missing.isEmpty())
                    ? "not needed"
                    : missing.isEmpty() ? "there" : "missing from version " + missing;
            rows.add(List.of(type.toString(), plan.estimatedRows().getOrDefault(type, 0L), upgraders));
        }
        return rows;
    }

    void print(MigrationResult result) {
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("success", true);
            document.put("types_migrated", TypeNames.of(result.typesMigrated()));
            document.put("types_registered", TypeNames.of(result.typesRegistered()));
            document.put("rows_migrated", TypeNames.byName(result.rowsMigrated()));
            document.put("new_schema_versions", TypeNames.byName(result.newSchemaVersions()));
            document.put("duration_s", result.duration().toMillis() / 1e3);
            result.commitId().ifPresent(id -> document.put("commit_id", id));
            output.json(document);
            return;
        }
        if (result.newSchemaVersions().isEmpty()) {
            output.line("nothing to do: the store has the types of the model");
            return;
        }
        List<List<Object>> rows = new ArrayList<>();
        result.newSchemaVersions()
                .forEach((type, version) -> rows.add(
                        List.of(type.toString(), version, result.rowsMigrated().getOrDefault(type, 0L))));
        output.table(List.of("type", "schema version", "rows migrated"), rows);
        result.commitId().ifPresent(id -> output.line("\ncommit " + id));
    }
}
