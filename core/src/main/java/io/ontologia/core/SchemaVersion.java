package io.ontologia.core;

import io.ontologia.core.internal.SchemaDocuments;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;
import java.util.Optional;

/**
 * One version of a type's schema.
 *
 * @param version counts from 1 for each type
 * @param schemaJson the document as it is stored
 * @param reason {@code initial}, {@code migration} or {@code bootstrap}
 * @param upgrade how rows of the version before become rows of this one, as a JSON document; empty for a first version, and
 *     where the program that made the version did not record it
 */
public record SchemaVersion(
        TypeRef type,
        long version,
        String schemaJson,
        String schemaHash,
        Instant createdAt,
        Optional<String> runtimeId,
        Optional<String> reason,
        Optional<String> upgrade) {
    /** No type gets near it: a migration adds one version. */
    private static final long MOST = 1_000_000;

    public SchemaVersion {
        if (version < 1 || version > MOST) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read the schema of " + type,
                    "its version is " + version,
                    "restore it from a backup; 'onto fsck' tells what else is damaged");
        }
    }

    /** A version without a record of how rows of the version before become rows of this one. */
    public SchemaVersion(
            TypeRef type,
            long version,
            String schemaJson,
            String schemaHash,
            Instant createdAt,
            Optional<String> runtimeId,
            Optional<String> reason) {
        this(type, version, schemaJson, schemaHash, createdAt, runtimeId, reason, Optional.empty());
    }

    /** The type that the document describes. */
    public OntologyType describe() {
        return SchemaDocuments.read(type.kind(), schemaJson);
    }
}
