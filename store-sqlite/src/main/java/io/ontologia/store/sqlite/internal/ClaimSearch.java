package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Event;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds events that a handler may claim, without looking again at those that it has finished.
 *
 * <p>For each handler, and for each type and priority, it remembers up to where it has looked, and what it saw there that
 * was not finished. Rows that arrive behind that place, because their enqueuer's clock is slow or they name an old time, are
 * noticed by their row id and looked for once more. Row ids of removed events are used again, and VACUUM changes them: once an
 * event was removed, or the newest known one is no longer in its row, everything is looked at again. The same happens now and
 * then, so that whatever others do to the tables by hand is seen in the end. Used by one thread at a time, inside write transactions; one that is rolled back does
 * no harm, because it only ever remembers what to look at.
 */
final class ClaimSearch {
    private static final Duration MEMORY = Duration.ofMinutes(10);

    /** Without the index, which has the groups in order and all of history in it. */
    private static final String ARRIVED = """
            SELECT namespace, type, priority, min(created_at) FROM events NOT INDEXED WHERE rowid > ?
            GROUP BY namespace, type, priority""";

    private static final String REMOVED = "SELECT removed FROM onto_event_removals";

    private static final String CANDIDATE = """
            SELECT e.id, e.payload, e.created_at, e.root_event_id, e.chain_depth,
                c.lease_until, c.available_at, c.attempts, c.ack_at IS NOT NULL OR c.dead_lettered_at IS NOT NULL
            FROM events e LEFT JOIN event_claims c ON c.event_id = e.id AND c.handler_id = ?
            """;

    private static final String AFTER = CANDIDATE + """
            WHERE e.namespace = ? AND e.type = ? AND e.priority = ? AND (e.created_at, e.id) > (?, ?)
                AND c.ack_at IS NULL AND c.dead_lettered_at IS NULL
            ORDER BY e.created_at, e.id""";

    private static final String NAMED = CANDIDATE + """
            WHERE e.id IN (SELECT value FROM json_each(?)) AND e.namespace = ? AND e.type = ? AND e.priority = ?""";

    private static final String LAST = """
            SELECT created_at, id FROM events WHERE namespace = ? AND type = ? AND priority = ?
            ORDER BY created_at DESC, id DESC LIMIT 1""";

    private final Clock clock;
    private final RowTable.Texts text;
    private final MomentText moments = new MomentText();
    private final Map<Stream, Progress> progress = new HashMap<>();
    private final Map<String, Map<String, Set<Long>>> priorities = new HashMap<>();
    private Arrivals arrivals = Arrivals.NONE;
    private long forgottenAt;

    /** Events of one type and priority, as one handler sees them. */
    private record Stream(String namespace, String handlerId, String type, long priority) {}

    /** Up to where a stream was looked at, and what was not finished there. */
    private static final class Progress {
        String createdAt = "";
        String id = "";
        final Set<String> unfinished = new LinkedHashSet<>();
    }

    /**
     * An event that can be claimed.
     *
     * @param attempts how often the handler failed with it
     * @param createdAt as it is stored
     */
    record Candidate(Event event, long attempts, String createdAt) {}

    private static final Comparator<Candidate> OLDEST = Comparator.comparing(Candidate::createdAt)
            .thenComparing(candidate -> candidate.event().id());

    /** @param text how texts are read from a row */
    ClaimSearch(Clock clock, RowTable.Texts text) {
        this.clock = clock;
        this.text = text;
        this.forgottenAt = clock.monotonicNanos();
    }

    /**
     * How far the rows of events were read.
     *
     * @param lastRow the highest row id
     * @param lastId the event in that row
     * @param removed how many events had been removed
     */
    private record Arrivals(long lastRow, String lastId, long removed) {
        static final Arrivals NONE = new Arrivals(0, "", 0);
    }

    /** Notices what arrived since the last call. To be called first in every transaction. */
    void catchUp(SqlConnection connection) throws SQLException {
        long removed = connection.number(REMOVED).orElse(0);
        boolean sameRows = removed == arrivals.removed()
                && (arrivals.lastRow() == 0
                        || connection
                                .text("SELECT id FROM events WHERE rowid = ?", arrivals.lastRow())
                                .equals(Optional.of(arrivals.lastId())));
        if (!sameRows || clock.monotonicNanos() - forgottenAt > MEMORY.toNanos()) {
            progress.clear();
            priorities.clear();
            arrivals = new Arrivals(0, "", removed);
            forgottenAt = clock.monotonicNanos();
        }
        long newest = connection.number("SELECT max(rowid) FROM events").orElse(0);
        if (newest == arrivals.lastRow()) {
            return;
        }
        try (ResultSet rows = connection.prepare(ARRIVED, arrivals.lastRow()).executeQuery()) {
            while (rows.next()) {
                arrived(rows.getString(1), rows.getString(2), rows.getLong(3), rows.getString(4));
            }
        }
        String id =
                connection.text("SELECT id FROM events WHERE rowid = ?", newest).orElse("");
        arrivals = new Arrivals(newest, id, removed);
    }

    private void arrived(String namespace, String type, long priority, String oldest) {
        priorities
                .computeIfAbsent(namespace, unused -> new HashMap<>())
                .computeIfAbsent(type, unused -> new LinkedHashSet<>())
                .add(priority);
        progress.forEach((stream, place) -> {
            if (stream.priority() == priority
                    && stream.type().equals(type)
                    && stream.namespace().equals(namespace)
                    && oldest.compareTo(place.createdAt) <= 0) {
                place.createdAt = oldest;
                place.id = "";
            }
        });
    }

    /** The first events that a handler may claim now. */
    List<Candidate> find(SqlConnection connection, String namespace, ClaimRequest.Subscription wanted)
            throws SQLException {
        Map<Long, List<String>> byPriority = new TreeMap<>(Comparator.reverseOrder());
        Map<String, Set<Long>> known = priorities.getOrDefault(namespace, Map.of());
        for (String type : wanted.eventTypes()) {
            for (long priority : known.getOrDefault(type, Set.of())) {
                byPriority
                        .computeIfAbsent(priority, unused -> new ArrayList<>())
                        .add(type);
            }
        }
        String now = UtcTimestamp.format(clock.now());
        List<Candidate> found = new ArrayList<>();
        for (Map.Entry<Long, List<String>> entry : byPriority.entrySet()) {
            int room = wanted.limit() - found.size();
            if (room == 0) {
                break;
            }
            List<Candidate> equal = new ArrayList<>();
            for (String type : entry.getValue()) {
                equal.addAll(
                        look(connection, new Stream(namespace, wanted.handlerId(), type, entry.getKey()), room, now));
            }
            equal.sort(OLDEST);
            found.addAll(equal.subList(0, Math.min(room, equal.size())));
        }
        return found;
    }

    private List<Candidate> look(SqlConnection connection, Stream stream, int limit, String now) throws SQLException {
        Progress seen = progress.computeIfAbsent(stream, unused -> new Progress());
        Map<String, Candidate> found = new HashMap<>();
        if (!seen.unfinished.isEmpty()) {
            lookAgain(connection, stream, seen, now, found);
        }
        boolean all = true;
        int before = found.size();
        try (ResultSet rows = connection
                .prepare(
                        AFTER,
                        stream.handlerId(),
                        stream.namespace(),
                        stream.type(),
                        stream.priority(),
                        seen.createdAt,
                        seen.id)
                .executeQuery()) {
            while (all && rows.next()) {
                Candidate candidate = candidate(stream, rows);
                seen.createdAt = candidate.createdAt();
                seen.id = candidate.event().id();
                seen.unfinished.add(seen.id);
                if (isClaimable(rows, now)) {
                    found.put(seen.id, candidate);
                }
                all = found.size() - before < limit;
            }
        }
        if (all) {
            passFinished(connection, stream, seen);
        }
        return new ArrayList<>(found.values());
    }

    private void lookAgain(
            SqlConnection connection, Stream stream, Progress seen, String now, Map<String, Candidate> found)
            throws SQLException {
        Set<String> unfinished = new LinkedHashSet<>();
        try (ResultSet rows = connection
                .prepare(
                        NAMED,
                        stream.handlerId(),
                        CanonicalJson.write(new ArrayList<>(seen.unfinished)),
                        stream.namespace(),
                        stream.type(),
                        stream.priority())
                .executeQuery()) {
            while (rows.next()) {
                if (rows.getInt(9) == 0) {
                    unfinished.add(rows.getString(1));
                    if (isClaimable(rows, now)) {
                        Candidate candidate = candidate(stream, rows);
                        found.put(candidate.event().id(), candidate);
                    }
                }
            }
        }
        seen.unfinished.retainAll(unfinished);
    }

    /** After all that is unfinished there may be rows that are finished: these need no look ever again. */
    private static void passFinished(SqlConnection connection, Stream stream, Progress seen) throws SQLException {
        try (ResultSet rows = connection
                .prepare(LAST, stream.namespace(), stream.type(), stream.priority())
                .executeQuery()) {
            if (rows.next()) {
                seen.createdAt = rows.getString(1);
                seen.id = rows.getString(2);
            }
        }
    }

    private static boolean isClaimable(ResultSet rows, String now) throws SQLException {
        return isDue(rows.getString(6), now) && isDue(rows.getString(7), now);
    }

    private static boolean isDue(@Nullable String moment, String now) {
        return moment == null || moment.compareTo(now) <= 0;
    }

    private Candidate candidate(Stream stream, ResultSet rows) throws SQLException {
        String createdAt = text.read(rows, 3);
        Event event = new Event(
                text.read(rows, 1),
                stream.namespace(),
                stream.type(),
                text.read(rows, 2),
                stream.priority(),
                moments.parse(createdAt),
                text.read(rows, 4),
                rows.getLong(5));
        return new Candidate(event, rows.getLong(8), createdAt);
    }

    /** A handler is done with an event: it need not be looked at again. */
    void finished(Event event, String handlerId) {
        Progress seen = progress.get(new Stream(event.namespace(), handlerId, event.type(), event.priority()));
        if (seen != null) {
            seen.unfinished.remove(event.id());
        }
    }
}
