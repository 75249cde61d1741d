package io.ontologia.core;

import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one commit does to one row.
 *
 * @param before the payload before, when it is known and there was one
 * @param after the payload after; empty when the row ends
 */
public record Change(
        TypeRef type,
        Identity identity,
        Operation operation,
        Optional<Map<String, @Nullable Object>> before,
        Map<String, @Nullable Object> after) {

    /**
     * The change from one version of a row to the next one, as stores keep them.
     *
     * @param before the version before, if there is one
     * @param after what the commit writes
     */
    public static Change of(TypeRef type, Identity identity, @Nullable String before, String after) {
        boolean existed = before != null && !StoredRow.isEnd(before);
        Optional<Map<String, @Nullable Object>> old =
                Optional.ofNullable(existed ? before : null).map(json -> fields(type, json));
        if (StoredRow.isEnd(after)) {
            return new Change(type, identity, Operation.RETRACT, old, Map.of());
        }
        Operation operation = existed ? Operation.UPDATE_VERSION : Operation.INSERT;
        return new Change(type, identity, operation, old, fields(type, after));
    }

    private static Map<String, @Nullable Object> fields(TypeRef type, String json) {
        return JsonObject.parse("the fields of a " + type, json).fields();
    }

    /** The kinds of change. */
    public enum Operation {
        /** The row is new. */
        INSERT,
        /** The row gets another version. */
        UPDATE_VERSION,
        /** The row ends. */
        RETRACT;

        /** The operation as it is printed: {@code insert}, {@code update_version} or {@code retract}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
