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
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** A set of types that fit together: names are unique per kind, and relations join entity types of the model. */
public final class Model {
    private final Map<TypeRef, OntologyType> types;
    private final Map<TypeRef, Map<Long, List<SchemaStep>>> steps;

    private Model(Map<TypeRef, OntologyType> types) {
        this(types, Map.of());
    }

    private Model(Map<TypeRef, OntologyType> types, Map<TypeRef, Map<Long, List<SchemaStep>>> steps) {
        this.types = types;
        this.steps = steps;
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

    /**
     * The same model with the steps from one version of a type to the next. They say how old rows become new ones where that is not
     * obvious; what they leave out is added where it is.
     *
     * @param fromVersion the version that they start from
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the model lacks the type, or has steps from that
     *     version already
     */
    public Model withSteps(TypeRef type, long fromVersion, List<SchemaStep> all) {
        Map<TypeRef, Map<Long, List<SchemaStep>>> changed = new LinkedHashMap<>(steps);
        Map<Long, List<SchemaStep>> ofType = new TreeMap<>(changed.getOrDefault(type, Map.of()));
        if (!types.containsKey(type) || fromVersion < 1 || ofType.put(fromVersion, List.copyOf(all)) != null) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid steps of " + type + " from version " + fromVersion,
                    "the model lacks the type, or has such steps already, or the version is below 1",
                    "correct them");
        }
        changed.put(type, ofType);
        return new Model(types, changed);
    }

    /** The steps from a version of a type to the next; empty when the model has none. */
    public List<SchemaStep> steps(TypeRef type, long fromVersion) {
        return steps.getOrDefault(type, Map.of()).getOrDefault(fromVersion, List.of());
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
