package io.ontologia.core.internal.evolution;

import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaStep;
import io.ontologia.core.UpgradeFailedException;
import io.ontologia.core.internal.validation.RowValues;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.CodePointOrder;
import io.ontologia.kernel.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What leads from one version of a type's schema to another one, which may be older. */
public final class Way {
    private final OntologyType type;
    private final long from;
    private final long to;
    private final List<Transition> transitions;
    private final boolean plain;

    /** @param type the type in the version that it leads to */
    Way(OntologyType type, long from, long to, List<Transition> transitions) {
        this.type = type;
        this.from = from;
        this.to = to;
        this.transitions = List.copyOf(transitions);
        this.plain = from <= to
                && transitions.stream().allMatch(one -> one instanceof Transition.BySteps steps && steps.isPlain());
    }

    /** Whether every row that fits its own version arrives. */
    boolean isPlain() {
        return plain;
    }

    /** How the value of a field of the version that it leads to relates to what stands under that name in a row. */
    Ways.Stability stability(String field, OntologyType origin) {
        Ways.Stability result = Ways.Stability.SAME;
        int nulls = 0;
        for (Transition transition : transitions) {
            if (!(transition instanceof Transition.BySteps steps)) {
                return Ways.Stability.CHANGED;
            }
            for (SchemaStep step : steps.steps()) {
                if (step instanceof SchemaStep.Convert convert
                        && convert.field().equals(field)) {
                    if (!steps.isPlain()) {
                        return Ways.Stability.CHANGED;
                    }
                    result = Ways.Stability.NUMBER;
                } else if (step instanceof SchemaStep.Set set && set.field().equals(field)) {
                    boolean isNull = set.value().isConstant() && set.value().evaluate(Map.of()) == null;
                    if (!isNull || origin.field(field).isPresent() || nulls++ > 0) {
                        return Ways.Stability.CHANGED;
                    }
                } else if (mentions(step, field)) {
                    return Ways.Stability.CHANGED;
                }
            }
        }
        return result;
    }

    private static boolean mentions(SchemaStep step, String field) {
        return step instanceof SchemaStep.Rename rename
                ? rename.from().equals(field) || rename.to().equals(field)
                : step instanceof SchemaStep.Drop drop && drop.field().equals(field);
    }

    /**
     * The fields of a row in the version that it leads to, sorted by name as they are stored.
     *
     * @throws UpgradeFailedException naming the row, when a step fails or the result does not fit
     */
    public Map<String, @Nullable Object> fields(StoredRow row) {
        try {
            Map<String, @Nullable Object> fields =
                    JsonObject.parse("its fields", row.fieldsJson()).fields();
            for (Transition transition : transitions) {
                fields = transition.apply(fields);
            }
            Map<String, @Nullable Object> sorted = new TreeMap<>(CodePointOrder.INSTANCE);
            sorted.putAll(plain ? fields : fitting(row.identity(), fields));
            return sorted;
        } catch (RuntimeException e) {
            throw new UpgradeFailedException(type.ref(), row.identity(), from, to, row.fieldsJson(), e);
        }
    }

    private Map<String, @Nullable Object> fitting(Identity identity, Map<String, @Nullable Object> fields) {
        return RowValues.normalize(type, RowValues.rowOf(type.ref(), identity, fields));
    }

    /**
     * The fields of a new row in the version that it leads to. Fields that the older version does not have keep the values that
     * the row has now; a new row gets what the steps say.
     *
     * @param present the fields that the row has now, in the version that it leads to
     */
    public Map<String, @Nullable Object> merged(
            Identity identity, Map<String, @Nullable Object> fields, Optional<Map<String, @Nullable Object>> present) {
        Map<String, @Nullable Object> result = fields;
        for (Transition transition : transitions) {
            result = transition.apply(result);
        }
        if (present.isPresent()) {
            for (String added : constants()) {
                if (present.get().containsKey(added) && result.containsKey(added)) {
                    result.put(added, present.get().get(added));
                }
            }
        }
        return fitting(identity, result);
    }

    /** The fields that the way fills with a constant, under the names that they have at its end. */
    private List<String> constants() {
        List<String> names = new ArrayList<>();
        for (Transition transition : transitions) {
            if (transition instanceof Transition.BySteps steps) {
                for (SchemaStep step : steps.steps()) {
                    if (step instanceof SchemaStep.Set set && set.value().isConstant()) {
                        names.add(set.field());
                    } else if (step instanceof SchemaStep.Rename rename && names.remove(rename.from())) {
                        names.add(rename.to());
                    } else if (step instanceof SchemaStep.Drop drop) {
                        names.remove(drop.field());
                    }
                }
            }
        }
        return names;
    }
}
