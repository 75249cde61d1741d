package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.stream.Collectors;

/** An erasure was refused, because relations use the entities or because there is nothing to erase. Nothing was changed. */
public final class ErasureRefusedException extends OntologiaException {
    private static final long serialVersionUID = 1;

    public ErasureRefusedException(ErasurePlan plan) {
        super(
                plan.isEmpty() ? ErrorKind.NOT_FOUND : ErrorKind.CONFLICT,
                "cannot erase",
                plan.isEmpty()
                        ? "no version of the named rows is in the store"
                        : plan.dependents().entrySet().stream()
                                .map(relations -> relations.getValue() + " of " + relations.getKey())
                                .collect(Collectors.joining(", ", "relations name them: ", "")),
                plan.isEmpty()
                        ? "check type and keys; what was erased before stays erased"
                        : "erase the relations too (--cascade-relations); nothing was changed");
    }
}
