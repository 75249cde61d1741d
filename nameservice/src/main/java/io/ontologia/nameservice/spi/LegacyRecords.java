package io.ontologia.nameservice.spi;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.Lifecycle;
import io.ontologia.nameservice.NameRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records of schema version 1, which have no {@code v} or one below 2, and what they mean in version 2. What version 1 had no
 * value for becomes unborn; what it had becomes watermark 1, and the head's watermark is its {@code t}.
 */
public final class LegacyRecords {
    private LegacyRecords() {}

    /** Whether a stored tree is of version 1. */
    public static boolean isLegacy(Map<String, ? extends @Nullable Object> tree) {
        Object version = tree.get("v");
        return version == null ? tree.containsKey("ledger_alias") : version instanceof Long v && v < RecordJson.VERSION;
    }

    /**
     * The record that a tree of version 1 means. Its creation is dated with {@code updated_at}, the only date it has.
     *
     * @param document what it is called in errors
     */
    public static NameRecord read(String document, Map<String, ? extends @Nullable Object> tree) {
        JsonObject object = JsonObject.of(document, tree);
        try {
            Alias alias = Alias.parse(object.text("ledger_alias"));
            String state = object.optionalText("status").orElse("ready");
            boolean retracted = state.equals("retracted");
            return new NameRecord(
                    alias,
                    alias.space() == Alias.Space.LEDGER ? EntityType.LEDGER : new EntityType("vg:unknown"),
                    List.of(),
                    date(tree.get("updated_at")),
                    retracted ? Lifecycle.RETRACTED : Lifecycle.ACTIVE,
                    head(object),
                    index(object),
                    ConcernValue.of(1, Map.of("state", state)),
                    object.optionalText("default_context_address")
                            .map(address -> ConcernValue.of(1, Map.of("default_context", address)))
                            .orElse(ConcernValue.unborn()));
        } catch (OntologiaException e) {
            throw e.kind() == ErrorKind.CORRUPT
                    ? e
                    : new OntologiaException(
                            ErrorKind.CORRUPT, "cannot read " + document, e.getMessage(), "correct or remove it", e);
        }
    }

    private static ConcernValue head(JsonObject object) {
        Optional<String> address = object.optionalText("commit_address");
        if (address.isEmpty()) {
            return ConcernValue.unborn();
        }
        long t = object.integer("commit_t");
        return ConcernValue.of(t, Map.of("address", address.get(), "t", t));
    }

    private static ConcernValue index(JsonObject object) {
        return object.optionalText("index_address")
                .map(address -> {
                    Map<String, Object> graph = new LinkedHashMap<>();
                    graph.put("address", address);
                    graph.put("t", object.integer("index_t"));
                    graph.put("rev", 0L);
                    return ConcernValue.of(1, Map.of("default", graph));
                })
                .orElse(ConcernValue.unborn());
    }

    private static Instant date(@Nullable Object updatedAt) {
        return updatedAt instanceof String text
                ? UtcTimestamp.parse(text).truncatedTo(ChronoUnit.SECONDS)
                : EpochSeconds.read(updatedAt).orElse(Instant.EPOCH);
    }
}
