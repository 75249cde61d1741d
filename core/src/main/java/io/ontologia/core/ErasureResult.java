package io.ontologia.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an erasure did.
 *
 * @param versions how many versions of rows were erased, by type
 * @param events how many events were removed
 * @param commitId the commit that records the erasure
 * @param remains what still holds the content of erased rows
 */
public record ErasureResult(Map<TypeRef, Long> versions, long events, long commitId, ErasureRemains remains) {
    public ErasureResult {
        versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
    }
}
