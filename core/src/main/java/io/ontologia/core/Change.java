package io.ontologia.core;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one commit does to one row.
 *
 * @param before the payload before, when it is known and there was one
 * @param after the payload after
 */
public record Change(
        TypeRef type,
        Identity identity,
        Operation operation,
        Optional<Map<String, @Nullable Object>> before,
        Map<String, @Nullable Object> after) {

    /** The kinds of change. */
    public enum Operation {
        /** The row is new. */
        INSERT,
        /** The row gets another version. */
        UPDATE_VERSION;

        /** The operation as it is printed: {@code insert} or {@code update_version}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
