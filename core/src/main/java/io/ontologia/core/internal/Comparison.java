package io.ontologia.core.internal;

import io.ontologia.core.Change;
import io.ontologia.core.Identity;
import io.ontologia.core.RowRef;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.PayloadEquality;
import io.ontologia.core.spi.RetractedEnds;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowQuery.Restriction;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares wanted rows with what a store holds, by queries only: for sessions that may not write. */
public final class Comparison {
    private static final int BATCH = 10_000;
    private static final Comparator<Change> BY_TYPE_AND_IDENTITY = Comparator.<Change, TypeKind>comparing(
                    change -> change.type().kind())
            .thenComparing(change -> change.type().name())
            .thenComparing(change -> change.identity().toString());

    private final Storage storage;
    private final PayloadEquality equality;

    /** Compares with what this storage holds now. */
    public Comparison(Storage storage, PayloadEquality equality) {
        this.storage = storage;
        this.equality = equality;
    }

    /** What a commit would change, in the order of types and identities. */
    public List<Change> changes(CommitRequest asked) {
        List<RowRef> existing = RetractedEnds.of(asked).stream()
                .filter(row -> version(row, Long.MAX_VALUE).isPresent())
                .toList();
        CommitRequest request =
                existing.isEmpty() ? asked : RetractedEnds.settle(asked, existing, storage.schemas(), this::relations);
        Map<TypeRef, Map<Identity, DesiredRow>> byType = new LinkedHashMap<>();
        request.rows()
                .forEach(row -> byType.computeIfAbsent(row.type(), type -> new HashMap<>())
                        .put(row.identity(), row));
        List<Change> changes = new ArrayList<>();
        byType.forEach((type, rows) -> {
            Map<Identity, StoredRow> stored = stored(type, rows.keySet());
            rows.forEach((identity, row) -> {
                StoredRow before = stored.get(identity);
                if (differs(before, row)) {
                    changes.add(
                            Change.of(type, identity, before == null ? null : before.fieldsJson(), row.fieldsJson()));
                }
            });
        });
        changes.sort(BY_TYPE_AND_IDENTITY);
        return changes;
    }

    private boolean differs(@Nullable StoredRow before, DesiredRow row) {
        if (before == null || row.isRetraction()) {
            return (before == null) != row.isRetraction();
        }
        return !equality.same(row.type(), before.fieldsJson(), row.fieldsJson());
    }

    /** The version of a row that is in force after a commit; {@link Long#MAX_VALUE} for the newest state. */
    public Optional<StoredRow> version(RowRef row, long commitId) {
        Window window = commitId == Long.MAX_VALUE ? new Window.Latest() : new Window.AsOf(commitId);
        RowQuery query = RowQuery.of(row.type(), window)
                .restrictedTo(new Restriction(part(row.type()), List.of(firstKey(row.identity()))));
        try (Stream<StoredRow> rows = storage.rows(query)) {
            return rows.filter(found -> found.identity().equals(row.identity())).findFirst();
        }
    }

    private List<Identity> relations(TypeRef type, Restriction.Part end, List<String> keys) {
        RowQuery query = RowQuery.of(type, new Window.Latest()).restrictedTo(new Restriction(end, keys));
        try (Stream<StoredRow> rows = storage.rows(query)) {
            return rows.map(StoredRow::identity).toList();
        }
    }

    private static Restriction.Part part(TypeRef type) {
        return type.kind() == TypeKind.ENTITY ? Restriction.Part.KEY : Restriction.Part.LEFT;
    }

    /** The latest versions of rows, of whatever schema version. */
    Map<Identity, StoredRow> stored(TypeRef type, Set<Identity> wanted) {
        Set<String> keys = new LinkedHashSet<>();
        wanted.forEach(identity -> keys.add(firstKey(identity)));
        Map<Identity, StoredRow> stored = new HashMap<>();
        Restriction.Part part = part(type);
        List<String> all = List.copyOf(keys);
        for (int start = 0; start < all.size(); start += BATCH) {
            List<String> batch = all.subList(start, Math.min(all.size(), start + BATCH));
            RowQuery query = RowQuery.of(type, new Window.Latest()).restrictedTo(new Restriction(part, batch));
            try (Stream<StoredRow> rows = storage.rows(query)) {
                rows.filter(row -> wanted.contains(row.identity())).forEach(row -> stored.put(row.identity(), row));
            }
        }
        return stored;
    }

    private static String firstKey(Identity identity) {
        return identity instanceof Identity.OfEntity entity ? entity.key() : ((Identity.OfRelation) identity).leftKey();
    }
}
