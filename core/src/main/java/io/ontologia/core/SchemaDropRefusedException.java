package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A type is not removed because others use it, or because it has rows. */
public final class SchemaDropRefusedException extends OntologiaException {
    public SchemaDropRefusedException(SchemaDropPlan plan) {
        super(
                ErrorKind.CONFLICT,
                "cannot drop " + plan.target(),
                String.join("; ", plan.obstacles()),
                Stream.of(
                                plan.dependents().isEmpty()
                                        ? ""
                                        : "drop those relations too (--drop-relation or --cascade-relations)",
                                plan.lacksPurge() ? "delete the rows for good (--purge-history)" : "")
                        .filter(remedy -> !remedy.isEmpty())
                        .collect(Collectors.joining(", and ")),
                Map.of(
                        "dependents", names(plan.dependents()),
                        "affected", names(plan.affected()),
                        "requires_purge", plan.requiresPurge()),
                null);
    }

    private static List<String> names(List<TypeRef> types) {
        return types.stream().map(TypeRef::toString).toList();
    }
}
