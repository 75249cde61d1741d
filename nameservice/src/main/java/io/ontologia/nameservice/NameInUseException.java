package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;

/** A record was not retracted or purged because active records depend on it. Of kind {@link ErrorKind#CONFLICT}. */
public final class NameInUseException extends OntologiaException {
    private static final long serialVersionUID = 1;

    private final transient List<Alias> dependants;

    /**
     * Names the records in the way.
     *
     * @param what what was to be done, {@code retract} or {@code purge}
     * @param dependants the active records that depend on it
     */
    public NameInUseException(Alias alias, String what, List<Alias> dependants) {
        super(
                ErrorKind.CONFLICT,
                "cannot " + what + " " + alias,
                "these depend on it: "
                        + String.join(
                                ", ", dependants.stream().map(Alias::toString).toList()),
                "retract them first, change what they depend on with 'onto ns deps', or force it (--force)",
                Map.of(
                        "alias",
                        alias.toString(),
                        "reason",
                        "in_use",
                        "operation",
                        what,
                        "dependants",
                        dependants.stream().map(Alias::toString).toList()),
                null);
        this.dependants = List.copyOf(dependants);
    }

    /** The active records that depend on it. */
    public List<Alias> dependants() {
        return dependants == null ? List.of() : dependants;
    }
}
