package io.ontologia.core.internal;

import io.ontologia.core.Explanation;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Upgraders;
import io.ontologia.core.Window;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What queries of one session need to know: where to read, and the types with their schema versions. */
public final class QueryScope {
    private final Storage storage;
    private final Map<TypeRef, OntologyType> types;
    private final Map<TypeRef, Long> versions;
    private final UpgradedRows upgraded;
    private final KeyPaths keys;
    private final OtherVersions others;
    private final OptionalLong pin;
    private final OpenStreams streams = new OpenStreams();

    /**
     * @param pin the commit that queries see as the newest one; empty for the newest one there is
     */
    public QueryScope(
            Storage storage,
            Map<TypeRef, OntologyType> types,
            Map<TypeRef, Long> versions,
            Upgraders upgraders,
            OptionalLong pin) {
        this.storage = storage;
        this.pin = pin;
        this.types = types;
        this.versions = versions;
        this.upgraded = new UpgradedRows(storage, types, versions, upgraders);
        this.keys = new KeyPaths(types);
        this.others = new OtherVersions(storage);
    }

    /** Ends the streams that are still open. */
    public void endStreams() {
        streams.close();
    }

    /** Where to read. */
    public Storage storage() {
        return storage;
    }

    /** The last commit made at or before a moment, of those that queries see. */
    public long commitAt(Instant moment) {
        return Math.min(storage.commitAt(moment), pin.orElse(Long.MAX_VALUE));
    }

    /**
     * Refuses a filter that no row of a type can pass: it looks at what the type does not have, or compares a field with a
     * value of another type.
     */
    public void check(TypeRef type, Filter filter) {
        new FilterCheck(type, types).check(filter);
    }

    /** Refuses a path that no row of a type can have a value at. */
    public void check(TypeRef type, FieldPath path) {
        new FilterCheck(type, types).check(path);
    }

    /**
     * The query with everything that the type decides: the entity types at its ends, the schema version, and which of its
     * tests are look-ups of keys.
     */
    public RowQuery prepare(RowQuery query) {
        Optional<RelationType> relation = Optional.ofNullable(types.get(query.type()))
                .filter(RelationType.class::isInstance)
                .map(RelationType.class::cast);
        Long version = versions.get(query.type());
        return keys.resolve(new RowQuery(
                query.type(),
                pin.isPresent() ? query.window().upTo(pin.getAsLong()) : query.window(),
                query.filter(),
                relation.map(RelationType::left),
                relation.map(RelationType::right),
                version == null ? OptionalLong.empty() : OptionalLong.of(version),
                query.restriction(),
                query.order(),
                query.limit(),
                query.offset(),
                query.after()));
    }

    /**
     * The rows that a query finds.
     *
     * @throws SchemaOutdatedException when a type that it reads has another version than this session works with
     */
    public Stream<StoredRow> rows(RowQuery query) {
        RowQuery prepared = prepare(query);
        if (isLookUp(prepared)) {
            return lookUp(prepared);
        }
        return warned(
                prepared,
                streams.own(current(
                        prepared, upgraded.serves(prepared) ? upgraded.rows(prepared) : storage.rows(prepared))));
    }

    private Stream<StoredRow> warned(RowQuery query, Stream<StoredRow> rows) {
        try {
            others.warn(query);
            return rows;
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
    }

    /** Whether a query asks for the latest version, or for all versions, of one entity. */
    private boolean isLookUp(RowQuery query) {
        return !(query.window() instanceof Window.AsOf)
                && query.restriction()
                        .filter(keys -> keys.part() == RowQuery.Restriction.Part.KEY
                                && keys.keys().size() == 1)
                        .isPresent()
                && query.schemaVersion().isPresent()
                && query.order().isEmpty()
                && query.after().isEmpty()
                && query.limit().isEmpty()
                && query.offset() == 0
                && !upgraded.serves(query);
    }

    /**
     * The versions of one entity. A migration writes a new version of each: where the newest one has this session's schema
     * version, the type was not migrated, and there is no need to ask for its version. The rest of the filter is tested here:
     * for a few rows that takes less time than to have the store prepare a statement.
     */
    private Stream<StoredRow> lookUp(RowQuery query) {
        List<StoredRow> versions;
        try (Stream<StoredRow> rows =
                storage.rows(query.ofVersion(OptionalLong.empty()).filteredBy(Optional.empty()))) {
            versions = rows.toList();
        }
        long ours = query.schemaVersion().getAsLong();
        if (versions.isEmpty() || versions.get(versions.size() - 1).schemaVersion() != ours) {
            requireCurrent(query);
            if (!versions.isEmpty() && query.window() instanceof Window.Latest) {
                throw OtherVersions.unreadable(query.type(), versions.get(0), ours);
            }
        }
        return versions.stream()
                .filter(row -> row.isEnd() ? query.showsEnds() : row.schemaVersion() == ours)
                .filter(row -> query.filter()
                        .map(tests -> RowDocument.of(row).passes(tests))
                        .orElse(true));
    }

    /** As {@link #rows}, also for a query of one key: a row that is not readable is left out and is no failure. */
    public Stream<StoredRow> plainRows(RowQuery query) {
        RowQuery prepared = prepare(query);
        return streams.own(
                current(prepared, upgraded.serves(prepared) ? upgraded.rows(prepared) : storage.rows(prepared)));
    }

    /** The identities of the rows that a query finds, in any order. */
    public Stream<Identity> identities(RowQuery query) {
        RowQuery prepared = prepare(query);
        return streams.own(current(
                prepared,
                upgraded.serves(prepared)
                        ? upgraded.rows(prepared).map(StoredRow::identity)
                        : storage.identities(prepared)));
    }

    /**
     * The only row that a query of the present names. A row of this session's version shows that its type was not migrated.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when there is one, of another schema version
     */
    public Optional<StoredRow> row(RowQuery query) {
        RowQuery prepared = prepare(query);
        OptionalLong version = prepared.schemaVersion();
        Optional<StoredRow> found;
        try (Stream<StoredRow> rows = storage.rows(prepared.ofVersion(OptionalLong.empty()))) {
            found = rows.findFirst();
        }
        boolean readable = found.isPresent()
                && version.orElse(found.get().schemaVersion()) == found.get().schemaVersion();
        if (!readable) {
            requireCurrent(prepared);
        }
        if (found.isPresent() && !readable) {
            throw OtherVersions.unreadable(prepared.type(), found.get(), version.orElse(0));
        }
        return found;
    }

    private <T> Stream<T> current(RowQuery query, Stream<T> rows) {
        try {
            requireCurrent(query);
            return rows;
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
    }

    /**
     * Refuses an answer from rows that this session cannot see or understand. Versions only grow: one that is right after the
     * reading began was right when it began.
     */
    private void requireCurrent(RowQuery query) {
        requireCurrent(query, query::looksAt);
    }

    private void requireCurrent(RowQuery query, Predicate<FieldPath.Scope> looksAt) {
        requireCurrent(query.type());
        query.leftType().filter(end -> looksAt.test(FieldPath.Scope.LEFT)).ifPresent(this::requireCurrentEntity);
        query.rightType().filter(end -> looksAt.test(FieldPath.Scope.RIGHT)).ifPresent(this::requireCurrentEntity);
    }

    private void requireCurrentEntity(String type) {
        requireCurrent(TypeRef.entity(type));
    }

    private void requireCurrent(TypeRef type) {
        Long opened = versions.get(type);
        if (opened != null) {
            long now = storage.schemaVersion(type);
            if (now != opened) {
                throw SchemaOutdatedException.sinceOpening(type, opened, now);
            }
        }
    }

    /** How the store finds the rows of a query; what upgraders do after that is not part of it. */
    public Explanation explain(RowQuery query) {
        return storage.explain(prepare(query));
    }

    /** How many rows a query finds, limit and offset aside. */
    public long count(RowQuery query) {
        RowQuery prepared = prepare(query);
        long found = upgraded.serves(prepared) ? upgraded.count(prepared) : storage.count(prepared);
        requireCurrent(prepared);
        others.warn(prepared);
        return found;
    }

    /** What an aggregation computes. */
    public List<Map<String, @Nullable Object>> aggregate(AggregateQuery query) {
        RowQuery prepared = prepare(query.rows());
        AggregateNames names = new AggregateNames(query, keys);
        AggregateQuery whole = names.resolved(prepared);
        List<Map<String, @Nullable Object>> results =
                upgraded.serves(prepared) ? upgraded.aggregate(whole) : storage.aggregate(whole);
        requireCurrent(prepared, whole::looksAt);
        others.warn(prepared);
        return names.asAsked(results, new FilterCheck(prepared.type(), types));
    }

    /** How many rows of a query's window are left out because of their schema version. */
    public long omitted(RowQuery query) {
        RowQuery prepared = prepare(query).unfiltered();
        if (prepared.schemaVersion().isEmpty()) {
            return 0;
        }
        long omitted = upgraded.serves(prepared) ? upgraded.omitted(prepared) : ofOtherVersions(prepared);
        requireCurrent(prepared);
        return omitted;
    }

    private long ofOtherVersions(RowQuery query) {
        return query.window() instanceof Window.Latest && query.restriction().isEmpty()
                ? storage.rowsOfOtherVersions(
                        query.type(), query.schemaVersion().getAsLong())
                : storage.count(query.ofVersion(OptionalLong.empty())) - storage.count(query);
    }
}
