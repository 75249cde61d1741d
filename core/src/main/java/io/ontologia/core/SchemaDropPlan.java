package io.ontologia.core;

import io.ontologia.core.spi.Restructuring;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the removal of a type would do.
 *
 * @param affected every type that would be removed, the target first, then relation types by name
 * @param rowCounts how many rows each affected type has
 * @param dependents relation types that use the target and would not be removed; there must be none
 * @param history what would become of rows
 * @param token what {@link SchemaDrop#apply} wants to see; fits as long as target, affected types, purge mode, newest
 *     commit and schema versions stay the same
 */
public record SchemaDropPlan(
        TypeRef target,
        List<TypeRef> affected,
        Map<TypeRef, StorageInfo.RowCounts> rowCounts,
        List<TypeRef> dependents,
        Restructuring.History history,
        String token) {
    public SchemaDropPlan {
        affected = List.copyOf(affected);
        rowCounts = Collections.unmodifiableMap(new LinkedHashMap<>(rowCounts));
        dependents = List.copyOf(dependents);
    }

    /** Whether there are rows, which must be deleted with their type. */
    public boolean requiresPurge() {
        return rowCounts.values().stream().anyMatch(counts -> counts.history() > 0);
    }

    /** Whether there are rows and nobody said that they may be deleted. */
    boolean lacksPurge() {
        return requiresPurge() && history != Restructuring.History.PURGE;
    }

    /** What stands in the way, one sentence each; empty when the plan can be carried out. */
    public List<String> obstacles() {
        List<String> obstacles = new ArrayList<>();
        if (!dependents.isEmpty()) {
            obstacles.add("it is used by "
                    + dependents.stream().map(TypeRef::toString).collect(Collectors.joining(", ")));
        }
        if (lacksPurge()) {
            obstacles.add("there are rows: "
                    + rowCounts.entrySet().stream()
                            .filter(type -> type.getValue().history() > 0)
                            .map(type -> type.getValue().history() + " versions of " + type.getKey())
                            .collect(Collectors.joining(", ")));
        }
        return obstacles;
    }

    /**
     * Refuses a plan that cannot be carried out.
     *
     * @throws SchemaDropRefusedException naming every obstacle
     */
    public void requireNoObstacles() {
        if (!obstacles().isEmpty()) {
            throw new SchemaDropRefusedException(this);
        }
    }
}
