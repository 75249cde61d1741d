package io.ontologia.core;

import io.ontologia.core.internal.records.RecordBinding;
import io.ontologia.core.internal.validation.Problems;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** A set of types that fit together: names are unique per kind, and relations join entity types of the model. */
public final class Model {
    private final Map<TypeRef, OntologyType> types;

    private Model(Map<TypeRef, OntologyType> types) {
        this.types = types;
    }

    /** A model of types that were declared one by one. */
    public static Model of(OntologyType... types) {
        return of(List.of(types));
    }

    /**
     * A model of types.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} listing every problem
     */
    public static Model of(Collection<? extends OntologyType> types) {
        return collect(types, OntologyType::name, type -> type);
    }

    /** A model of records, each an {@link Entity} or a {@link Relation}. Lists every problem of every record. */
    public static Model ofRecords(Collection<? extends Class<?>> records) {
        return collect(
                records,
                RecordBinding::nameOf,
                record -> RecordBinding.of(record).type());
    }

    /** A model of nothing: enough to read what is stored. */
    public static Model empty() {
        return new Model(Map.of());
    }

    private static <S> Model collect(
            Collection<? extends S> sources, Function<S, String> nameOf, Function<S, OntologyType> toType) {
        Problems problems = new Problems();
        Map<TypeRef, OntologyType> types = new LinkedHashMap<>();
        Set<String> refused = new HashSet<>();
        for (S source : sources) {
            Optional<OntologyType> type = problems.attempt(nameOf.apply(source) + ": ", () -> toType.apply(source));
            if (type.isEmpty()) {
                refused.add(nameOf.apply(source));
            } else if (types.put(type.get().ref(), type.get()) != null) {
                problems.add("two types are called " + type.get().ref());
            }
        }
        for (OntologyType type : types.values()) {
            if (type instanceof RelationType relation) {
                Stream.of(relation.left(), relation.right())
                        .distinct()
                        .filter(end -> !types.containsKey(TypeRef.entity(end)) && !refused.contains(end))
                        .forEach(end -> problems.add(
                                relation.name() + ": it joins " + end + ", which is no entity type of the model"));
            }
        }
        problems.refuseIfAny("invalid model");
        return new Model(types);
    }

    /** Every type, in the order of declaration. */
    public Collection<OntologyType> types() {
        return List.copyOf(types.values());
    }

    /** The type of this name and kind. */
    public Optional<OntologyType> find(TypeRef ref) {
        return Optional.ofNullable(types.get(ref));
    }
}
