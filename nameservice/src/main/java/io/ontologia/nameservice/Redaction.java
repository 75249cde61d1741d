package io.ontologia.nameservice;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hides what may be secret in records.
 *
 * <p>In a config ({@link #of}) only fields that are known to be harmless keep their values; all others are replaced by {@value #MARK}.
 * Field names and the watermark stay. A text with user information or a query in a URL is replaced even in a harmless field. Every
 * surface that shows records without being asked for the secrets by name uses this.
 *
 * <p>In a status ({@link #forReaders}) texts stay in fields that are known to be harmless, and numbers in all fields whose names do
 * not suggest a secret. Tokens of locks are replaced, in the index too. A server uses this for clients that may only read.
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
    /** URLs with a user or a query, {@code user/password@host}, and settings as {@code password=…}. */
    private static final Pattern SUSPICIOUS = Pattern.compile(
            "(?si).*(://[^/]*@|[?]|[/:][^/@]+@|(passw|pwd|secret|token|credential|accountkey|accesskey)[^=:]*[=:]).*");

    private static final Set<String> HARMLESS_IN_STATUS = Set.of(
            "state", "reason", "error", "message", "phase", "progress", "holder", "host", "version", SoftLocks.FENCE);
    private static final Pattern LOCK = Pattern.compile("[a-z_]*lock");
    private static final Pattern SECRET = Pattern.compile("(?i).*(token|passw|secret|credential|auth|key$).*");
    private static final Pattern USER_IN_URL = Pattern.compile("(?s).*://[^/]*@.*");

    /** Longer texts are hidden unseen. */
    private static final int LONGEST = 2000;

    private Redaction() {}

    /** The value without what may be secret; only {@link Concern#CONFIG} is changed. */
    public static ConcernValue of(Concern concern, ConcernValue value) {
        return concern == Concern.CONFIG
                ? new ConcernValue(
                        value.watermark(),
                        value.payload().map(payload -> ConcernPayload.of(fields(payload.fields()))),
                        value.origin())
                : value;
    }

    /** The value for clients that may only read: as {@link #of}, and a status and an index without tokens of locks and the like. */
    public static ConcernValue forReaders(Concern concern, ConcernValue value) {
        return switch (concern) {
            case HEAD -> value;
            case CONFIG -> of(concern, value);
            case STATUS ->
                new ConcernValue(
                        value.watermark(),
                        value.payload().map(payload -> ConcernPayload.of(status(payload.fields()))),
                        value.origin());
            case INDEX ->
                new ConcernValue(
                        value.watermark(),
                        value.payload()
                                .map(payload -> payload.fields().containsKey(SoftLocks.FENCE)
                                        ? payload.with(SoftLocks.FENCE, MARK)
                                        : payload),
                        value.origin());
        };
    }

    /** The record for clients that may only read. */
    public static NameRecord forReaders(NameRecord record) {
        return record.with(Concern.INDEX, forReaders(Concern.INDEX, record.index()))
                .with(Concern.STATUS, forReaders(Concern.STATUS, record.status()))
                .with(Concern.CONFIG, forReaders(Concern.CONFIG, record.config()));
    }

    private static Map<String, @Nullable Object> status(Map<?, ?> source) {
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        source.forEach((key, value) -> shown.put((String) key, status((String) key, value)));
        return shown;
    }

    private static @Nullable Object status(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map && LOCK.matcher(name).matches()) {
            return status(map);
        }
        boolean harmless = value instanceof String text
                ? HARMLESS_IN_STATUS.contains(name)
                        && !USER_IN_URL.matcher(text).matches()
                : (value instanceof Number || value instanceof Boolean)
                        && !SECRET.matcher(name).matches();
        return harmless ? value : hidden(value);
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
        return value instanceof String text
                        && (text.length() > LONGEST || SUSPICIOUS.matcher(text).matches())
                ? MARK
                : value;
    }
}
