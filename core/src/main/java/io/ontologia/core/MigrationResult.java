package io.ontologia.core;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a migration did.
 *
 * @param typesMigrated types whose schema changed, by kind and name
 * @param typesRegistered types that are new
 * @param rowsMigrated how many rows of each changed type were rewritten
 * @param newSchemaVersions the current version of each changed or new type
 * @param duration how long it took, the wait for the lock included
 * @param commitId the commit that it made; empty when no schema changed
 */
public record MigrationResult(
        List<TypeRef> typesMigrated,
        List<TypeRef> typesRegistered,
        Map<TypeRef, Long> rowsMigrated,
        Map<TypeRef, Long> newSchemaVersions,
        Duration duration,
        OptionalLong commitId) {
    public MigrationResult {
        typesMigrated = List.copyOf(typesMigrated);
        typesRegistered = List.copyOf(typesRegistered);
        rowsMigrated = Collections.unmodifiableMap(new LinkedHashMap<>(rowsMigrated));
        newSchemaVersions = Collections.unmodifiableMap(new LinkedHashMap<>(newSchemaVersions));
    }
}
