package io.ontologia.core;

import io.ontologia.core.internal.PlanToken;
import io.ontologia.core.internal.evolution.TypeMigration;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * What a migration would do.
 *
 * @param token what {@link Migration#apply} wants to see; fits as long as this plan would come out again, on the same
 *     newest commit
 * @param diffs each type whose schema changes, by kind and name
 * @param newTypes types of the model that the store does not know yet
 * @param estimatedRows how many rows each changed type has
 * @param typesRequiringUpgraders changed types with rows of which some have no obvious new form, so that upgraders must say how
 * @param typesSchemaOnly changed types without rows, or of which only index hints change
 * @param typesUpgradedBySteps changed types whose rows get their new form by compatible changes and declared steps
 * @param changes each change of each changed type, and what happens to old rows
 * @param missingUpgraders the versions that no upgrader starts from, by type
 */
public record MigrationPlan(
        String token,
        List<SchemaDiff> diffs,
        List<TypeRef> newTypes,
        Map<TypeRef, Long> estimatedRows,
        List<TypeRef> typesRequiringUpgraders,
        List<TypeRef> typesSchemaOnly,
        List<TypeRef> typesUpgradedBySteps,
        Map<TypeRef, List<SchemaChange>> changes,
        Map<TypeRef, List<Long>> missingUpgraders) {

    public MigrationPlan {
        diffs = List.copyOf(diffs);
        newTypes = List.copyOf(newTypes);
        estimatedRows = Collections.unmodifiableMap(new LinkedHashMap<>(estimatedRows));
        typesRequiringUpgraders = List.copyOf(typesRequiringUpgraders);
        typesSchemaOnly = List.copyOf(typesSchemaOnly);
        typesUpgradedBySteps = List.copyOf(typesUpgradedBySteps);
        changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
        missingUpgraders = Collections.unmodifiableMap(new LinkedHashMap<>(missingUpgraders));
    }

    /** Whether there is anything to do. */
    public boolean hasChanges() {
        return !diffs.isEmpty() || !newTypes.isEmpty();
    }

    /** Works out what leads from the schemas of a store to those of a model. */
    static MigrationPlan of(Storage storage, long head, List<SchemaVersion> schemas, Model model, Upgraders upgraders) {
        List<SchemaDiff> diffs = new ArrayList<>();
        for (SchemaVersion stored : schemas) {
            model.find(stored.type())
                    .flatMap(declared -> SchemaDiff.between(stored, declared))
                    .ifPresent(diffs::add);
        }
        List<TypeRef> newTypes = model.types().stream()
                .map(OntologyType::ref)
                .filter(type ->
                        schemas.stream().noneMatch(stored -> stored.type().equals(type)))
                .toList();
        Map<TypeRef, Long> estimated = new LinkedHashMap<>();
        List<TypeRef> requiring = new ArrayList<>();
        List<TypeRef> schemaOnly = new ArrayList<>();
        List<TypeRef> bySteps = new ArrayList<>();
        Map<TypeRef, List<SchemaChange>> changes = new LinkedHashMap<>();
        Map<TypeRef, List<Long>> missing = new LinkedHashMap<>();
        List<Object> plan = new ArrayList<>();
        for (SchemaDiff diff : diffs) {
            Map<Long, Long> rows = rowsByVersion(storage, diff);
            long total = rows.values().stream().mapToLong(Long::longValue).sum();
            estimated.put(diff.type(), total);
            requireSameIdentity(diff, total);
            TypeMigration migration = typeMigration(storage, diff, model, upgraders);
            changes.put(diff.type(), migration.changes());
            plan.add(planned(diff, migration));
            if (total == 0 || diff.isIndexOnly()) {
                schemaOnly.add(diff.type());
            } else {
                (migration.isBySteps() ? bySteps : requiring).add(diff.type());
            }
            List<Long> gaps = missing(diff, rows, migration.upgraders());
            if (!gaps.isEmpty()) {
                missing.put(diff.type(), gaps);
            }
        }
        return new MigrationPlan(
                PlanToken.of(plan, head), diffs, newTypes, estimated, requiring, schemaOnly, bySteps, changes, missing);
    }

    /** What brings the rows of a changed type to its next version. */
    static TypeMigration typeMigration(Storage storage, SchemaDiff diff, Model model, Upgraders upgraders) {
        return TypeMigration.of(
                storage.schemaVersions(diff.type()),
                model.find(diff.type()).orElseThrow(),
                model.steps(diff.type(), diff.storedVersion()),
                upgraders);
    }

    /** What the token of a plan depends on: where there are steps, on them too. */
    private static Map<String, Object> planned(SchemaDiff diff, TypeMigration migration) {
        Map<String, Object> document = new LinkedHashMap<>(diff.toJson());
        if (!migration.steps().isEmpty()) {
            document.put(
                    "steps", migration.steps().stream().map(SchemaStep::toJson).toList());
        }
        return document;
    }

    /** Rows as they are now, by the version of the schema that they were written with. */
    private static Map<Long, Long> rowsByVersion(Storage storage, SchemaDiff diff) {
        RowQuery all = RowQuery.of(diff.type(), new Window.Latest());
        Map<Long, Long> rows = new LinkedHashMap<>();
        long unknown = storage.count(all);
        for (long version = diff.storedVersion(); version >= 1 && unknown > 0; version--) {
            long count = storage.count(all.ofVersion(OptionalLong.of(version)));
            if (count > 0) {
                rows.put(version, count);
                unknown -= count;
            }
        }
        if (unknown > 0) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot migrate " + diff.type(),
                    unknown + " of its rows carry a schema version that it never had",
                    "run 'onto fsck', and correct them first");
        }
        return rows;
    }

    private static List<Long> missing(SchemaDiff diff, Map<Long, Long> rows, Upgraders upgraders) {
        TreeSet<Long> gaps = new TreeSet<>();
        for (long version : rows.keySet()) {
            gaps.addAll(upgraders.missing(diff.type(), version, diff.storedVersion() + 1));
        }
        return List.copyOf(gaps);
    }

    /** A relation's instance key is part of its identity, which no later version of a row can change. */
    private static void requireSameIdentity(SchemaDiff diff, long rows) {
        Optional<Map<?, ?>> change = Optional.ofNullable(diff.changed().get("__instance_key_field__"))
                .map(found -> (Map<?, ?>) found);
        if (rows > 0
                && change.isPresent()
                && (change.get().get("stored") == null) != (change.get().get("code") == null)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot migrate " + diff.type(),
                    "it would " + (change.get().get("code") == null ? "lose" : "get") + " an instance key, and its "
                            + rows + " rows would be others than before",
                    "declare a relation type of another name");
        }
    }
}
