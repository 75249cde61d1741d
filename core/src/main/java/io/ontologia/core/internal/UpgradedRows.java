package io.ontologia.core.internal;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.UnreadableRowsException;
import io.ontologia.core.UpgradeFailedException;
import io.ontologia.core.Window;
import io.ontologia.core.internal.evolution.Way;
import io.ontologia.core.internal.evolution.Ways;
import io.ontologia.core.internal.evolution.Ways.Stability;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Queries over rows of several schema versions, in the version of the session. Where the fields that a query looks at are the
 * same in every version, the store filters, sorts and counts; where they are not, this process does, in a pass over the window,
 * with memory only for the rows that pass where an order is asked for.
 */
final class UpgradedRows {
    private static final int CHUNK = 500;

    private final Storage storage;
    private final SessionWays ways;

    UpgradedRows(Storage storage, SessionWays ways) {
        this.storage = storage;
        this.ways = ways;
    }

    Stream<FoundRow> rows(RowQuery query, Unreadable unreadable) {
        boolean complete = isComplete(query, unreadable);
        if (complete && isPushed(query, query.paths(), Stability.NUMBER)) {
            return storage.rows(query.ofVersion(OptionalLong.empty()))
                    .flatMap(row -> upgrade(query.type(), row, unreadable).stream());
        }
        if (complete && isUniform(query)) {
            return storage.rows(query).map(FoundRow::of);
        }
        Stream<RowDocument> found = found(query, query::looksAt, unreadable);
        if (!query.order().isEmpty()) {
            found = found.sorted(RowDocument.sortedBy(query.order()));
        }
        found = found.skip(query.offset());
        if (query.limit().isPresent()) {
            found = found.limit(query.limit().getAsLong());
        }
        return found.map(RowDocument::row);
    }

    /** The identities of the rows, in any order. */
    Stream<Identity> identities(RowQuery query, Unreadable unreadable) {
        boolean pushed = isComplete(query, unreadable)
                && ways.of(query.type()).isPlain()
                && isPushed(query, query.paths(), Stability.NUMBER);
        return pushed
                ? storage.identities(query.ofVersion(OptionalLong.empty()))
                : rows(query, unreadable).map(FoundRow::identity);
    }

    long count(RowQuery query, Unreadable unreadable) {
        boolean complete = isComplete(query, unreadable);
        if (complete && ways.of(query.type()).isPlain() && isPushed(query, query.paths(), Stability.NUMBER)) {
            return storage.count(query.ofVersion(OptionalLong.empty()));
        }
        if (complete && isUniform(query)) {
            return storage.count(query);
        }
        try (Stream<RowDocument> found = found(query, query::looksAt, unreadable)) {
            return found.count();
        }
    }

    List<Map<String, @Nullable Object>> aggregate(AggregateQuery query, Unreadable unreadable) {
        RowQuery rows = query.rows();
        boolean complete = isComplete(rows, unreadable);
        if (complete
                && ways.of(rows.type()).isPlain()
                && isPushed(rows, rows.paths(), Stability.NUMBER)
                && isPushed(rows, computed(query), Stability.SAME)) {
            return storage.aggregate(new AggregateQuery(
                    rows.ofVersion(OptionalLong.empty()),
                    query.aggregates(),
                    query.groupBy(),
                    query.having(),
                    query.order()));
        }
        if (complete && isUniform(rows)) {
            return storage.aggregate(query);
        }
        try (Stream<RowDocument> found = found(rows, query::looksAt, unreadable)) {
            return RowAggregation.of(query, found);
        }
    }

    private static List<FieldPath> computed(AggregateQuery query) {
        List<FieldPath> paths = new ArrayList<>(query.groupBy());
        for (Aggregate aggregate : query.aggregates()) {
            aggregate.path().ifPresent(paths::add);
            aggregate.filter().ifPresent(filter -> paths.addAll(filter.paths()));
        }
        return paths;
    }

    /** How many rows of the window cannot be shown. */
    long omitted(RowQuery query) {
        Ways known = ways.of(query.type());
        RowQuery all = query.ofVersion(OptionalLong.empty());
        if (known.isPlain()) {
            long shown = storage.count(query.ofVersion(OptionalLong.of(known.version())));
            for (long other : known.others()) {
                shown += known.from(other).isPresent() ? storage.count(query.ofVersion(OptionalLong.of(other))) : 0;
            }
            return storage.count(all) - shown;
        }
        try (Stream<StoredRow> rows = storage.rows(all)) {
            return rows.filter(
                            row -> upgrade(query.type(), row, Unreadable.OMIT).isEmpty())
                    .count();
        }
    }

    /**
     * Whether a way leads from the version of every row in the window.
     *
     * @throws OntologiaException when that is not so, and the answer must not lack rows
     */
    private boolean isComplete(RowQuery query, Unreadable unreadable) {
        Ways known = ways.of(query.type());
        boolean complete = true;
        for (long version : known.unreachable()) {
            long rows = storage.count(whole(query).ofVersion(OptionalLong.of(version)));
            if (rows > 0 && unreadable == Unreadable.FAIL) {
                throw UnreadableRowsException.noWay(query.type(), rows, version, known.version());
            }
            complete &= rows == 0;
        }
        return complete;
    }

    /** Whether the store can do what a query asks for: the values at these paths are the same in every version. */
    private boolean isPushed(RowQuery query, Collection<FieldPath> paths, Stability least) {
        return paths.stream().allMatch(path -> switch (path.scope()) {
            case IDENTITY -> true;
            case SELF -> isStable(query.type(), path, least);
            case LEFT -> isStable(TypeRef.entity(query.leftType().orElse("")), path, least);
            case RIGHT -> isStable(TypeRef.entity(query.rightType().orElse("")), path, least);
        });
    }

    private boolean isStable(TypeRef type, FieldPath path, Stability least) {
        if (!ways.knows(type) || path.segments().isEmpty()) {
            return true;
        }
        if (!ways.hasOthers(type)) {
            return true;
        }
        Ways known = ways.of(type);
        boolean readable =
                path.scope() == FieldPath.Scope.SELF || known.unreachable().isEmpty();
        return readable && known.stability(path.segments().get(0)).compareTo(least) <= 0;
    }

    /** Whether every row of the window has the version of the session, and nothing is asked about ends of other versions. */
    private boolean isUniform(RowQuery query) {
        Ways known = ways.of(query.type());
        return query.paths().stream().allMatch(path -> switch (path.scope()) {
                    case LEFT, RIGHT -> isPushed(query, List.of(path), Stability.NUMBER);
                    case SELF, IDENTITY -> true;
                })
                && known.others().stream()
                        .allMatch(other -> storage.count(whole(query).ofVersion(OptionalLong.of(other))) == 0);
    }

    /** The rows that pass the filter, in the natural order of their window. */
    private Stream<RowDocument> found(RowQuery query, Predicate<FieldPath.Scope> looksAt, Unreadable unreadable) {
        Stream<FoundRow> upgraded =
                storage.rows(whole(query)).flatMap(row -> upgrade(query.type(), row, unreadable).stream());
        boolean left = looksAt.test(FieldPath.Scope.LEFT);
        boolean right = looksAt.test(FieldPath.Scope.RIGHT);
        Stream<RowDocument> documents = left || right
                ? chunks(upgraded).flatMap(chunk -> withEnds(query, chunk, left, right, unreadable))
                : upgraded.map(row -> new RowDocument(row, null, null));
        return query.filter().isPresent()
                ? documents.filter(document -> query.mayShow(document.row().row())
                        && document.passes(query.filter().get()))
                : documents;
    }

    /** Upgrading leaves the identity as it is, so tests of that come first. */
    private static RowQuery whole(RowQuery query) {
        RowQuery all = query.unfiltered();
        List<Filter> identity = query.identityTests();
        return new RowQuery(
                all.type(),
                all.window(),
                identity.isEmpty() ? Optional.empty() : Optional.of(new Filter.And(identity)),
                all.leftType(),
                all.rightType(),
                OptionalLong.empty(),
                all.restriction(),
                all.order(),
                all.limit(),
                all.offset(),
                query.after());
    }

    /**
     * A row in the version of the session; empty when it is left out.
     *
     * @throws OntologiaException when it cannot be shown, and the answer must not lack rows
     */
    Optional<FoundRow> upgrade(TypeRef type, StoredRow row, Unreadable unreadable) {
        if (!ways.knows(type) || row.isEnd()) {
            return Optional.of(FoundRow.of(row));
        }
        Ways known = ways.of(type);
        if (row.schemaVersion() == known.version()) {
            return Optional.of(FoundRow.of(row));
        }
        Optional<Way> way = known.from(row.schemaVersion());
        if (way.isEmpty()) {
            if (unreadable == Unreadable.FAIL) {
                throw UnreadableRowsException.noWay(type, 1, row.schemaVersion(), known.version());
            }
            return Optional.empty();
        }
        try {
            return Optional.of(FoundRow.of(row, way.get().fields(row)));
        } catch (UpgradeFailedException e) {
            if (unreadable == Unreadable.FAIL) {
                throw UnreadableRowsException.failed(type, e);
            }
            return Optional.empty();
        }
    }

    private Stream<RowDocument> withEnds(
            RowQuery query, List<FoundRow> chunk, boolean left, boolean right, Unreadable unreadable) {
        Map<String, Map<String, @Nullable Object>> lefts =
                left ? ends(query, query.leftType(), chunk, Identity.OfRelation::leftKey, unreadable) : Map.of();
        Map<String, Map<String, @Nullable Object>> rights =
                right ? ends(query, query.rightType(), chunk, Identity.OfRelation::rightKey, unreadable) : Map.of();
        return chunk.stream().map(row -> {
            Identity.OfRelation identity = (Identity.OfRelation) row.identity();
            return new RowDocument(row, lefts.get(identity.leftKey()), rights.get(identity.rightKey()));
        });
    }

    /** The entities at one end of several relations, by key: as of the same commit, or as they are now for a history. */
    private Map<String, Map<String, @Nullable Object>> ends(
            RowQuery query,
            Optional<String> entityType,
            List<FoundRow> relations,
            Function<Identity.OfRelation, String> key,
            Unreadable unreadable) {
        TypeRef type = TypeRef.entity(entityType.orElseThrow());
        Window window = query.window().atItsEnd();
        List<String> keys = relations.stream()
                .map(row -> key.apply((Identity.OfRelation) row.identity()))
                .distinct()
                .toList();
        Map<String, Map<String, @Nullable Object>> entities = new HashMap<>();
        RowQuery ofKeys =
                RowQuery.of(type, window).restrictedTo(new RowQuery.Restriction(RowQuery.Restriction.Part.KEY, keys));
        try (Stream<StoredRow> rows = storage.rows(ofKeys)) {
            rows.forEach(row -> upgrade(type, row, unreadable)
                    .ifPresent(found -> entities.put(row.identity().toString(), found.fields())));
        }
        return entities;
    }

    private static Stream<List<FoundRow>> chunks(Stream<FoundRow> rows) {
        Iterator<FoundRow> source = rows.iterator();
        Iterator<List<FoundRow>> chunks = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return source.hasNext();
            }

            @Override
            public List<FoundRow> next() {
                if (!source.hasNext()) {
                    throw new NoSuchElementException();
                }
                List<FoundRow> chunk = new ArrayList<>(CHUNK);
                while (source.hasNext() && chunk.size() < CHUNK) {
                    chunk.add(source.next());
                }
                return chunk;
            }
        };
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(chunks, Spliterator.ORDERED | Spliterator.NONNULL), false)
                .onClose(rows::close);
    }
}
