package io.ontologia.core;

import io.ontologia.core.internal.SchemaDocuments;
import java.time.Instant;
import java.util.Optional;

/**
 * One version of a type's schema.
 *
 * @param version counts from 1 for each type
 * @param schemaJson the document as it is stored
 * @param reason {@code initial}, {@code migration} or {@code bootstrap}
 */
public record SchemaVersion(
        TypeRef type,
        long version,
        String schemaJson,
        String schemaHash,
        Instant createdAt,
        Optional<String> runtimeId,
        Optional<String> reason) {

    /** The type that the document describes. */
    public OntologyType describe() {
        return SchemaDocuments.read(type.kind(), schemaJson);
    }
}
