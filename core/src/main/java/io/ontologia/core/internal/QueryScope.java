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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What queries of one session need to know: where to read, and the types with their schema versions. */
public final class QueryScope {
    private final Storage storage;
    private final Map<TypeRef, OntologyType> types;
    private final Map<TypeRef, Long> versions;
    private final SessionWays ways;
    private final UpgradedRows upgraded;
    private final KeyPaths keys;
    private final OtherVersions others;
    private final OptionalLong pin;
    private final OpenStreams streams = new OpenStreams();

    /**
     * @param pin the commit that queries see as the newest one; empty for the newest one there is
     */
    public QueryScope(Storage storage, SessionTypes types, Upgraders upgraders, OptionalLong pin) {
        this.storage = storage;
        this.pin = pin;
        this.types = types.types();
        this.versions = types.versions();
        this.ways = new SessionWays(storage, types, upgraders);
        this.upgraded = new UpgradedRows(storage, ways);
        this.keys = new KeyPaths(types.types());
        this.others = new OtherVersions(storage, ways);
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
     * The rows that a query finds, in the schema version of this session.
     *
     * @throws SchemaOutdatedException when a type that it reads has a version whose rows this session cannot show
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when rows of the past cannot be shown, unless they may be
     *     left out
     */
    public Stream<FoundRow> rows(RowQuery query, Unreadable unreadable) {
        RowQuery prepared = prepare(query);
        return isLookUp(prepared) ? lookUp(prepared, unreadable) : plainRows(query, unreadable);
    }

    /** Rows of the present that another program wrote are left out with a warning, and not an error. */
    private Unreadable tolerated(RowQuery query, Unreadable asked) {
        return query.window() instanceof Window.Latest && ways.isNewest(query.type()) ? Unreadable.OMIT : asked;
    }

    /** Whether rows of several schema versions may be in the answer, or in what it looks at. */
    private boolean spansVersions(RowQuery query, Predicate<FieldPath.Scope> looksAt) {
        return spansVersions(query, query.type())
                || query.leftType()
                        .filter(end -> looksAt.test(FieldPath.Scope.LEFT))
                        .filter(end -> spansVersions(query, TypeRef.entity(end)))
                        .isPresent()
                || query.rightType()
                        .filter(end -> looksAt.test(FieldPath.Scope.RIGHT))
                        .filter(end -> spansVersions(query, TypeRef.entity(end)))
                        .isPresent();
    }

    private boolean spansVersions(RowQuery query, TypeRef type) {
        if (!ways.knows(type)) {
            return false;
        }
        return query.window() instanceof Window.Latest
                ? !ways.isNewest(type) || others.areShown(type)
                : ways.hasOthers(type);
    }

    /**
     * Whether a query asks for the latest version of one entity, or for all versions of one whose type has one schema version.
     */
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
                && (query.window() instanceof Window.Latest || !ways.hasOthers(query.type()));
    }

    /**
     * The versions of one entity. A migration writes a new version of each: where the newest one has this session's schema
     * version, the type was not migrated, and there is no need to ask for its version. The rest of the filter is tested here:
     * for a few rows that takes less time than to have the store prepare a statement.
     */
    private Stream<FoundRow> lookUp(RowQuery query, Unreadable unreadable) {
        List<StoredRow> found;
        try (Stream<StoredRow> rows =
                storage.rows(query.ofVersion(OptionalLong.empty()).filteredBy(Optional.empty()))) {
            found = rows.toList();
        }
        if (found.isEmpty()) {
            ways.refresh(query.type());
        }
        return found.stream()
                .filter(query::mayShow)
                .flatMap(row -> shown(query.type(), row, unreadable).stream())
                .filter(row -> query.filter()
                        .map(tests -> new RowDocument(row, null, null).passes(tests))
                        .orElse(true));
    }

    /** As {@link #rows}, also for a query of one key: a row of the present that is not readable is left out and is no failure. */
    public Stream<FoundRow> plainRows(RowQuery query, Unreadable unreadable) {
        RowQuery prepared = prepare(query);
        return settled(
                prepared,
                prepared::looksAt,
                () -> streams.own(
                        spansVersions(prepared, prepared::looksAt)
                                ? upgraded.rows(prepared, tolerated(prepared, unreadable))
                                : storage.rows(prepared).map(FoundRow::of)),
                Stream::close);
    }

    /** The identities of the rows that a query finds, in any order. */
    public Stream<Identity> identities(RowQuery query, Unreadable unreadable) {
        RowQuery prepared = prepare(query);
        return settled(
                prepared,
                prepared::looksAt,
                () -> streams.own(
                        spansVersions(prepared, prepared::looksAt)
                                ? upgraded.identities(prepared, tolerated(prepared, unreadable))
                                : storage.identities(prepared)),
                Stream::close);
    }

    /** A row of any version; when it cannot be shown, and the type has not changed meanwhile, that is an error. */
    private Optional<FoundRow> shown(TypeRef type, StoredRow row, Unreadable unreadable) {
        Long ours = versions.get(type);
        if (ours == null || row.schemaVersion() == ours) {
            return Optional.of(FoundRow.of(row));
        }
        ways.refresh(type);
        Optional<FoundRow> upgradedRow = upgraded.upgrade(type, row, Unreadable.OMIT);
        if (upgradedRow.isEmpty() && unreadable == Unreadable.FAIL) {
            throw OtherVersions.unreadable(type, row, ours);
        }
        return upgradedRow;
    }

    /**
     * The only row that a query of the present names. A row of this session's version shows that its type was not migrated.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when there is one that cannot be shown
     */
    public Optional<FoundRow> row(RowQuery query) {
        RowQuery prepared = prepare(query);
        Optional<StoredRow> found;
        try (Stream<StoredRow> rows = storage.rows(prepared.ofVersion(OptionalLong.empty()))) {
            found = rows.findFirst();
        }
        if (found.isEmpty()) {
            ways.refresh(prepared.type());
            return Optional.empty();
        }
        return shown(prepared.type(), found.get(), Unreadable.FAIL);
    }

    /**
     * An answer that every type it reads still has the version for. Versions only grow: one that is right after the reading
     * began was right when it began. Where a type got another version whose rows this session can show, the question is asked
     * again.
     */
    private <T> T settled(
            RowQuery query, Predicate<FieldPath.Scope> looksAt, Supplier<T> question, Consumer<? super T> discarding) {
        while (true) {
            T answer = question.get();
            boolean again;
            try {
                again = refresh(query, looksAt) || others.found(query);
            } catch (RuntimeException e) {
                discarding.accept(answer);
                throw e;
            }
            if (!again) {
                return answer;
            }
            discarding.accept(answer);
        }
    }

    private boolean refresh(RowQuery query, Predicate<FieldPath.Scope> looksAt) {
        boolean changed = ways.refresh(query.type());
        if (query.leftType().isPresent() && looksAt.test(FieldPath.Scope.LEFT)) {
            changed |= ways.refresh(TypeRef.entity(query.leftType().get()));
        }
        if (query.rightType().isPresent() && looksAt.test(FieldPath.Scope.RIGHT)) {
            changed |= ways.refresh(TypeRef.entity(query.rightType().get()));
        }
        return changed;
    }

    /** How the store finds the rows of a query; what upgraders do after that is not part of it. */
    public Explanation explain(RowQuery query) {
        return storage.explain(prepare(query));
    }

    /** Whether a known type has more than one schema version. */
    boolean hasHadVersions(TypeRef type) {
        return ways.knows(type) && ways.hasOthers(type);
    }

    /** How many rows a query finds, limit and offset aside. */
    public long count(RowQuery query, Unreadable unreadable) {
        RowQuery prepared = prepare(query);
        return settled(
                prepared,
                prepared::looksAt,
                () -> spansVersions(prepared, prepared::looksAt)
                        ? upgraded.count(prepared, tolerated(prepared, unreadable))
                        : storage.count(prepared),
                count -> {});
    }

    /** What an aggregation computes. */
    public List<Map<String, @Nullable Object>> aggregate(AggregateQuery query, Unreadable unreadable) {
        RowQuery prepared = prepare(query.rows());
        AggregateNames names = new AggregateNames(query, keys);
        AggregateQuery whole = names.resolved(prepared);
        List<Map<String, @Nullable Object>> results = settled(
                prepared,
                whole::looksAt,
                () -> spansVersions(prepared, whole::looksAt)
                        ? upgraded.aggregate(whole, tolerated(prepared, unreadable))
                        : storage.aggregate(whole),
                result -> {});
        return names.asAsked(results, new FilterCheck(prepared.type(), types));
    }

    /** How many rows of a query's window cannot be shown because of their schema version. */
    public long omitted(RowQuery query) {
        RowQuery prepared = prepare(query).unfiltered();
        if (prepared.schemaVersion().isEmpty()) {
            return 0;
        }
        return settled(
                prepared,
                scope -> false,
                () -> spansVersions(prepared, scope -> false) || !ways.isNewest(prepared.type())
                        ? upgraded.omitted(prepared)
                        : ofOtherVersions(prepared),
                count -> {});
    }

    private long ofOtherVersions(RowQuery query) {
        return query.window() instanceof Window.Latest && query.restriction().isEmpty()
                ? storage.rowsOfOtherVersions(
                        query.type(), query.schemaVersion().getAsLong())
                : storage.count(query.ofVersion(OptionalLong.empty())) - storage.count(query);
    }
}
