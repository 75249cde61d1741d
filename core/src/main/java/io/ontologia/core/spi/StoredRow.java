package io.ontologia.core.spi;

import io.ontologia.core.Identity;

/**
 * One stored version of a row.
 *
 * @param fieldsJson the payload as it is stored, canonical or not; {@link #END} when this version is the end of the row
 * @param commitId the commit that wrote it
 * @param schemaVersion the version of its type's schema that it was written with
 */
public record StoredRow(Identity identity, String fieldsJson, long commitId, long schemaVersion) {
    /** The payload of a version that ends its row. */
    public static final String END = "null";

    /** Whether a stored payload ends its row. */
    public static boolean isEnd(String fieldsJson) {
        return fieldsJson.equals(END);
    }

    /** Whether this version is the end of the row. */
    public boolean isEnd() {
        return isEnd(fieldsJson);
    }
}
