package io.ontologia.core.internal;

import io.ontologia.core.FieldDef;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what no row of a type can pass or have: paths that the type lacks, accessors of other types, and values of another
 * type than the field's. Such a query would find nothing, which looks like an answer where it is a mistake.
 */
final class FilterCheck {
    private final TypeRef type;
    private final Map<TypeRef, OntologyType> types;

    /**
     * @param type the type that is asked about
     * @param types all types, for the ends of relations; what is not among them is not checked
     */
    FilterCheck(TypeRef type, Map<TypeRef, OntologyType> types) {
        this.type = type;
        this.types = types;
    }

    /** Checks every test of a filter. */
    void check(Filter filter) {
        if (filter instanceof Filter.At at) {
            TypeSpec spec = specAt(at.path());
            check(at.path().toString(), spec, at.test());
        } else if (filter instanceof Filter.Any any) {
            check(any);
        } else if (filter instanceof Filter.And and) {
            and.parts().forEach(this::check);
        } else if (filter instanceof Filter.Or or) {
            or.parts().forEach(this::check);
        } else if (filter instanceof Filter.Not not) {
            check(not.part());
        }
    }

    /** Checks a path. */
    void check(FieldPath path) {
        specAt(path);
    }

    /** Whether the values at a path are of type float. */
    boolean isFloat(FieldPath path) {
        return bare(specAt(path)) == Primitive.FLOAT;
    }

    private void check(Filter.Any any) {
        TypeSpec list = bare(specAt(any.list()));
        if (list == Primitive.ANY) {
            return;
        }
        if (!(list instanceof TypeSpec.ListOf items)) {
            throw invalid("'" + any.list() + "' is " + list.pythonText() + " and no list", "test the value itself");
        }
        TypeSpec item = items.item();
        String where = any.list() + "[]";
        for (String segment : any.item()) {
            item = inside(item, where, segment);
            where += "." + segment;
        }
        check(where, item, any.test());
    }

    private void check(String where, TypeSpec spec, Filter.Test test) {
        if (test instanceof Filter.Compare compare) {
            requireFit(where, spec, compare.value());
        } else if (test instanceof Filter.In in) {
            in.values().forEach(value -> requireFit(where, spec, value));
        } else if (test instanceof Filter.Text text) {
            requireFit(where, spec, text.part());
        }
    }

    private void requireFit(String where, TypeSpec spec, Object value) {
        if (!takes(spec, value)) {
            TypeSpec plain = bare(spec);
            throw invalid(
                    "'" + where + "' is " + TypeNames.of(spec) + ", and the filter compares it with the "
                            + TypeNames.ofValue(value),
                    plain instanceof TypeSpec.ListOf
                            ? "test the items of the list, with any"
                            : plain instanceof Primitive primitive
                                    ? "compare it with " + TypeNames.example(primitive)
                                    : "name a field inside it");
        }
    }

    private static boolean takes(TypeSpec spec, Object value) {
        if (spec instanceof TypeSpec.Union union) {
            return union.members().stream().anyMatch(member -> takes(member, value));
        }
        if (spec instanceof Primitive primitive) {
            return switch (primitive) {
                case STR -> value instanceof String;
                case INT, FLOAT -> value instanceof Number;
                case BOOL -> value instanceof Boolean;
                case ANY -> true;
                case NONE -> false;
            };
        }
        return spec instanceof TypeSpec.Ref;
    }

    private TypeSpec specAt(FieldPath path) {
        if (path.scope() == FieldPath.Scope.IDENTITY) {
            requireIdentity(path);
            return Primitive.STR;
        }
        Optional<OntologyType> owner = ownerOf(path);
        if (owner.isEmpty()) {
            return Primitive.ANY;
        }
        String first = path.segments().get(0);
        TypeSpec spec = owner.get().fields().stream()
                .filter(field -> field.name().equals(first))
                .findFirst()
                .map(FieldDef::type)
                .orElseThrow(() -> unknown(
                        path.toString(),
                        owner.get().ref().toString(),
                        first,
                        owner.get().fields().stream().map(FieldDef::name).toList()));
        for (String segment : path.segments().subList(1, path.segments().size())) {
            spec = inside(spec, path.toString(), segment);
        }
        return spec;
    }

    /** The type whose rows a path starts in; empty when nothing is known about it. */
    private Optional<OntologyType> ownerOf(FieldPath path) {
        OntologyType self = types.get(type);
        if (path.scope() == FieldPath.Scope.SELF) {
            requireOwner(path, type.name());
            return Optional.ofNullable(self);
        }
        if (!(self instanceof RelationType relation)) {
            if (self == null) {
                return Optional.empty();
            }
            throw noEnds();
        }
        String end = path.scope() == FieldPath.Scope.LEFT ? relation.left() : relation.right();
        requireOwner(path, end);
        return Optional.ofNullable(types.get(TypeRef.entity(end)));
    }

    private void requireIdentity(FieldPath path) {
        boolean ofEntities = path.equals(FieldPath.KEY);
        if (type.kind() == TypeKind.ENTITY && !ofEntities) {
            throw noEnds();
        }
        if (type.kind() == TypeKind.RELATION && ofEntities) {
            throw invalid("a relation has no key of its own", "use left_key, right_key or instance_key");
        }
        requireOwner(path, type.name());
    }

    private OntologiaException noEnds() {
        return invalid(
                "an entity has no left and right end", "use key, or paths that start with $., or query relations");
    }

    private void requireOwner(FieldPath path, String name) {
        Optional<String> owner = path.owner().filter(other -> !other.equals(name));
        if (owner.isPresent()) {
            throw invalid(
                    "'" + path + "' is a field of " + owner.get() + " and not of " + name,
                    "use an accessor of " + name);
        }
    }

    private TypeSpec inside(TypeSpec spec, String path, String segment) {
        TypeSpec plain = bare(spec);
        if (plain instanceof TypeSpec.Struct struct) {
            TypeSpec field = struct.fields().get(segment);
            if (field == null) {
                throw unknown(path, struct.name(), segment, struct.fields().keySet());
            }
            return field;
        }
        if (plain instanceof TypeSpec.DictOf dict) {
            return dict.value();
        }
        if (plain == Primitive.ANY || plain instanceof TypeSpec.Union || plain instanceof TypeSpec.Ref) {
            return Primitive.ANY;
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid path '" + path + "'",
                "there is nothing called '" + segment + "' inside " + TypeNames.of(plain),
                plain instanceof TypeSpec.ListOf ? "look at the items of the list, with any" : "leave it out");
    }

    /** A type without the null that it allows. */
    private static TypeSpec bare(TypeSpec spec) {
        if (spec instanceof TypeSpec.Union union) {
            List<TypeSpec> members = union.members().stream()
                    .filter(member -> member != Primitive.NONE)
                    .toList();
            return members.size() == 1 ? members.get(0) : spec;
        }
        return spec;
    }

    private static OntologiaException unknown(String path, String owner, String name, Collection<String> known) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid path '" + path + "'",
                owner + " has no field '" + name + "'",
                "it has " + known.stream().sorted().collect(Collectors.joining(", ")));
    }

    private OntologiaException invalid(String cause, String remedy) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "invalid filter on " + type, cause, remedy);
    }

    /** How types and values are called in errors. */
    private static final class TypeNames {
        static String of(TypeSpec spec) {
            TypeSpec plain = bare(spec);
            if (plain instanceof Primitive primitive) {
                return switch (primitive) {
                    case STR -> "a text";
                    case INT -> "an integer";
                    case FLOAT -> "a number";
                    case BOOL -> "true or false";
                    case ANY -> "any value";
                    case NONE -> "null";
                };
            }
            return plain instanceof TypeSpec.ListOf
                    ? "a list"
                    : plain instanceof TypeSpec.Union ? plain.pythonText() : "an object";
        }

        static String ofValue(@Nullable Object value) {
            String shown = String.valueOf(value);
            String start = shown.length() > 40 ? shown.substring(0, 40) + "…" : shown;
            return value instanceof String
                    ? "text '" + start + "'"
                    : value instanceof Boolean ? "truth value " + start : "number " + start;
        }

        static String example(Primitive primitive) {
            return switch (primitive) {
                case STR -> "a text, in quotes";
                case INT, FLOAT -> "a number, without quotes";
                case BOOL -> "true or false, without quotes";
                case ANY, NONE -> "a value of its type";
            };
        }
    }
}
