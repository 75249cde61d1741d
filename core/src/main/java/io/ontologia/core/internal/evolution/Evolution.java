package io.ontologia.core.internal.evolution;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.SchemaChange;
import io.ontologia.core.SchemaChange.Kind;
import io.ontologia.core.SchemaStep;
import io.ontologia.core.StepExpression;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.internal.validation.Problems;
import io.ontologia.kernel.CanonicalJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What leads from one version of a type to the next: the declared steps, and a step for each compatible change that they leave
 * over.
 */
public final class Evolution {
    private final OntologyType stored;
    private final OntologyType declared;
    private final List<SchemaStep> steps = new ArrayList<>();
    private final List<SchemaChange> changes = new ArrayList<>();
    private final Problems problems = new Problems();

    /** The fields after the steps so far, each with its type; empty for a computed value, whose type is not known. */
    private final Map<String, Optional<TypeSpec>> fields = new LinkedHashMap<>();

    private Evolution(OntologyType stored, OntologyType declared) {
        this.stored = stored;
        this.declared = declared;
        stored.payload().forEach(field -> fields.put(field.name(), Optional.of(field.type())));
    }

    /**
     * What leads from the stored form of a type to the declared one.
     *
     * @throws io.ontologia.kernel.OntologiaException of kind INVALID_INPUT when a declared step cannot be carried out on the
     *     stored form, listing every problem
     */
    public static Evolution of(OntologyType stored, OntologyType declared, List<SchemaStep> declaredSteps) {
        Evolution evolution = new Evolution(stored, declared);
        declaredSteps.forEach(evolution::declare);
        evolution.problems.refuseIfAny("invalid steps of " + declared.ref());
        evolution.compareIdentity();
        evolution.rename();
        declared.payload().forEach(evolution::compare);
        evolution.dropRest();
        return evolution;
    }

    /** Whether every old row has a new form. */
    public boolean isComplete() {
        return changes.stream().noneMatch(change -> change.kind() == Kind.INCOMPATIBLE);
    }

    /** The steps, in order. */
    public List<SchemaStep> steps() {
        return List.copyOf(steps);
    }

    /** Each difference with what it means for old rows. */
    public List<SchemaChange> changes() {
        return List.copyOf(changes);
    }

    private void declare(SchemaStep step) {
        if (step instanceof SchemaStep.Set set) {
            for (String field : set.value().fields()) {
                if (stored.payload().stream().noneMatch(known -> known.name().equals(field))) {
                    problems.add(
                            "'" + set.field() + "' is computed from '" + field + "', which the stored version lacks");
                }
            }
            fields.put(set.field(), Optional.empty());
            note(set.field(), step);
        } else if (step instanceof SchemaStep.Rename rename) {
            requireKnown(rename.from());
            move(rename.from(), rename.to());
            note(rename.to(), step);
        } else if (step instanceof SchemaStep.Drop drop) {
            requireKnown(drop.field());
            fields.remove(drop.field());
            note(drop.field(), step);
        } else if (step instanceof SchemaStep.Convert convert) {
            requireKnown(convert.field());
            fields.put(convert.field(), Optional.empty());
            note(convert.field(), step);
        }
        steps.add(step);
    }

    private void requireKnown(String field) {
        if (!fields.containsKey(field)) {
            problems.add("there is no field '" + field + "' in the stored version");
        }
    }

    private void move(String from, String to) {
        Optional<TypeSpec> type = fields.getOrDefault(from, Optional.empty());
        fields.remove(from);
        fields.put(to, type);
    }

    private void note(String field, SchemaStep step) {
        changes.add(new SchemaChange(field, Kind.STEP, step.describe()));
    }

    private void compareIdentity() {
        if (stored instanceof EntityType before && declared instanceof EntityType after) {
            boolean renamed = after.field(after.keyField())
                    .flatMap(FieldDef::formerName)
                    .filter(before.keyField()::equals)
                    .isPresent();
            if (!before.keyField().equals(after.keyField())
                    && !renamed
                    && !movedByStep(before.keyField(), after.keyField())) {
                incompatible(after.keyField(), "another field would be the key");
            }
        }
        if (stored instanceof RelationType before && declared instanceof RelationType after) {
            if (!before.left().equals(after.left())) {
                incompatible("left", "the relation would join other entities");
            }
            if (!before.right().equals(after.right())) {
                incompatible("right", "the relation would join other entities");
            }
            Optional<String> formerKey =
                    after.instanceKeyField().flatMap(name -> after.field(name).flatMap(FieldDef::formerName));
            if (!before.instanceKeyField().equals(after.instanceKeyField())
                    && !before.instanceKeyField().equals(formerKey)) {
                incompatible(
                        after.instanceKeyField().orElse("instance_key"), "another field would be the instance key");
            } else if (!before.instanceKeyField().equals(after.instanceKeyField())) {
                changes.add(new SchemaChange(
                        after.instanceKeyField().orElse(""), Kind.RENAMED, "the instance key stays as it is"));
            }
        }
    }

    private boolean movedByStep(String from, String to) {
        return steps.contains(new SchemaStep.Rename(from, to));
    }

    private void incompatible(String field, String why) {
        changes.add(new SchemaChange(field, Kind.INCOMPATIBLE, why));
    }

    /** Renames what the model says had another name. Two fields that exchange their names are not a rename. */
    private void rename() {
        for (FieldDef field : declared.payload()) {
            Optional<String> former = field.formerName().filter(fields::containsKey);
            if (former.isPresent()
                    && !fields.containsKey(field.name())
                    && declared.payload().stream()
                            .noneMatch(other -> other.name().equals(former.get()))) {
                move(former.get(), field.name());
                steps.add(new SchemaStep.Rename(former.get(), field.name()));
                changes.add(new SchemaChange(
                        field.name(), Kind.RENAMED, "the value of '" + former.get() + "' is kept under the new name"));
            }
        }
    }

    private void compare(FieldDef field) {
        if (fields.containsKey(field.name())) {
            fields.getOrDefault(field.name(), Optional.empty()).ifPresent(before -> widen(field, before));
        } else {
            add(field);
        }
        stored.field(field.name())
                .filter(old -> old.indexed() != field.indexed())
                .ifPresent(old -> changes.add(new SchemaChange(
                        field.name(),
                        Kind.INDEX,
                        field.indexed() == FieldDef.Index.YES
                                ? "an index is added, and rows stay as they are"
                                : "an index is removed, and rows stay as they are")));
    }

    private void add(FieldDef field) {
        if (field.defaultValue().isEmpty() && !field.type().nullable()) {
            incompatible(field.name(), "old rows have no value for it: give it a default, or allow null");
            return;
        }
        Object value =
                field.defaultValue().isPresent() ? field.defaultValue().get().json() : null;
        steps.add(new SchemaStep.Set(field.name(), StepExpression.constant(value)));
        fields.put(field.name(), Optional.of(field.type()));
        changes.add(new SchemaChange(field.name(), Kind.ADDED, "they get " + CanonicalJson.write(value)));
    }

    private void widen(FieldDef field, TypeSpec before) {
        if (before.equals(field.type())) {
            return;
        }
        switch (Widening.of(before, field.type())) {
            case SAME -> changes.add(new SchemaChange(field.name(), Kind.WIDENED, "they stay as they are"));
            case TO_FLOAT -> {
                steps.add(new SchemaStep.Convert(field.name(), StepExpression.Conversion.FLOAT));
                changes.add(new SchemaChange(field.name(), Kind.INT_TO_FLOAT, "integers become floats"));
            }
            case NONE ->
                incompatible(
                        field.name(),
                        "a value of " + before.pythonText() + " is not always one of "
                                + field.type().pythonText());
        }
    }

    private void dropRest() {
        Set<String> rest = new LinkedHashSet<>(fields.keySet());
        declared.payload().forEach(field -> rest.remove(field.name()));
        for (String field : rest) {
            steps.add(new SchemaStep.Drop(field));
            if (changes.stream().noneMatch(change -> change.field().equals(field))) {
                changes.add(new SchemaChange(
                        field, Kind.REMOVED, "the value is left out; earlier commits keep it in the store"));
            }
        }
    }

    /**
     * The steps between two stored versions that carry no record, from what their documents say: only where fields were either
     * added or removed, and each difference is compatible without a default. Documents that do not differ say nothing: the
     * program that made the version changed the meaning of values.
     */
    static Optional<List<SchemaStep>> unrecorded(OntologyType before, OntologyType after) {
        Evolution evolution = of(before, after, List.of());
        Map<Kind, Long> kinds = new HashMap<>();
        evolution.changes.forEach(change -> kinds.merge(change.kind(), 1L, Long::sum));
        boolean obvious = !kinds.isEmpty()
                && !kinds.containsKey(Kind.INCOMPATIBLE)
                && !(kinds.containsKey(Kind.ADDED) && kinds.containsKey(Kind.REMOVED));
        return obvious ? Optional.of(evolution.steps()) : Optional.empty();
    }
}
