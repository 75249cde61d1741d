package io.ontologia.core.internal;

import io.ontologia.core.Change;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.PayloadEquality;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowQuery.Restriction;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
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

    /** What making these rows true would change, in the order of types and identities. */
    public List<Change> changes(Collection<DesiredRow> wanted) {
        Map<TypeRef, Map<Identity, DesiredRow>> byType = new LinkedHashMap<>();
        wanted.forEach(row ->
                byType.computeIfAbsent(row.type(), type -> new HashMap<>()).put(row.identity(), row));
        List<Change> changes = new ArrayList<>();
        byType.forEach((type, rows) -> {
            Map<Identity, StoredRow> stored = stored(type, rows.keySet());
            rows.forEach((identity, row) -> {
                StoredRow before = stored.get(identity);
                if (before == null || !equality.same(type, before.fieldsJson(), row.fieldsJson())) {
                    changes.add(change(row, before));
                }
            });
        });
        changes.sort(BY_TYPE_AND_IDENTITY);
        return changes;
    }

    private Map<Identity, StoredRow> stored(TypeRef type, Set<Identity> wanted) {
        Set<String> keys = new LinkedHashSet<>();
        wanted.forEach(identity -> keys.add(firstKey(identity)));
        Map<Identity, StoredRow> stored = new HashMap<>();
        Restriction.Part part = type.kind() == TypeKind.ENTITY ? Restriction.Part.KEY : Restriction.Part.LEFT;
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

    private static Change change(DesiredRow wanted, @Nullable StoredRow before) {
        return new Change(
                wanted.type(),
                wanted.identity(),
                before == null ? Change.Operation.INSERT : Change.Operation.UPDATE_VERSION,
                Optional.ofNullable(before).map(row -> fields(wanted.type(), row.fieldsJson())),
                fields(wanted.type(), wanted.fieldsJson()));
    }

    private static Map<String, @Nullable Object> fields(TypeRef type, String json) {
        return JsonObject.parse("the fields of a " + type, json).fields();
    }
}
