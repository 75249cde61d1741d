package io.ontologia.core.spi;

import io.ontologia.core.Identity;
import io.ontologia.core.RowRef;
import io.ontologia.core.TypeRef;

/**
 * What should be true of one row.
 *
 * @param fieldsJson the payload as canonical JSON; {@link StoredRow#END} when the row shall end
 */
public record DesiredRow(TypeRef type, Identity identity, String fieldsJson) {
    /** The wish that a row ends. */
    public static DesiredRow retraction(RowRef row) {
        return new DesiredRow(row.type(), row.identity(), StoredRow.END);
    }

    /** Whether the row shall end. */
    public boolean isRetraction() {
        return StoredRow.isEnd(fieldsJson);
    }

    /** The row. */
    public RowRef ref() {
        return new RowRef(type, identity);
    }
}
