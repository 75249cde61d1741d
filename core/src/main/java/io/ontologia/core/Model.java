package io.ontologia.core;

import io.ontologia.core.internal.records.RecordBinding;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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
        return collect(types, type -> type);
    }

    /** A model of records, each an {@link Entity} or a {@link Relation}. Lists every problem of every record. */
    public static Model ofRecords(Collection<? extends Class<?>> records) {
        return collect(records, record -> RecordBinding.of(record).type());
    }

    /** A model of nothing: enough to read what is stored. */
    public static Model empty() {
        return new Model(Map.of());
    }

    private static <S> Model collect(Collection<? extends S> sources, Function<S, OntologyType> toType) {
        List<String> problems = new ArrayList<>();
        Map<TypeRef, OntologyType> types = new LinkedHashMap<>();
        for (S source : sources) {
            try {
                OntologyType type = toType.apply(source);
                if (types.put(type.ref(), type) != null) {
                    problems.add("two types are called " + type.ref());
                }
            } catch (OntologiaException e) {
                problems.add(e.getMessage());
            }
        }
        for (OntologyType type : List.copyOf(types.values())) {
            if (type instanceof RelationType relation && problems.isEmpty()) {
                for (String end : List.of(relation.left(), relation.right())) {
                    if (!types.containsKey(TypeRef.entity(end))) {
                        problems.add("relation " + relation.name() + " joins the unknown entity type " + end);
                    }
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid model",
                    String.join("; ", problems),
                    "",
                    Map.of("problems", problems),
                    null);
        }
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
