package io.ontologia.core.spi;

import io.ontologia.core.Identity;

/**
 * One stored version of a row.
 *
 * @param fieldsJson the payload as it is stored, canonical or not
 * @param commitId the commit that wrote it
 * @param schemaVersion the version of its type's schema that it was written with
 */
public record StoredRow(Identity identity, String fieldsJson, long commitId, long schemaVersion) {}
