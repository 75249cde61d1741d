package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Rows must be brought to a newer schema, and nobody said how. */
public final class MissingUpgradersException extends OntologiaException {
    private final transient Map<TypeRef, List<Long>> missing;

    public MissingUpgradersException(Map<TypeRef, List<Long>> missing) {
        super(
                ErrorKind.INVALID_INPUT,
                "cannot upgrade "
                        + missing.keySet().stream().map(TypeRef::toString).collect(Collectors.joining(", ")),
                "there is no upgrader for "
                        + missing.entrySet().stream()
                                .map(type -> type.getKey() + " from version "
                                        + type.getValue().stream()
                                                .map(String::valueOf)
                                                .collect(Collectors.joining(", ")))
                                .collect(Collectors.joining("; ")),
                "write one for each type and version named, and pass them in; nothing was changed",
                Map.of(
                        "missing_upgraders",
                        missing.entrySet().stream()
                                .collect(Collectors.toMap(type -> type.getKey().toString(), Map.Entry::getValue))),
                null);
        this.missing = new LinkedHashMap<>(missing);
    }

    /** The versions that no upgrader starts from, by type. */
    public Map<TypeRef, List<Long>> missing() {
        return missing == null ? Map.of() : Map.copyOf(missing);
    }
}
