package io.ontologia.core.internal;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What queries of one session need to know: where to read, and the types with their schema versions. */
public final class QueryScope {
    private final Storage storage;
    private final Map<TypeRef, OntologyType> types;
    private final Map<TypeRef, Long> versions;

    public QueryScope(Storage storage, Map<TypeRef, OntologyType> types, Map<TypeRef, Long> versions) {
        this.storage = storage;
        this.types = types;
        this.versions = versions;
    }

    /** Where to read. */
    public Storage storage() {
        return storage;
    }

    /** Refuses a filter that looks into ends that the type does not have. */
    public void requireEndpoints(TypeRef type, Filter filter) {
        if (type.kind() == TypeKind.ENTITY && looksAtEnds(filter)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid filter on " + type,
                    "an entity has no left and right end",
                    "use paths that start with $., or query relations");
        }
    }

    /** The query with everything that the type decides: the entity types at its ends, and the schema version. */
    public RowQuery prepare(RowQuery query) {
        Optional<RelationType> relation = Optional.ofNullable(types.get(query.type()))
                .filter(RelationType.class::isInstance)
                .map(RelationType.class::cast);
        Long version = versions.get(query.type());
        return rebuild(
                query,
                relation.map(RelationType::left),
                relation.map(RelationType::right),
                version == null ? OptionalLong.empty() : OptionalLong.of(version));
    }

    /** The same query over rows of every schema version. */
    public RowQuery withoutVersion(RowQuery query) {
        return rebuild(query, query.leftType(), query.rightType(), OptionalLong.empty());
    }

    private static RowQuery rebuild(
            RowQuery query, Optional<String> left, Optional<String> right, OptionalLong version) {
        return new RowQuery(
                query.type(),
                query.window(),
                query.filter(),
                left,
                right,
                version,
                query.restriction(),
                query.order(),
                query.limit(),
                query.offset(),
                query.after());
    }

    private static boolean looksAtEnds(Filter filter) {
        if (filter instanceof Filter.At at) {
            return at.path().scope() != FieldPath.Scope.SELF;
        }
        if (filter instanceof Filter.And and) {
            return and.parts().stream().anyMatch(QueryScope::looksAtEnds);
        }
        if (filter instanceof Filter.Or or) {
            return or.parts().stream().anyMatch(QueryScope::looksAtEnds);
        }
        return filter instanceof Filter.Not not && looksAtEnds(not.part());
    }
}
