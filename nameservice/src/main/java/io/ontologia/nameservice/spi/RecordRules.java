package io.ontologia.nameservice.spi;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.Lifecycle;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.SoftLocks;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What changes of records mean, the same on every backend. Pure functions. */
public final class RecordRules {
    /**
     * The largest step of a watermark, 2<sup>42</sup>: enough for a first push whose {@code t} is a time in milliseconds, and so
     * small that no one comes near the largest number, after which a record could not be changed.
     */
    public static final long MAX_STEP = 1L << 42;

    private static final String STATE = "state";
    private static final String RETRACTED = "retracted";
    private static final String RETRACTED_AT = "retracted_at";
    private static final String REASON = "reason";

    private RecordRules() {}

    /** A record as it is right after its creation. */
    public static NameRecord unborn(NewRecord record, Instant now) {
        return new NameRecord(
                record.alias(),
                record.type(),
                record.deps(),
                record.createdAt().orElse(now).truncatedTo(ChronoUnit.SECONDS),
                Lifecycle.ACTIVE,
                ConcernValue.unborn(),
                ConcernValue.unborn(),
                ConcernValue.of(1, Map.of(STATE, "ready")),
                ConcernValue.unborn());
    }

    /**
     * Checks what can be checked without looking at the record. Every backend calls this first.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the push can never succeed
     */
    public static void requirePushable(Concern concern, ConcernValue expected, ConcernValue next) {
        if (next.watermark() <= expected.watermark()) {
            throw invalid(
                    concern,
                    "its watermark " + next.watermark() + " is not above the expected one, " + expected.watermark(),
                    "raise the watermark");
        }
        if (next.watermark() - expected.watermark() > MAX_STEP) {
            throw invalid(
                    concern,
                    "its watermark " + next.watermark() + " is too far above the expected one, " + expected.watermark(),
                    "raise the watermark by at most " + MAX_STEP);
        }
        ConcernPayload payload = next.payload()
                .orElseThrow(() -> invalid(concern, "it has no payload", "push a JSON object, {} if it is empty"));
        if (concern == Concern.HEAD) {
            Optional<Long> t = payload.integer("t");
            if (t.filter(value -> value != next.watermark()).isPresent()) {
                throw invalid(
                        concern,
                        "its t " + t.get() + " is not its watermark " + next.watermark(),
                        "use the commit's t as the watermark");
            }
        }
        if (concern == Concern.STATUS
                && payload.text(STATE).filter(s -> !s.equals(RETRACTED)).isEmpty()) {
            throw invalid(
                    concern,
                    "it has no state, or the state 'retracted'",
                    "give a text 'state'; to retract a record use retract");
        }
    }

    /**
     * Checks what a record is to depend on: aliases, none twice, and not its own.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when they are not
     */
    public static List<String> requireDeps(Alias alias, List<String> deps) {
        Set<Alias> seen = new HashSet<>();
        for (String dep : deps) {
            Alias other = Alias.parse(dep);
            if (other.equals(alias) || !seen.add(other)) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid dependencies of '" + alias + "'",
                        other.equals(alias) ? "it cannot depend on itself" : "'" + other + "' is named twice",
                        "name each record that it depends on once");
            }
        }
        return List.copyOf(deps);
    }

    /** The record after its retraction. */
    public static NameRecord retracted(NameRecord record, Instant now, String reason) {
        return record.with(Lifecycle.RETRACTED, retracted(record.status(), now, reason));
    }

    /** The status after a retraction: locks and progress are gone, and the next lock is marked to be fenced; other fields stay. */
    public static ConcernValue retracted(ConcernValue status, Instant now, String reason) {
        Map<String, @Nullable Object> fields = fields(status);
        if (fields.keySet().removeIf(field -> field.endsWith("_lock"))) {
            // Its holder may be about to publish, and must not any more once somebody claims the lock after a
            // restoration.
            fields.put(SoftLocks.FENCE, "due");
        }
        fields.remove("progress");
        fields.put(STATE, RETRACTED);
        fields.put(RETRACTED_AT, now.getEpochSecond());
        if (reason.isEmpty()) {
            fields.remove(REASON);
        } else {
            fields.put(REASON, reason);
        }
        return status.next(ConcernPayload.of(fields));
    }

    /** The record after its restoration. */
    public static NameRecord restored(NameRecord record) {
        return record.with(Lifecycle.ACTIVE, restored(record.status()));
    }

    /** The status after a restoration. */
    public static ConcernValue restored(ConcernValue status) {
        Map<String, @Nullable Object> fields = fields(status);
        fields.put(STATE, "ready");
        fields.remove(RETRACTED_AT);
        fields.remove(REASON);
        return status.next(ConcernPayload.of(fields));
    }

    private static Map<String, @Nullable Object> fields(ConcernValue status) {
        return new LinkedHashMap<>(status.payload().map(ConcernPayload::fields).orElse(Map.of()));
    }

    private static OntologiaException invalid(Concern concern, String cause, String remedy) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "cannot push this " + concern.wireName(), cause, remedy);
    }
}
