package io.ontologia.nameservice.spi;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameInUseException;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.RecordIdentity;
import io.ontologia.nameservice.Watermarks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JSON that a nameservice and its clients exchange over HTTP: values, pages and errors. Records are those of {@link RecordJson},
 * outcomes those of {@link OutcomeJson}. Writers show configs as they are: redact first where that is not wanted.
 */
public final class WireJson {
    private static final String RECORD = "record";
    private static final String REASON = "reason";

    private WireJson() {}

    /** A value of a concern, as {@code {"v":…,"payload":…,"record":…}}; without the last for one that was not read. */
    public static Map<String, @Nullable Object> value(ConcernValue value) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("v", value.watermark());
        tree.put("payload", value.payload().map(ConcernPayload::fields).orElse(null));
        value.origin().ifPresent(record -> tree.put(RECORD, record.toString()));
        return tree;
    }

    /** Reads what {@link #value} wrote. */
    public static ConcernValue readValue(JsonObject tree) {
        return new ConcernValue(
                tree.integer("v"),
                tree.fields().get("payload") == null
                        ? Optional.empty()
                        : Optional.of(ConcernPayload.of(tree.object("payload").fields())),
                tree.optionalText(RECORD).map(RecordIdentity::parse));
    }

    /** A whole record, with the attributes of {@link RecordJson} and what tells it from another one of the same name. */
    public static Map<String, @Nullable Object> record(NameRecord record) {
        Map<String, @Nullable Object> tree = RecordJson.write(record);
        record.identity().ifPresent(identity -> tree.put(RECORD, identity.toString()));
        return tree;
    }

    /** Reads what {@link #record} wrote. */
    public static NameRecord readRecord(String document, JsonObject tree) {
        NameRecord record = RecordJson.read(document, tree.fields());
        return tree.optionalText(RECORD)
                .map(RecordIdentity::parse)
                .map(identity -> record.identified(identity.incarnation()))
                .orElse(record);
    }

    /** Watermarks, as {@code {"head_v":…,…}}. */
    public static Map<String, @Nullable Object> watermarks(Watermarks watermarks) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (Concern concern : Concern.values()) {
            tree.put(concern.watermarkName(), watermarks.of(concern));
        }
        return tree;
    }

    /** Reads what {@link #watermarks} wrote. */
    public static Watermarks readWatermarks(JsonObject tree) {
        return new Watermarks(
                tree.integer("head_v"), tree.integer("index_v"), tree.integer("status_v"), tree.integer("config_v"));
    }

    /** What a record is created from. */
    public static Map<String, @Nullable Object> newRecord(NewRecord record) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("alias", record.alias().toString());
        tree.put("type", record.type().value());
        tree.put("deps", record.deps());
        record.createdAt().ifPresent(moment -> tree.put("created_at", EpochSeconds.write(moment)));
        return tree;
    }

    /** Reads what {@link #newRecord} wrote; the type is {@code ledger} when none is named. */
    public static NewRecord readNewRecord(JsonObject tree) {
        NewRecord record = NewRecord.of(
                        Alias.parse(tree.text("alias")),
                        tree.optionalText("type").map(EntityType::new).orElse(EntityType.LEDGER))
                .deps(texts(tree.fields().get("deps")));
        return tree.fields().get("created_at") == null
                ? record
                : record.createdAt(EpochSeconds.read(tree.fields().get("created_at"))
                        .orElseThrow(() -> new OntologiaException(
                                ErrorKind.INVALID_INPUT,
                                "invalid record",
                                "field 'created_at' is not a number of seconds",
                                "correct it")));
    }

    /** A page of a listing. */
    public static Map<String, @Nullable Object> page(NamePage page) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("records", page.records().stream().map(WireJson::record).toList());
        tree.put(
                "unreadable",
                page.unreadable().stream()
                        .map(one -> Map.of("place", one.place(), "error", error(one.reason())))
                        .toList());
        tree.put("next", page.next().orElse(null));
        return tree;
    }

    /** Reads what {@link #page} wrote. */
    public static NamePage readPage(JsonObject tree) {
        return new NamePage(
                tree.objects("records").stream()
                        .map(record -> readRecord("a record of a page", record))
                        .toList(),
                tree.objects("unreadable").stream()
                        .map(one -> new NamePage.Unreadable(one.text("place"), readError(one.object("error"))))
                        .toList(),
                tree.optionalText("next"));
    }

    /** An error, as {@code {"kind":…,"problem":…,"cause":…,"remedy":…,"details":{…}}}. */
    public static Map<String, @Nullable Object> error(OntologiaException error) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("kind", error.kind().wireName());
        tree.put("problem", error.problem());
        tree.put("cause", error.reason());
        tree.put("remedy", error.remedy());
        if (!error.details().isEmpty()) {
            tree.put("details", error.details());
        }
        return tree;
    }

    /** Reads what {@link #error} wrote, as the exception that it was; one of an unknown kind is {@link ErrorKind#UNAVAILABLE}. */
    public static OntologiaException readError(JsonObject tree) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (tree.fields().get("details") instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if (value != null) {
                    details.put(String.valueOf(name), value);
                }
            });
        }
        if (details.get("alias") instanceof String alias) {
            if ("not_found".equals(details.get(REASON))) {
                return new NameNotFoundException(Alias.parse(alias));
            }
            if ("retracted".equals(details.get(REASON))) {
                return new NameRetractedException(Alias.parse(alias));
            }
            if ("in_use".equals(details.get(REASON))) {
                return new NameInUseException(
                        Alias.parse(alias),
                        String.valueOf(details.get("operation")),
                        texts(details.get("dependants")).stream()
                                .map(Alias::parse)
                                .toList());
            }
        }
        return new OntologiaException(
                kind(tree.text("kind")),
                tree.text("problem"),
                tree.text("cause"),
                tree.optionalText("remedy").orElse(""),
                details,
                null);
    }

    private static ErrorKind kind(String wireName) {
        for (ErrorKind kind : ErrorKind.values()) {
            if (kind.wireName().equals(wireName)) {
                return kind;
            }
        }
        return ErrorKind.UNAVAILABLE;
    }

    /** Reads the field {@code deps} of a request. */
    public static List<String> readDeps(JsonObject tree) {
        return texts(tree.fields().get("deps"));
    }

    private static List<String> texts(@Nullable Object list) {
        if (list == null) {
            return List.of();
        }
        if (list instanceof List<?> items && items.stream().allMatch(String.class::isInstance)) {
            return items.stream().map(String.class::cast).toList();
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT, "invalid record", "field 'deps' is not a list of texts", "correct it");
    }
}
