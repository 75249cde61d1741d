package io.ontologia.cli.internal.filter;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.core.Filter;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Optional;

/** Some rows of the types of one name, as {@code TYPE} or {@code TYPE:where} says. */
public record TypeScope(String type, Optional<Filter> filter) {
    /**
     * Reads it.
     *
     * @param option which option it is the value of
     */
    public static TypeScope parse(String option, String text) {
        int colon = text.indexOf(':');
        String type = colon < 0 ? text : text.substring(0, colon);
        if (type.isBlank()) {
            throw new UsageError(
                    option + " needs a type",
                    "write " + option + " Customer, or " + option + " \"Customer:tier = 'Gold'\"");
        }
        return new TypeScope(
                type, colon < 0 ? Optional.empty() : Optional.of(WhereParser.parse(option, text.substring(colon + 1))));
    }

    /** The types of a session that have the name: an entity type, a relation type, or both. */
    public List<TypeRef> types(Session session) {
        List<TypeRef> types = session.types().stream()
                .map(OntologyType::ref)
                .filter(known -> known.name().equals(type))
                .toList();
        if (types.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown type " + type,
                    "the store has no type of that name",
                    "see 'onto info --schema' for those that it has");
        }
        return types;
    }
}
