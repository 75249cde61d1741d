package io.ontologia.store.sqlite.internal;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.LogQuery;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The commit log. */
final class Log {
    /** Where the copies beside the history know the extent of each commit, only the rows after them are counted. */
    private static final String ENTRY = """
            SELECT c.id, c.created_at, c.metadata_json, coalesce(ec.row_count, 0) + coalesce(rc.row_count, 0)
                + coalesce(el.row_count, 0) + coalesce(rl.row_count, 0),
                (SELECT digest FROM onto_commit_digests d WHERE d.commit_id = c.id)
            FROM commits c CROSS JOIN onto_latest_state s
            LEFT JOIN onto_entity_commits ec ON ec.commit_id = c.id AND s.dirty = 0
            LEFT JOIN onto_relation_commits rc ON rc.commit_id = c.id AND s.dirty = 0
            LEFT JOIN (SELECT commit_id, count(*) AS row_count FROM entity_history
                WHERE id > (SELECT iif(dirty, 0, entity_upto) FROM onto_latest_state) GROUP BY commit_id) el
              ON el.commit_id = c.id
            LEFT JOIN (SELECT commit_id, count(*) AS row_count FROM relation_history
                WHERE id > (SELECT iif(dirty, 0, relation_upto) FROM onto_latest_state) GROUP BY commit_id) rl
              ON rl.commit_id = c.id""";

    /** For files that have no such copies. */
    private static final String ENTRY_FROM_HISTORY = """
            SELECT c.id, c.created_at, c.metadata_json, coalesce(el.row_count, 0) + coalesce(rl.row_count, 0),
                (SELECT digest FROM onto_commit_digests d WHERE d.commit_id = c.id)
            FROM commits c
            LEFT JOIN (SELECT commit_id, count(*) AS row_count FROM entity_history GROUP BY commit_id) el
              ON el.commit_id = c.id
            LEFT JOIN (SELECT commit_id, count(*) AS row_count FROM relation_history GROUP BY commit_id) rl
              ON rl.commit_id = c.id""";

    /** The length of a timestamp in the form that we write. */
    private static final int OUR_LENGTH = "2026-02-10T12:34:56.789012+00:00".length();

    private Log() {}

    static long head(SqlConnection connection) throws SQLException {
        return connection.number("SELECT max(id) FROM commits").orElse(0);
    }

    /** Entries of the log, to be followed by a condition on {@code c.id}. */
    static String entries(boolean hasLatest) {
        return hasLatest ? ENTRY : ENTRY_FROM_HISTORY;
    }

    /** The entries of the log that a query names, newest first. */
    static SqlFragment entries(boolean hasLatest, LogQuery query) {
        SqlFragment sql = SqlFragment.of(
                entries(hasLatest) + " WHERE c.id > ? AND c.id <= ?",
                query.after(),
                query.upTo().orElse(Long.MAX_VALUE));
        if (query.ids().isPresent()) {
            sql = sql.then(SqlFragment.of(
                    " AND c.id IN (SELECT value FROM json_each(?))",
                    CanonicalJson.write(List.copyOf(query.ids().get()))));
        }
        if (!query.types().isEmpty()) {
            List<SqlFragment> commits = new ArrayList<>();
            for (TypeRef type : query.types()) {
                RowTable table = RowTable.of(type.kind());
                commits.add(SqlFragment.of(table.sql("SELECT commit_id FROM {history} WHERE {type} = ?"), type.name()));
            }
            sql = sql.then(SqlFragment.join(" UNION ", commits).wrap(" AND c.id IN (", ")"));
        }
        return sql.then(" ORDER BY c.id DESC");
    }

    /** A moment and the text that is stored for it. */
    record Moment(Instant at, String text) {
        private static Moment of(Instant at) {
            return new Moment(at, UtcTimestamp.format(at));
        }
    }

    static Moment nextMoment(SqlConnection connection, Clock clock) throws SQLException {
        return nextMoment(
                connection
                        .text("SELECT created_at FROM commits ORDER BY id DESC LIMIT 1")
                        .orElse(null),
                clock);
    }

    /** Now, or the moment of the last commit where the clock went back since: the log never runs backwards. */
    static Moment nextMoment(@Nullable String last, Clock clock) {
        Moment now = Moment.of(clock.now().truncatedTo(ChronoUnit.MICROS));
        if (last == null || (isOurs(last) && last.compareTo(now.text()) <= 0)) {
            return now;
        }
        Instant before = StoredText.moment("commits", last);
        return before.isAfter(now.at()) ? Moment.of(before) : now;
    }

    private static boolean isOurs(String timestamp) {
        return timestamp.length() == OUR_LENGTH && timestamp.endsWith("+00:00");
    }

    /**
     * The last commit at or before a moment, 0 when there is none: found by walking back from the newest, which is right
     * in whatever order others wrote. Up to the second, texts sort by time whoever wrote them; within it, others write no
     * fraction, or {@code Z}.
     */
    static long at(SqlConnection connection, Instant moment) throws SQLException {
        String second = UtcTimestamp.format(moment).substring(0, "2026-02-10T12:34:56".length());
        try (ResultSet rows = connection
                .prepare("SELECT id, created_at FROM commits WHERE created_at < ? ORDER BY id DESC", second + "~")
                .executeQuery()) {
            while (rows.next()) {
                String at = SqlErrors.present(rows.getString(2));
                if (at.compareTo(second) < 0
                        || !StoredText.moment("commits", at).isAfter(moment)) {
                    return rows.getLong(1);
                }
            }
        }
        return 0;
    }

    static CommitInfo read(ResultSet rows) throws SQLException {
        String at = SqlErrors.present(rows.getString(2));
        String metadata = rows.getString(3);
        Map<String, @Nullable Object> parsed = metadata == null
                ? Map.of()
                : JsonObject.parse("the metadata of commit " + rows.getLong(1), metadata)
                        .fields();
        return new CommitInfo(
                rows.getLong(1),
                StoredText.moment("commits", at),
                rows.getLong(4),
                parsed,
                Optional.ofNullable(rows.getString(5)));
    }
}
