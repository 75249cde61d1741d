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

    static CommitInfo read(ResultSet rows) throws SQLException {
        String metadata = rows.getString(3);
        Map<String, @Nullable Object> parsed = metadata == null
                ? Map.of()
                : JsonObject.parse("the metadata of commit " + rows.getLong(1), metadata)
                        .fields();
        return new CommitInfo(rows.getLong(1), UtcTimestamp.parse(rows.getString(2)), rows.getLong(4), parsed);
    }
}
