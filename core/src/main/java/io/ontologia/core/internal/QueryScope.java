package io.ontologia.core.internal;

import io.ontologia.core.Explanation;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What queries of one session need to know: where to read, and the types with their schema versions. */
public final class QueryScope {
    private final Storage storage;
    private final Map<TypeRef, OntologyType> types;
    private final Map<TypeRef, Long> versions;
    private final UpgradedRows upgraded;

    public QueryScope(
            Storage storage, Map<TypeRef, OntologyType> types, Map<TypeRef, Long> versions, Upgraders upgraders) {
        this.storage = storage;
        this.types = types;
        this.versions = versions;
        this.upgraded = new UpgradedRows(storage, types, versions, upgraders);
    }

    /** Where to read. */
    public Storage storage() {
        return storage;
    }

    /** Refuses a filter that looks into ends that the type does not have. */
    public void requireEndpoints(TypeRef type, Filter filter) {
        if (type.kind() == TypeKind.ENTITY
                && (filter.looksAt(FieldPath.Scope.LEFT) || filter.looksAt(FieldPath.Scope.RIGHT))) {
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
        return new RowQuery(
                query.type(),
                query.window(),
                query.filter(),
                relation.map(RelationType::left),
                relation.map(RelationType::right),
                version == null ? OptionalLong.empty() : OptionalLong.of(version),
                query.restriction(),
                query.order(),
                query.limit(),
                query.offset(),
                query.after());
    }

    /** The rows that a query finds. */
    public Stream<StoredRow> rows(RowQuery query) {
        RowQuery prepared = prepare(query);
        return upgraded.serves(prepared) ? upgraded.rows(prepared) : storage.rows(prepared);
    }

    /** How the store finds the rows of a query; what upgraders do after that is not part of it. */
    public Explanation explain(RowQuery query) {
        return storage.explain(prepare(query));
    }

    /** How many rows a query finds, limit and offset aside. */
    public long count(RowQuery query) {
        RowQuery prepared = prepare(query);
        return upgraded.serves(prepared) ? upgraded.count(prepared) : storage.count(prepared);
    }

    /** What an aggregation computes. */
    public List<Map<String, @Nullable Object>> aggregate(AggregateQuery query) {
        RowQuery prepared = prepare(query.rows());
        AggregateQuery whole = new AggregateQuery(prepared, query.aggregates(), query.groupBy(), query.having());
        return upgraded.serves(prepared) ? upgraded.aggregate(whole) : storage.aggregate(whole);
    }

    /** How many rows of a query's window are left out because of their schema version. */
    public long omitted(RowQuery query) {
        RowQuery prepared = prepare(query).unfiltered();
        if (prepared.schemaVersion().isEmpty()) {
            return 0;
        }
        return upgraded.serves(prepared)
                ? upgraded.omitted(prepared)
                : storage.count(prepared.ofVersion(OptionalLong.empty())) - storage.count(prepared);
    }
}
