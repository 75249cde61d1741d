package io.ontologia.core.internal;

import io.ontologia.core.ClaimState;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventSession;
import io.ontologia.core.Identity;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.core.spi.PastRow;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.TypeHistory;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.UtcTimestamp;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What two stores must have in common to be the same, in a few bytes: the types and their schemas, the log, and for each
 * type the number and a checksum of its rows, whatever the order in which a commit's rows come; and the same of the event
 * bus.
 */
public final class HistoryDigest {
    private final Map<TypeRef, Object> types = new LinkedHashMap<>();
    private final Map<TypeRef, Rows> rows = new HashMap<>();
    private final Map<String, Rows> bus = new HashMap<>();
    private String log = "";
    private long commits;
    private long head;

    /** The number of rows of one type, and the sum of their hashes: in any order the same. */
    private record Rows(long count, BigInteger sum) {
        private static final Rows NONE = new Rows(0, BigInteger.ZERO);

        Rows with(BigInteger hash) {
            return new Rows(count + 1, sum.add(hash));
        }
    }

    public HistoryDigest(List<TypeHistory> known) {
        known.forEach(type -> types.put(
                type.type(),
                Arrays.asList(
                        type.status(),
                        type.versions().stream().map(HistoryDigest::describe).collect(Collectors.toList()))));
    }

    /** Backends may write one JSON document in different ways. */
    private static List<Object> describe(SchemaVersion version) {
        return List.of(
                version.version(),
                CanonicalJson.writeAscii(Json.parse(version.schemaJson())),
                version.schemaHash(),
                UtcTimestamp.format(version.createdAt()),
                version.runtimeId(),
                version.reason());
    }

    /** Adds the next entry of the log. */
    public void commit(CommitInfo commit) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("before", log);
        entry.put("id", commit.id());
        entry.put("at", UtcTimestamp.format(commit.at()));
        entry.put("operations", commit.operations());
        entry.put("metadata", commit.metadata());
        log = Sha256.hex(CanonicalJson.write(entry));
        head = commit.id();
        commits++;
    }

    /** Adds a row of any commit. */
    public void row(PastRow past) {
        StoredRow row = past.row();
        List<Object> parts = row.identity() instanceof Identity.OfRelation relation
                ? List.of(relation.leftKey(), relation.rightKey(), relation.instanceKey())
                : List.of(((Identity.OfEntity) row.identity()).key());
        // With the lengths in front, no two rows read alike.
        String text = parts.stream()
                        .map(part -> part.toString().length() + ":" + part)
                        .collect(Collectors.joining())
                + row.commitId() + ":" + row.schemaVersion() + ":" + row.fieldsJson();
        rows.merge(
                past.type(),
                Rows.NONE.with(new BigInteger(Sha256.hex(text), 16)),
                (all, one) -> new Rows(all.count() + one.count(), all.sum().add(one.sum())));
    }

    /** Adds a record of the event bus. */
    public void bus(BusRecord entry) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        if (entry instanceof BusRecord.OfEvent of) {
            Event event = of.event();
            fields.put("id", event.id());
            fields.put("namespace", event.namespace());
            fields.put("type", event.type());
            fields.put("payload", document(event.payloadJson()));
            fields.put("priority", event.priority());
            fields.put("created_at", UtcTimestamp.format(event.createdAt()));
            fields.put("root", event.rootEventId());
            fields.put("depth", event.chainDepth());
        } else if (entry instanceof BusRecord.OfClaim of) {
            ClaimState claim = of.claim();
            fields.put("namespace", of.namespace());
            fields.put("event", claim.eventId());
            fields.put("handler", claim.handlerId());
            fields.put("session", claim.sessionId());
            fields.put("claimed_at", UtcTimestamp.format(claim.claimedAt()));
            fields.put("lease_until", UtcTimestamp.format(claim.leaseUntil()));
            fields.put("ack_at", claim.ackAt().map(UtcTimestamp::format).orElse(null));
            fields.put("attempts", claim.attempts());
            fields.put("available_at", UtcTimestamp.format(claim.availableAt()));
            fields.put("last_error", claim.lastError().orElse(null));
            fields.put(
                    "dead_at", claim.deadLetteredAt().map(UtcTimestamp::format).orElse(null));
        } else if (entry instanceof BusRecord.OfDeadLetter of) {
            DeadLetter letter = of.letter();
            fields.put("event", letter.eventId());
            fields.put("handler", letter.handlerId());
            fields.put("namespace", letter.namespace());
            fields.put("failed_at", UtcTimestamp.format(letter.failedAt()));
            fields.put("attempts", letter.attempts());
            fields.put("last_error", letter.lastError());
            fields.put("type", letter.eventType());
            fields.put("payload", document(letter.payloadJson()));
            fields.put("root", letter.rootEventId());
            fields.put("depth", letter.chainDepth());
        } else if (entry instanceof BusRecord.OfSession of) {
            EventSession session = of.session();
            fields.put("session", session.sessionId());
            fields.put("namespace", session.namespace());
            fields.put("started_at", UtcTimestamp.format(session.startedAt()));
            fields.put("last_heartbeat", UtcTimestamp.format(session.lastHeartbeat()));
            fields.put("metadata", session.metadata());
        }
        bus.merge(
                entry.getClass().getSimpleName(),
                Rows.NONE.with(new BigInteger(Sha256.hex(CanonicalJson.write(fields)), 16)),
                (all, one) -> new Rows(all.count() + one.count(), all.sum().add(one.sum())));
    }

    /** Other writers may store payloads that are no JSON. */
    private static @Nullable Object document(String json) {
        try {
            return Json.parse(json);
        } catch (OntologiaException e) {
            return json;
        }
    }

    /** How many events there are on the event bus. */
    public long events() {
        return bus.getOrDefault(BusRecord.OfEvent.class.getSimpleName(), Rows.NONE)
                .count();
    }

    /** The newest commit. */
    public long head() {
        return head;
    }

    /** How many commits there are. */
    public long commits() {
        return commits;
    }

    /** How many types there are or ever were. */
    public int typeCount() {
        return types.size();
    }

    /** How many versions of rows there are. */
    public long rowCount() {
        return rows.values().stream().mapToLong(Rows::count).sum();
    }

    /** What is not the same in another one; empty when everything is. */
    public Optional<String> differenceTo(HistoryDigest other) {
        if (!types.equals(other.types)) {
            return Optional.of("the types and the versions of their schemas");
        }
        if (!log.equals(other.log)) {
            return Optional.of("the commit log");
        }
        if (!bus.equals(other.bus)) {
            return Optional.of("the events, " + events() + " and " + other.events()
                    + ", or the claims, dead letters and sessions");
        }
        return java.util.stream.Stream.concat(rows.keySet().stream(), other.rows.keySet().stream())
                .distinct()
                .filter(type -> !rows.getOrDefault(type, Rows.NONE).equals(other.rows.getOrDefault(type, Rows.NONE)))
                .map(type -> "the rows of " + type + ", "
                        + rows.getOrDefault(type, Rows.NONE).count() + " and "
                        + other.rows.getOrDefault(type, Rows.NONE).count())
                .sorted()
                .findFirst();
    }
}
