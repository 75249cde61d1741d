package io.ontologia.cli.internal.filter;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Refuses paths that no row of a type can have a value at. Asking for them is allowed and finds nothing, which looks like an
 * answer where it is a slip of the pen.
 */
public final class FieldCheck {
    private final OntologyType type;
    private final Function<TypeRef, Optional<OntologyType>> types;

    /**
     * @param type the type that is asked about
     * @param types all types, for the ends of relations
     */
    public FieldCheck(OntologyType type, Collection<OntologyType> types) {
        this.type = type;
        Map<TypeRef, OntologyType> byRef = types.stream().collect(Collectors.toMap(OntologyType::ref, one -> one));
        this.types = ref -> Optional.ofNullable(byRef.get(ref));
    }

    /** Checks every path of a filter. */
    public void check(Filter filter) {
        if (filter instanceof Filter.At at) {
            check(at.path());
        } else if (filter instanceof Filter.Any any) {
            check(any.list());
        } else if (filter instanceof Filter.And and) {
            and.parts().forEach(this::check);
        } else if (filter instanceof Filter.Or or) {
            or.parts().forEach(this::check);
        } else if (filter instanceof Filter.Not not) {
            check(not.part());
        }
    }

    /** Checks a path. */
    public void check(FieldPath path) {
        switch (path.scope()) {
            case SELF -> check(type, path);
            case LEFT -> end(RelationType::left).ifPresent(entity -> check(entity, path));
            case RIGHT -> end(RelationType::right).ifPresent(entity -> check(entity, path));
            case IDENTITY -> {
                // Rows of every type have one; the query refuses a part that rows of this kind do not have.
            }
        }
    }

    private Optional<OntologyType> end(Function<RelationType, String> side) {
        return type instanceof RelationType relation
                ? types.apply(TypeRef.entity(side.apply(relation)))
                : Optional.empty();
    }

    private static void check(OntologyType owner, FieldPath path) {
        List<String> segments = path.segments();
        TypeSpec spec = owner.fields().stream()
                .filter(field -> field.name().equals(segments.get(0)))
                .findFirst()
                .orElseThrow(() -> unknown(
                        path,
                        owner.ref().toString(),
                        segments.get(0),
                        owner.fields().stream().map(field -> field.name()).collect(Collectors.toSet())))
                .type();
        for (String segment : segments.subList(1, segments.size())) {
            Optional<TypeSpec.Struct> struct = struct(spec);
            if (struct.isEmpty()) {
                return;
            }
            spec = struct.get().fields().get(segment);
            if (spec == null) {
                throw unknown(
                        path,
                        struct.get().name(),
                        segment,
                        struct.get().fields().keySet());
            }
        }
    }

    private static Optional<TypeSpec.Struct> struct(TypeSpec spec) {
        if (spec instanceof TypeSpec.Union union) {
            List<TypeSpec> members = union.members().stream()
                    .filter(member -> member != TypeSpec.Primitive.NONE)
                    .toList();
            return members.size() == 1 ? struct(members.get(0)) : Optional.empty();
        }
        return spec instanceof TypeSpec.Struct struct ? Optional.of(struct) : Optional.empty();
    }

    private static OntologiaException unknown(FieldPath path, String owner, String name, Set<String> known) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid path '" + path + "'",
                owner + " has no field '" + name + "'",
                "it has " + known.stream().sorted().collect(Collectors.joining(", ")));
    }
}
