package io.ontologia.core.internal;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.UpgradeFailedException;
import io.ontologia.core.Upgraders;
import io.ontologia.core.Window;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import java.util.ArrayList;
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
 * Queries of the past over rows of every schema version: reads the whole window, upgrades each row, and only then filters
 * and sorts, in this process. Costs a pass over the window, whatever the filter; memory only where an order is asked for,
 * for the rows that pass. Rows that cannot be upgraded are left out.
 */
final class UpgradedRows {
    private static final int CHUNK = 500;

    private final Storage storage;
    private final Map<TypeRef, OntologyType> types;
    private final Map<TypeRef, Long> versions;
    private final Upgraders upgraders;

    UpgradedRows(Storage storage, Map<TypeRef, OntologyType> types, Map<TypeRef, Long> versions, Upgraders upgraders) {
        this.storage = storage;
        this.types = types;
        this.versions = versions;
        this.upgraders = upgraders;
    }

    /** Whether a query looks into the past of a type that has older versions and upgraders for them. */
    boolean serves(RowQuery query) {
        return !(query.window() instanceof Window.Latest)
                && query.schemaVersion().orElse(1) > 1
                && types.containsKey(query.type())
                && upgraders.knows(query.type());
    }

    Stream<StoredRow> rows(RowQuery query) {
        Stream<RowDocument> found = found(query, query::looksAt);
        if (!query.order().isEmpty()) {
            found = found.sorted(RowDocument.sortedBy(query.order()));
        }
        found = found.skip(query.offset());
        if (query.limit().isPresent()) {
            found = found.limit(query.limit().getAsLong());
        }
        return found.map(RowDocument::row);
    }

    long count(RowQuery query) {
        try (Stream<RowDocument> found = found(query, query::looksAt)) {
            return found.count();
        }
    }

    long omitted(RowQuery query) {
        Function<StoredRow, Optional<StoredRow>> upgrade = upgrade(query.type());
        try (Stream<StoredRow> all = storage.rows(query.ofVersion(OptionalLong.empty()))) {
            return all.filter(row -> upgrade.apply(row).isEmpty()).count();
        }
    }

    List<Map<String, @Nullable Object>> aggregate(AggregateQuery query) {
        try (Stream<RowDocument> found = found(query.rows(), query::looksAt)) {
            return RowAggregation.of(query, found);
        }
    }

    /** The rows that pass the filter, in the natural order of their window. */
    private Stream<RowDocument> found(RowQuery query, Predicate<FieldPath.Scope> looksAt) {
        Function<StoredRow, Optional<StoredRow>> upgrade = upgrade(query.type());
        Stream<StoredRow> upgraded = storage.rows(whole(query)).flatMap(row -> upgrade.apply(row).stream());
        boolean left = looksAt.test(FieldPath.Scope.LEFT);
        boolean right = looksAt.test(FieldPath.Scope.RIGHT);
        Stream<RowDocument> documents = left || right
                ? chunks(upgraded).flatMap(chunk -> withEnds(query, chunk, left, right))
                : upgraded.map(row -> new RowDocument(row, fields(row), null, null));
        return query.filter().isPresent()
                ? documents.filter(document -> query.mayShow(document.row())
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

    /** What brings a row of the type to the session's version, or leaves it out. */
    private Function<StoredRow, Optional<StoredRow>> upgrade(TypeRef type) {
        OntologyType declared = types.get(type);
        Long version = versions.get(type);
        if (declared == null || version == null) {
            return Optional::of;
        }
        RowUpgrade upgrade = new RowUpgrade(upgraders, declared, version);
        return row -> {
            if (row.schemaVersion() == version || row.isEnd()) {
                return Optional.of(row);
            }
            if (!upgrade.reaches(row.schemaVersion())) {
                return Optional.empty();
            }
            try {
                return Optional.of(new StoredRow(row.identity(), upgrade.upgrade(row), row.commitId(), version));
            } catch (UpgradeFailedException e) {
                return Optional.empty();
            }
        };
    }

    private Stream<RowDocument> withEnds(RowQuery query, List<StoredRow> chunk, boolean left, boolean right) {
        Map<String, Map<String, @Nullable Object>> lefts =
                left ? ends(query, query.leftType(), chunk, Identity.OfRelation::leftKey) : Map.of();
        Map<String, Map<String, @Nullable Object>> rights =
                right ? ends(query, query.rightType(), chunk, Identity.OfRelation::rightKey) : Map.of();
        return chunk.stream().map(row -> {
            Identity.OfRelation identity = (Identity.OfRelation) row.identity();
            return new RowDocument(row, fields(row), lefts.get(identity.leftKey()), rights.get(identity.rightKey()));
        });
    }

    /** The entities at one end of several relations, by key: as of the same commit, or as they are now for a history. */
    private Map<String, Map<String, @Nullable Object>> ends(
            RowQuery query,
            Optional<String> entityType,
            List<StoredRow> relations,
            Function<Identity.OfRelation, String> key) {
        TypeRef type = TypeRef.entity(entityType.orElseThrow());
        Window window = query.window().atItsEnd();
        List<String> keys = relations.stream()
                .map(row -> key.apply((Identity.OfRelation) row.identity()))
                .distinct()
                .toList();
        Function<StoredRow, Optional<StoredRow>> upgrade = upgrade(type);
        Map<String, Map<String, @Nullable Object>> entities = new HashMap<>();
        RowQuery ofKeys =
                RowQuery.of(type, window).restrictedTo(new RowQuery.Restriction(RowQuery.Restriction.Part.KEY, keys));
        try (Stream<StoredRow> rows = storage.rows(ofKeys)) {
            rows.forEach(row -> entities.put(
                    row.identity().toString(), fields(upgrade.apply(row).orElse(row))));
        }
        return entities;
    }

    private static Map<String, @Nullable Object> fields(StoredRow row) {
        return RowDocument.fields(row);
    }

    private static Stream<List<StoredRow>> chunks(Stream<StoredRow> rows) {
        Iterator<StoredRow> source = rows.iterator();
        Iterator<List<StoredRow>> chunks = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return source.hasNext();
            }

            @Override
            public List<StoredRow> next() {
                if (!source.hasNext()) {
                    throw new NoSuchElementException();
                }
                List<StoredRow> chunk = new ArrayList<>(CHUNK);
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
