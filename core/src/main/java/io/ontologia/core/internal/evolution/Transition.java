package io.ontologia.core.internal.evolution;

import io.ontologia.core.FieldDef;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaStep;
import io.ontologia.core.StepExpression;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.Upgraders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What leads from the fields of a row to its fields in the next version of the schema, or back to the version before. */
sealed interface Transition {
    /** The fields in the other version; the given map may be changed and returned. */
    Map<String, @Nullable Object> apply(Map<String, @Nullable Object> fields);

    /**
     * Steps that are stored with the schema version, or follow from its document.
     *
     * @param before the type in the version that the steps start from
     */
    record BySteps(List<SchemaStep> steps, OntologyType before) implements Transition {
        @Override
        public Map<String, @Nullable Object> apply(Map<String, @Nullable Object> fields) {
            boolean computes = steps.stream()
                    .anyMatch(step ->
                            step instanceof SchemaStep.Set set && !set.value().isConstant());
            Map<String, @Nullable Object> old = computes ? new HashMap<>(fields) : fields;
            steps.forEach(step -> step.apply(old, fields));
            return fields;
        }

        /** Whether no row can fail. */
        boolean isPlain() {
            Map<String, String> origins = new HashMap<>();
            boolean plain = true;
            for (SchemaStep step : steps) {
                if (step instanceof SchemaStep.Set set) {
                    plain &= set.value().isConstant();
                } else if (step instanceof SchemaStep.Convert convert) {
                    plain &= isIntToFloat(convert, origins);
                } else if (step instanceof SchemaStep.Rename rename) {
                    origins.put(rename.to(), origins.getOrDefault(rename.from(), rename.from()));
                }
            }
            return plain;
        }

        private boolean isIntToFloat(SchemaStep.Convert convert, Map<String, String> origins) {
            Optional<FieldDef> origin = before.field(origins.getOrDefault(convert.field(), convert.field()));
            return convert.to() == StepExpression.Conversion.FLOAT
                    && origin.isPresent()
                    && (origin.get().type() == TypeSpec.Primitive.INT
                            || origin.get().type().equals(TypeSpec.orNull(TypeSpec.Primitive.INT)));
        }

        /**
         * The way back for a program that has the older version.
         *
         * @param filling what becomes of a dropped field; empty when nothing can
         */
        Optional<Transition> reversed(Function<String, Optional<StepExpression>> filling) {
            Map<String, String> origins = new HashMap<>();
            List<SchemaStep> back = new ArrayList<>();
            for (SchemaStep step : steps) {
                if (step instanceof SchemaStep.Set set
                        && before.field(set.field()).isEmpty()) {
                    back.add(0, new SchemaStep.Drop(set.field()));
                } else if (step instanceof SchemaStep.Rename rename) {
                    origins.put(rename.to(), origins.getOrDefault(rename.from(), rename.from()));
                    back.add(0, new SchemaStep.Rename(rename.to(), rename.from()));
                } else if (step instanceof SchemaStep.Convert convert && isIntToFloat(convert, origins)) {
                    back.add(0, new SchemaStep.Convert(convert.field(), StepExpression.Conversion.INT));
                } else if (step instanceof SchemaStep.Drop drop) {
                    Optional<StepExpression> value = filling.apply(drop.field());
                    if (value.isEmpty()) {
                        return Optional.empty();
                    }
                    back.add(0, new SchemaStep.Set(drop.field(), value.get()));
                } else {
                    return Optional.empty();
                }
            }
            return Optional.of(new BySteps(List.copyOf(back), before));
        }

        /** Whether the steps add a field. */
        boolean adds(String field) {
            return before.field(field).isEmpty()
                    && steps.stream()
                            .anyMatch(step -> step instanceof SchemaStep.Set set
                                    && set.field().equals(field));
        }

        /** The name of a field before the steps. */
        String nameBefore(String field) {
            return steps.stream()
                    .filter(step -> step instanceof SchemaStep.Rename rename
                            && rename.to().equals(field))
                    .map(step -> ((SchemaStep.Rename) step).from())
                    .findFirst()
                    .orElse(field);
        }
    }

    /** An upgrader of this program. */
    record ByCode(TypeRef type, long from, Upgraders upgraders) implements Transition {
        @Override
        public Map<String, @Nullable Object> apply(Map<String, @Nullable Object> fields) {
            return upgraders.upgrade(type, from, from + 1, fields);
        }
    }
}
