package io.ontologia.core.internal;

import io.ontologia.core.ClaimState;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventSession;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.core.spi.CommitDigest;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.core.spi.PastRow;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.TypeHistory;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What two stores must have in common to be the same, in a few bytes: the types and their schemas, and the digest of the newest
 * commit. The log and the rows of each type are also summed up apart, to say what differs; and so are the
 * records of the event bus, in any order.
 */
public final class HistoryDigest {
    private final Map<TypeRef, Object> types = new LinkedHashMap<>();
    private final Map<TypeRef, Rows> rows = new HashMap<>();
    private final Map<String, Records> bus = new HashMap<>();
    private final Map<TypeRef, RowsDigest.Builder> current = new LinkedHashMap<>();
    private List<RowsDigest> purged = List.of();
    private @Nullable CommitInfo open;
    private String log = "";
    private String digest = CommitDigest.START;
    private BigInteger erased = BigInteger.ZERO;
    private long erasedRows;
    private long commits;
    private long head;

    /** The number of rows of one type, and a hash over the digests of its rows in each commit. */
    private record Rows(long count, String digest) {
        private static final Rows NONE = new Rows(0, "");

        Rows with(RowsDigest more) {
            return new Rows(
                    count + more.rows(), Sha256.hex(digest + more.sha256().orElse("")));
        }
    }

    /** The number of records of one kind on the event bus, and the sum of their hashes: in any order the same. */
    private record Records(long count, BigInteger sum) {
        private static final Records NONE = new Records(0, BigInteger.ZERO);
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
                Stored.read(
                        "the stored schema of " + version.type(),
                        () -> CanonicalJson.writeAscii(Json.parse(version.schemaJson()))),
                version.schemaHash(),
                UtcTimestamp.format(version.createdAt()),
                version.runtimeId(),
                version.reason(),
                version.upgrade().map(text -> CanonicalJson.write(Json.parse(text))));
    }

    /**
     * Adds the next entry of the log; its rows follow.
     *
     * @param known what is known of rows of it that were purged
     */
    public void commit(CommitInfo commit, List<RowsDigest> known) {
        finish();
        open = commit;
        purged = known;
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

    /** Adds a row of the commit that was added last. */
    public void row(PastRow past) {
        current.computeIfAbsent(past.type(), RowsDigest::of).add(past.row());
    }

    /** Adds what is left of an erased row of the commit that was added last. */
    public void erased(ErasedRow row) {
        current.computeIfAbsent(row.type(), RowsDigest::of).addErased(row.sha256());
        erased = erased.add(new BigInteger(Sha256.hex(row.sha256() + " " + row.erasedBy()), 16));
        erasedRows++;
    }

    /**
     * Ends the commit that was added last.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when another digest is recorded for it
     */
    public void finish() {
        CommitInfo commit = open;
        if (commit == null) {
            return;
        }
        open = null;
        List<RowsDigest> all = new ArrayList<>(purged);
        current.values().forEach(builder -> {
            RowsDigest built = builder.build();
            all.add(built);
            rows.merge(built.type(), Rows.NONE.with(built), (before, unused) -> before.with(built));
        });
        current.clear();
        digest = CommitDigest.of(digest, commit, all);
        if (commit.digest().filter(recorded -> !recorded.equals(digest)).isPresent()) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "commit " + commit.id() + " is not what was written",
                    "its rows, time and metadata do not have the digest that is recorded for it",
                    "run 'onto fsck', and restore the store from a backup");
        }
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
                new Records(1, new BigInteger(Sha256.hex(CanonicalJson.write(fields)), 16)),
                (all, one) -> new Records(all.count() + one.count(), all.sum().add(one.sum())));
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
        return bus.getOrDefault(BusRecord.OfEvent.class.getSimpleName(), Records.NONE)
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

    /** How many versions of rows there are, without the commit that was not finished. */
    public long rowCount() {
        return rows.values().stream().mapToLong(Rows::count).sum() - erasedRows;
    }

    /** What is not the same in another one; empty when everything is. Both are finished. */
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
        if (!erased.equals(other.erased)) {
            return Optional.of("what is known of erased rows");
        }
        Optional<String> ofRows = Stream.concat(rows.keySet().stream(), other.rows.keySet().stream())
                .distinct()
                .filter(type -> !rows.getOrDefault(type, Rows.NONE).equals(other.rows.getOrDefault(type, Rows.NONE)))
                .map(type -> "the rows of " + type + ", "
                        + rows.getOrDefault(type, Rows.NONE).count() + " and "
                        + other.rows.getOrDefault(type, Rows.NONE).count())
                .sorted()
                .findFirst();
        return ofRows.isPresent() || digest.equals(other.digest) ? ofRows : Optional.of("what is known of purged rows");
    }
}
