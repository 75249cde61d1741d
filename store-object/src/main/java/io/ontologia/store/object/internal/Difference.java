package io.ontologia.store.object.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.StoredRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The rows of a request that differ from their latest version.
 *
 * @param changed by type
 * @param before the latest version of those that have one
 */
record Difference(Map<TypeRef, List<DesiredRow>> changed, Map<RowKey, StoredRow> before) {

    /** Names one row of a store. */
    record RowKey(TypeRef type, Identity identity) {}

    /**
     * Compares a request with what is stored.
     *
     * @param latest finds the latest version of rows of one type
     * @param overlay rows that commits before this one will have written when it becomes visible
     */
    static Difference of(
            CommitRequest request,
            BiFunction<TypeRef, List<Identity>, List<StoredRow>> latest,
            Map<RowKey, StoredRow> overlay) {
        Map<TypeRef, List<DesiredRow>> wanted = new LinkedHashMap<>();
        request.rows()
                .forEach(row -> wanted.computeIfAbsent(row.type(), unused -> new ArrayList<>())
                        .add(row));
        Map<TypeRef, List<DesiredRow>> changed = new LinkedHashMap<>();
        Map<RowKey, StoredRow> before = new HashMap<>();
        wanted.forEach((type, rows) -> {
            Map<Identity, StoredRow> stored = new HashMap<>();
            latest.apply(type, rows.stream().map(DesiredRow::identity).toList())
                    .forEach(row -> stored.put(row.identity(), row));
            List<DesiredRow> different = new ArrayList<>();
            for (DesiredRow row : rows) {
                RowKey key = new RowKey(type, row.identity());
                StoredRow present = overlay.containsKey(key) ? overlay.get(key) : stored.get(row.identity());
                if (present == null || differs(present, row, request)) {
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

    private static boolean differs(StoredRow present, DesiredRow row, CommitRequest request) {
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
        return before.size();
    }
}
