package io.ontologia.core.spi;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The schema of some types is not the one that the caller works with. */
public final class SchemaOutdatedException extends OntologiaException {
    private final List<TypeRef> types;

    public SchemaOutdatedException(Collection<TypeRef> types, String cause) {
        super(
                ErrorKind.CONFLICT,
                "schema mismatch for " + types.stream().map(TypeRef::toString).collect(Collectors.joining(", ")),
                cause,
                "run 'onto migrate' with the current models, or use the models that the store was migrated to",
                Map.of("types", types.stream().map(TypeRef::toString).toList()),
                null);
        this.types = List.copyOf(types);
    }

    /** The types whose schema differs. */
    public List<TypeRef> types() {
        return types;
    }
}
