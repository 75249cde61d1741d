package io.ontologia.nameservice;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hides what may be secret in a config. Works by a list of fields that are known to be harmless: their values stay, all others are
 * replaced by {@value #MARK}; field names and watermark stay. A text with user information or a query in a URL is replaced even
 * then. Every surface that shows records without being asked for the secrets by name uses this.
 */
public final class Redaction {
    /** What stands in place of a hidden value. */
    public static final String MARK = "[redacted]";

    private static final Set<String> HARMLESS = Set.of(
            "default_context",
            "storage_uri",
            "index_threshold",
            "replication",
            "factor",
            "regions",
            "k1",
            "b",
            "fields",
            "schema",
            "pool_size",
            "read_only",
            "warehouse",
            "catalog",
            "database",
            "dimensions",
            "metric");
    private static final Pattern SUSPICIOUS = Pattern.compile("(?s).*(://[^/]*@|[?]).*");

    private Redaction() {}

    /** The value without what may be secret; only {@link Concern#CONFIG} is changed. */
    public static ConcernValue of(Concern concern, ConcernValue value) {
        return concern == Concern.CONFIG
                ? new ConcernValue(
                        value.watermark(), value.payload().map(payload -> ConcernPayload.of(fields(payload.fields()))))
                : value;
    }

    private static Map<String, @Nullable Object> fields(Map<?, ?> source) {
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        source.forEach((key, value) -> shown.put((String) key, HARMLESS.contains(key) ? shown(value) : hidden(value)));
        return shown;
    }

    private static @Nullable Object hidden(@Nullable Object value) {
        return value == null ? null : MARK;
    }

    private static @Nullable Object shown(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return fields(map);
        }
        if (value instanceof Iterable<?> items) {
            java.util.List<@Nullable Object> list = new java.util.ArrayList<>();
            items.forEach(item -> list.add(shown(item)));
            return list;
        }
        return value instanceof String text && SUSPICIOUS.matcher(text).matches() ? MARK : value;
    }
}
