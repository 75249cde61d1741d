package io.ontologia.store.object.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.StoredRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a request that differ from their latest version.
 *
 * @param changed by type
 * @param before the latest version of those that are there
 */
record Difference(Map<TypeRef, List<DesiredRow>> changed, Map<RowKey, StoredRow> before) {

    /** Names one row of a store. */
    record RowKey(TypeRef type, Identity identity) {}

    /**
     * Looks for all rows that some requests want, with one question for each type.
     *
     * @param latest finds the latest version of rows of one type
     */
    static Map<RowKey, StoredRow> stored(
            Collection<CommitRequest> requests, BiFunction<TypeRef, List<Identity>, List<StoredRow>> latest) {
        Map<TypeRef, Set<Identity>> wanted = new LinkedHashMap<>();
        requests.forEach(request -> request.rows()
                .forEach(row -> wanted.computeIfAbsent(row.type(), unused -> new LinkedHashSet<>())
                        .add(row.identity())));
        Map<RowKey, StoredRow> stored = new HashMap<>();
        wanted.forEach((type, identities) -> latest.apply(type, List.copyOf(identities))
                .forEach(row -> stored.put(new RowKey(type, row.identity()), row)));
        return stored;
    }

    /**
     * Compares a request with what is stored.
     *
     * @param stored the latest version of all rows that the request wants and that there are
     */
    static Difference of(CommitRequest request, Map<RowKey, StoredRow> stored) {
        Map<TypeRef, List<DesiredRow>> wanted = new LinkedHashMap<>();
        request.rows()
                .forEach(row -> wanted.computeIfAbsent(row.type(), unused -> new ArrayList<>())
                        .add(row));
        Map<TypeRef, List<DesiredRow>> changed = new LinkedHashMap<>();
        Map<RowKey, StoredRow> before = new HashMap<>();
        wanted.forEach((type, rows) -> {
            List<DesiredRow> different = new ArrayList<>();
            for (DesiredRow row : rows) {
                RowKey key = new RowKey(type, row.identity());
                StoredRow found = stored.get(key);
                StoredRow present = found == null || found.isEnd() ? null : found;
                if (differs(present, row, request)) {
                    different.add(row);
                    if (present != null) {
                        before.put(key, present);
                    }
                }
            }
            if (!different.isEmpty()) {
                changed.put(type, different);
            }
        });
        return new Difference(changed, before);
    }

    private static boolean differs(@Nullable StoredRow present, DesiredRow row, CommitRequest request) {
        if (present == null || row.isRetraction()) {
            return (present == null) != row.isRetraction();
        }
        if (present.schemaVersion() != request.schemaVersions().getOrDefault(row.type(), 1L)) {
            return true;
        }
        return !present.fieldsJson().equals(row.fieldsJson())
                && !request.equality().same(row.type(), present.fieldsJson(), row.fieldsJson());
    }

    boolean isEmpty() {
        return changed.isEmpty();
    }

    long rows() {
        return changed.values().stream().mapToLong(List::size).sum();
    }

    long updates() {
        return before.size() - retractions();
    }

    long retractions() {
        return changed.values().stream()
                .mapToLong(
                        rows -> rows.stream().filter(DesiredRow::isRetraction).count())
                .sum();
    }
}
