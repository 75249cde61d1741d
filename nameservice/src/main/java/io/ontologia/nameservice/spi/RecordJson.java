package io.ontologia.nameservice.spi;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.Lifecycle;
import io.ontologia.nameservice.NameRecord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of records, with the 16 attributes of schema version 2. Readers take trees as {@link io.ontologia.kernel.Json}
 * reads them; what does not fit is an {@link ErrorKind#CORRUPT} error that names the document and the field.
 */
public final class RecordJson {
    /** The schema version that is written. */
    public static final long VERSION = 2;

    private RecordJson() {}

    /** The tree of a whole record. Shows the config as it is: redact the record first where that is not wanted. */
    public static Map<String, @Nullable Object> write(NameRecord record) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        identity(record, tree);
        for (Concern concern : Concern.values()) {
            concern(concern, record.concern(concern), tree);
        }
        return tree;
    }

    /** Puts what identifies a record into a tree: everything but its concerns. */
    public static void identity(NameRecord record, Map<String, @Nullable Object> tree) {
        tree.put("pk", record.alias().toString());
        tree.put("v", VERSION);
        tree.put("type", record.type().value());
        tree.put("name", record.alias().name());
        tree.put("branch", record.alias().branch());
        tree.put("deps", record.deps().isEmpty() ? null : record.deps());
        tree.put("created_at", EpochSeconds.write(record.createdAt()));
        tree.put("retracted", record.isRetracted());
    }

    /** Puts one concern into a tree, as its watermark and its payload. */
    public static void concern(Concern concern, ConcernValue value, Map<String, @Nullable Object> tree) {
        tree.put(concern.watermarkName(), value.watermark());
        tree.put(concern.wireName(), value.payload().map(ConcernPayload::fields).orElse(null));
    }

    /**
     * Reads a whole record.
     *
     * @param document what it is called in errors, for example its key
     */
    public static NameRecord read(String document, Map<String, ? extends @Nullable Object> tree) {
        return read(
                document,
                tree,
                concern(document, Concern.HEAD, tree),
                concern(document, Concern.INDEX, tree),
                concern(document, Concern.STATUS, tree),
                concern(document, Concern.CONFIG, tree));
    }

    /** Reads what identifies a record, with concerns that come from elsewhere. */
    public static NameRecord read(
            String document,
            Map<String, ? extends @Nullable Object> tree,
            ConcernValue head,
            ConcernValue index,
            ConcernValue status,
            ConcernValue config) {
        requireVersion(document, tree);
        JsonObject object = JsonObject.of(document, tree);
        return valid(
                document,
                () -> new NameRecord(
                        Alias.parse(object.text("pk")),
                        new EntityType(object.text("type")),
                        deps(document, tree),
                        createdAt(document, tree),
                        object.bool("retracted") ? Lifecycle.RETRACTED : Lifecycle.ACTIVE,
                        head,
                        index,
                        status,
                        config));
    }

    /**
     * Checks that a tree is of a version that is known here.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when a later version wrote it
     */
    public static void requireVersion(String document, Map<String, ? extends @Nullable Object> tree) {
        if (tree.get("v") instanceof Number version && version.doubleValue() > VERSION) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + document,
                    "it has version " + version + " of the format, and this program knows version " + VERSION,
                    "use a program that knows that version");
        }
    }

    /** Reads one concern out of a tree; a watermark that is missing is 0, and a payload that is missing is none. */
    public static ConcernValue concern(String document, Concern concern, Map<String, ? extends @Nullable Object> tree) {
        Object watermark = tree.get(concern.watermarkName());
        Object payload = tree.get(concern.wireName());
        if (watermark == null && payload == null) {
            return ConcernValue.unborn();
        }
        JsonObject object = JsonObject.of(document, tree);
        return valid(
                document,
                () -> new ConcernValue(
                        watermark == null ? 0 : object.integer(concern.watermarkName()),
                        payload == null
                                ? Optional.empty()
                                : Optional.of(ConcernPayload.of(
                                        object.object(concern.wireName()).fields()))));
    }

    /** When the record of a tree was created. */
    public static Instant createdAt(String document, Map<String, ? extends @Nullable Object> tree) {
        return EpochSeconds.read(tree.get("created_at"))
                .orElseThrow(() -> corrupt(document, "field 'created_at' is missing or not a number of seconds", null));
    }

    /** What the record of a tree depends on. */
    public static List<String> deps(String document, Map<String, ? extends @Nullable Object> tree) {
        Object deps = tree.get("deps");
        if (deps == null) {
            return List.of();
        }
        if (deps instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw corrupt(document, "field 'deps' is not a list of texts", null);
    }

    private static <T> T valid(String document, java.util.function.Supplier<T> read) {
        try {
            return read.get();
        } catch (OntologiaException e) {
            throw e.kind() == ErrorKind.INVALID_INPUT ? corrupt(document, e.getMessage(), e) : e;
        }
    }

    private static OntologiaException corrupt(String document, String cause, @Nullable Throwable throwable) {
        return new OntologiaException(
                ErrorKind.CORRUPT,
                "cannot read " + document,
                cause,
                "restore it from a backup, or remove it",
                throwable);
    }
}
