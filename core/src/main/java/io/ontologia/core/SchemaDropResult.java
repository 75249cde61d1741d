package io.ontologia.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the removal of a type did.
 *
 * @param dropped every type that is gone, the target first
 * @param rowsPurged how many versions of rows were deleted, by type
 * @param commitId the commit that says so
 */
public record SchemaDropResult(TypeRef target, List<TypeRef> dropped, Map<TypeRef, Long> rowsPurged, long commitId) {
    public SchemaDropResult {
        dropped = List.copyOf(dropped);
        rowsPurged = Collections.unmodifiableMap(new LinkedHashMap<>(rowsPurged));
    }
}
