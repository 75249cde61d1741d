package io.ontologia.store.sqlite.internal;

import io.ontologia.core.CommitInfo;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The commit log. */
final class Log {
    static final String ENTRY = """
            SELECT c.id, c.created_at, c.metadata_json,
                (SELECT count(*) FROM entity_history e WHERE e.commit_id = c.id)
                    + (SELECT count(*) FROM relation_history r WHERE r.commit_id = c.id)
            FROM commits c""";

    private Log() {}

    static long head(SqlConnection connection) throws SQLException {
        return connection.number("SELECT max(id) FROM commits").orElse(0);
    }

    /** Now, or the moment of the last commit where the clock went back since: the log never runs backwards. */
    static Instant nextMoment(SqlConnection connection, Clock clock) throws SQLException {
        Instant now = clock.now().truncatedTo(ChronoUnit.MICROS);
        Optional<Instant> last = connection
                .text("SELECT created_at FROM commits ORDER BY id DESC LIMIT 1")
                .map(UtcTimestamp::parse);
        return last.filter(moment -> moment.isAfter(now)).orElse(now);
    }

    /**
     * The last commit at or before a moment, 0 when there is none. Up to the second, texts sort by time whoever wrote them;
     * within it, others write no fraction, or {@code Z}.
     */
    static long at(SqlConnection connection, Instant moment) throws SQLException {
        String second = UtcTimestamp.format(moment).substring(0, "2026-02-10T12:34:56".length());
        long last = connection
                .number("SELECT max(id) FROM commits WHERE created_at < ?", second)
                .orElse(0);
        try (ResultSet rows = connection
                .prepare(
                        "SELECT id, created_at FROM commits WHERE created_at >= ? AND created_at < ?",
                        second,
                        second + "~")
                .executeQuery()) {
            while (rows.next()) {
                if (!UtcTimestamp.parse(rows.getString(2)).isAfter(moment)) {
                    last = Math.max(last, rows.getLong(1));
                }
            }
        }
        return last;
    }

    static CommitInfo read(ResultSet rows) throws SQLException {
        String metadata = rows.getString(3);
        Map<String, @Nullable Object> parsed = metadata == null
                ? Map.of()
                : JsonObject.parse("the metadata of commit " + rows.getLong(1), metadata)
                        .fields();
        return new CommitInfo(rows.getLong(1), UtcTimestamp.parse(rows.getString(2)), rows.getLong(4), parsed);
    }
}
