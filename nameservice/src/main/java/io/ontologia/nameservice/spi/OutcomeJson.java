package io.ontologia.nameservice.spi;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outcomes as JSON objects with a field {@code outcome}. Show configs as they are: redact first where that is not wanted. */
public final class OutcomeJson {
    private static final String OUTCOME = "outcome";
    private static final String RECORD = "record";
    private static final String ACTUAL = "actual";
    private static final String UNKNOWN = "unknown";
    private static final String ERROR = "error";

    private OutcomeJson() {}

    /** A push's. */
    public static Map<String, @Nullable Object> write(PushOutcome outcome) {
        if (outcome instanceof PushOutcome.Updated updated) {
            return tree("updated", "value", WireJson.value(updated.value()));
        }
        if (outcome instanceof PushOutcome.Conflict conflict) {
            return tree("conflict", ACTUAL, WireJson.value(conflict.actual()));
        }
        return unknown(((PushOutcome.Unknown) outcome).reason());
    }

    /** Reads a push's. */
    public static PushOutcome readPush(JsonObject tree) {
        return switch (tree.text(OUTCOME)) {
            case "updated" -> new PushOutcome.Updated(WireJson.readValue(tree.object("value")));
            case "conflict" -> new PushOutcome.Conflict(WireJson.readValue(tree.object(ACTUAL)));
            case UNKNOWN -> new PushOutcome.Unknown(WireJson.readError(tree.object(ERROR)));
            default -> throw strange(tree);
        };
    }

    /** A creation's. */
    public static Map<String, @Nullable Object> write(CreateOutcome outcome) {
        if (outcome instanceof CreateOutcome.Created created) {
            return tree("created", RECORD, WireJson.record(created.record()));
        }
        if (outcome instanceof CreateOutcome.Exists exists) {
            return tree("exists", ACTUAL, WireJson.record(exists.actual()));
        }
        return unknown(((CreateOutcome.Unknown) outcome).reason());
    }

    /** Reads a creation's. */
    public static CreateOutcome readCreate(JsonObject tree) {
        return switch (tree.text(OUTCOME)) {
            case "created" -> new CreateOutcome.Created(record(tree, RECORD));
            case "exists" -> new CreateOutcome.Exists(record(tree, ACTUAL));
            case UNKNOWN -> new CreateOutcome.Unknown(WireJson.readError(tree.object(ERROR)));
            default -> throw strange(tree);
        };
    }

    /** A retraction's or a restoration's. */
    public static Map<String, @Nullable Object> write(LifecycleOutcome outcome) {
        if (outcome instanceof LifecycleOutcome.Changed changed) {
            return tree("changed", RECORD, WireJson.record(changed.record()));
        }
        if (outcome instanceof LifecycleOutcome.Unchanged unchanged) {
            return tree("unchanged", RECORD, WireJson.record(unchanged.record()));
        }
        return unknown(((LifecycleOutcome.Unknown) outcome).reason());
    }

    /** Reads a retraction's or a restoration's. */
    public static LifecycleOutcome readLifecycle(JsonObject tree) {
        return switch (tree.text(OUTCOME)) {
            case "changed" -> new LifecycleOutcome.Changed(record(tree, RECORD));
            case "unchanged" -> new LifecycleOutcome.Unchanged(record(tree, RECORD));
            case UNKNOWN -> new LifecycleOutcome.Unknown(WireJson.readError(tree.object(ERROR)));
            default -> throw strange(tree);
        };
    }

    /** A purge's. */
    public static Map<String, @Nullable Object> write(PurgeOutcome outcome) {
        if (outcome instanceof PurgeOutcome.StillActive active) {
            return tree("still_active", ACTUAL, WireJson.record(active.actual()));
        }
        if (outcome instanceof PurgeOutcome.Unknown unknown) {
            return unknown(unknown.reason());
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put(OUTCOME, "purged");
        return tree;
    }

    /** Reads a purge's. */
    public static PurgeOutcome readPurge(JsonObject tree) {
        return switch (tree.text(OUTCOME)) {
            case "purged" -> new PurgeOutcome.Purged();
            case "still_active" -> new PurgeOutcome.StillActive(record(tree, ACTUAL));
            case UNKNOWN -> new PurgeOutcome.Unknown(WireJson.readError(tree.object(ERROR)));
            default -> throw strange(tree);
        };
    }

    private static NameRecord record(JsonObject tree, String field) {
        return WireJson.readRecord("the record of an outcome", tree.object(field));
    }

    private static Map<String, @Nullable Object> unknown(OntologiaException reason) {
        return tree(UNKNOWN, ERROR, WireJson.error(reason));
    }

    private static Map<String, @Nullable Object> tree(
            String outcome, String field, Map<String, @Nullable Object> value) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put(OUTCOME, outcome);
        tree.put(field, value);
        return tree;
    }

    private static OntologiaException strange(JsonObject tree) {
        return new OntologiaException(
                ErrorKind.CORRUPT,
                "cannot read an outcome",
                "'" + tree.text(OUTCOME) + "' is none that is known here",
                "use a client that is as new as the server");
    }
}
