package io.ontologia.core.internal;

import io.ontologia.core.Aggregate;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Order;
import io.ontologia.core.RelationType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowQuery.Restriction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the parts of a query that ask for keys. The field that holds an entity's key, and the one that holds a relation's
 * instance key, are read from the identity; a test for certain keys, which every row must pass, becomes a restriction, which
 * stores answer by a look-up.
 */
final class KeyPaths {
    private final Map<TypeRef, OntologyType> types;

    KeyPaths(Map<TypeRef, OntologyType> types) {
        this.types = types;
    }

    /** The same query with keys read from the identity and, where possible, restricted to certain keys. */
    RowQuery resolve(RowQuery query) {
        RowQuery resolved = new RowQuery(
                query.type(),
                query.window(),
                query.filter().map(filter -> resolve(query.type(), filter)),
                query.leftType(),
                query.rightType(),
                query.schemaVersion(),
                query.restriction(),
                query.order().stream()
                        .map(order -> new Order(resolve(query.type(), order.path()), order.direction()))
                        .toList(),
                query.limit(),
                query.offset(),
                query.after());
        return resolved.restriction().isPresent() ? resolved : restricted(resolved);
    }

    /** The same aggregate with keys read from the identity. */
    Aggregate resolve(TypeRef type, Aggregate aggregate) {
        return new Aggregate(
                aggregate.name(),
                aggregate.function(),
                aggregate.path().map(path -> resolve(type, path)),
                aggregate.filter().map(filter -> resolve(type, filter)));
    }

    /** The part of the identity that a field holds, or the path itself. */
    FieldPath resolve(TypeRef owner, FieldPath path) {
        if (path.scope() != FieldPath.Scope.SELF || path.segments().size() > 1) {
            return path;
        }
        OntologyType type = types.get(owner);
        String field = path.segments().get(0);
        if (type instanceof EntityType entity && entity.keyField().equals(field)) {
            return FieldPath.KEY;
        }
        return type instanceof RelationType relation
                        && relation.instanceKeyField().filter(field::equals).isPresent()
                ? FieldPath.INSTANCE_KEY
                : path;
    }

    private Filter resolve(TypeRef owner, Filter filter) {
        if (filter instanceof Filter.At at) {
            FieldPath path = resolve(owner, at.path());
            return path.equals(at.path()) ? at : new Filter.At(path, at.test());
        }
        if (filter instanceof Filter.And and) {
            return new Filter.And(resolve(owner, and.parts()));
        }
        if (filter instanceof Filter.Or or) {
            return new Filter.Or(resolve(owner, or.parts()));
        }
        return filter instanceof Filter.Not not ? new Filter.Not(resolve(owner, not.part())) : filter;
    }

    private List<Filter> resolve(TypeRef owner, List<Filter> parts) {
        return parts.stream().map(part -> resolve(owner, part)).toList();
    }

    /** Of several tests for keys the one with the fewest becomes the restriction; the others stay in the filter. */
    private RowQuery restricted(RowQuery query) {
        List<Filter> parts = new ArrayList<>(query.conjuncts());
        @Nullable Filter chosen = null;
        @Nullable Restriction best = null;
        for (Filter part : parts) {
            Restriction keys = keysOf(query, part).orElse(null);
            if (keys != null
                    && (best == null || keys.keys().size() < best.keys().size())) {
                chosen = part;
                best = keys;
            }
        }
        if (best == null || chosen == null) {
            return query;
        }
        if (((Filter.At) chosen).path().scope() == FieldPath.Scope.IDENTITY) {
            parts.remove(chosen);
        }
        return query.filteredBy(
                        parts.isEmpty()
                                ? Optional.empty()
                                : Optional.of(parts.size() == 1 ? parts.get(0) : new Filter.And(parts)))
                .restrictedTo(best);
    }

    /** The keys that a row must have one of to pass a test. */
    private Optional<Restriction> keysOf(RowQuery query, Filter part) {
        if (!(part instanceof Filter.At at)) {
            return Optional.empty();
        }
        Optional<Restriction.Part> where = partOf(query, at.path());
        if (where.isEmpty()) {
            return Optional.empty();
        }
        if (at.test() instanceof Filter.Compare compare
                && compare.op() == Filter.Op.EQ
                && compare.value() instanceof String key) {
            return Optional.of(restriction(where.get(), Stream.of(key)));
        }
        return at.test() instanceof Filter.In in
                ? Optional.of(restriction(where.get(), in.values().stream()))
                : Optional.empty();
    }

    /** To those of some values that a row can have as its key. */
    private static Restriction restriction(Restriction.Part part, Stream<?> values) {
        return new Restriction(
                part,
                values.filter(String.class::isInstance)
                        .map(String.class::cast)
                        .filter(Identity::isKey)
                        .distinct()
                        .toList());
    }

    /** The key that has the value at a path wherever there is one. */
    private Optional<Restriction.Part> partOf(RowQuery query, FieldPath path) {
        return switch (path.scope()) {
            case SELF -> Optional.empty();
            case LEFT -> query.leftType().filter(type -> isKey(type, path)).map(type -> Restriction.Part.LEFT);
            case RIGHT -> query.rightType().filter(type -> isKey(type, path)).map(type -> Restriction.Part.RIGHT);
            case IDENTITY ->
                switch (path.segments().get(0)) {
                    case "key" -> Optional.of(Restriction.Part.KEY);
                    case "left_key" -> Optional.of(Restriction.Part.LEFT);
                    case "right_key" -> Optional.of(Restriction.Part.RIGHT);
                    default -> Optional.empty();
                };
        };
    }

    private boolean isKey(String entityType, FieldPath path) {
        return path.segments().size() == 1
                && types.get(TypeRef.entity(entityType)) instanceof EntityType entity
                && entity.keyField().equals(path.segments().get(0));
    }
}
