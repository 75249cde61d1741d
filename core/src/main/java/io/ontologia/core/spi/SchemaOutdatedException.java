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
        this(
                types,
                cause,
                "run 'onto migrate' with the current models, or use the models that the store was migrated to");
    }

    private SchemaOutdatedException(Collection<TypeRef> types, String cause, String remedy) {
        super(
                ErrorKind.CONFLICT,
                "schema mismatch for " + types.stream().map(TypeRef::toString).collect(Collectors.joining(", ")),
                cause,
                remedy,
                Map.of("types", types.stream().map(TypeRef::toString).toList()),
                null);
        this.types = List.copyOf(types);
    }

    /** Types were migrated in a way that a program with an earlier version of them cannot follow. */
    public static SchemaOutdatedException ofOlderProgram(Collection<TypeRef> types, String cause) {
        return new SchemaOutdatedException(
                types, cause, "deploy the version of this program that has the models which the store was migrated to");
    }

    /**
     * A type was migrated or dropped after a session was opened.
     *
     * @param opened the version that the session works with
     * @param current the version that the store has now; 0 when it does not know the type any more
     */
    public static SchemaOutdatedException sinceOpening(TypeRef type, long opened, long current) {
        return new SchemaOutdatedException(
                List.of(type),
                "this session was opened with version " + opened + " of its schema, and the store "
                        + (current == 0 ? "has dropped the type" : "has version " + current) + " now",
                current == 0
                        ? "open a new session, without the type"
                        : "open a new session, in a program that has the models of version " + current);
    }

    /** The types whose schema differs. */
    public List<TypeRef> types() {
        return types;
    }
}
