package io.ontologia.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A writer of records that knows the specification of the nameservice and nothing else: it writes exactly the attributes that the
 * specification lists for each object or item, in its order, and reads what others wrote by these attributes alone. Everything else that
 * an object holds is dropped by its next write. Used by one thread.
 */
public interface ForeignRecords {
    /** The 16 attributes of a record, in the order of the specification. */
    List<String> ATTRIBUTES = List.of(
            "pk",
            "v",
            "type",
            "name",
            "branch",
            "deps",
            "created_at",
            "retracted",
            "head_v",
            "head",
            "index_v",
            "index",
            "status_v",
            "status",
            "config_v",
            "config");

    /** The record of an alias, by attribute; empty when there is none. */
    Optional<Map<String, @Nullable Object>> read(String alias);

    /** Creates a record, unborn, if there is none. */
    void create(String alias, String type, long createdAt);

    /** Sets the watermark and the payload of a concern: head, index, status or config. */
    void set(String alias, String concern, long watermark, Map<String, ?> payload);

    /** Sets {@code retracted} and the status that goes with it. */
    void retract(String alias, long statusWatermark, long at);

    /** Removes all objects or the item of a record. */
    void remove(String alias);

    /** A record as the specification creates it. */
    static Map<String, @Nullable Object> unborn(String alias, String type, long createdAt) {
        String[] parts = alias.split(":", -1);
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("pk", alias);
        record.put("v", 2L);
        record.put("type", type);
        record.put("name", parts[parts.length - 2]);
        record.put("branch", parts[parts.length - 1]);
        record.put("deps", null);
        record.put("created_at", createdAt);
        record.put("retracted", false);
        record.put("head_v", 0L);
        record.put("head", null);
        record.put("index_v", 0L);
        record.put("index", null);
        record.put("status_v", 1L);
        record.put("status", Map.of("state", "ready"));
        record.put("config_v", 0L);
        record.put("config", null);
        return record;
    }
}
