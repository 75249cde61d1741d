package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a small commit depends on, found by one statement because each costs as much as its insert. The columns
 * have short names because the driver fetches them with every result, and an expression's name is its whole text.
 *
 * @param lockOwner who is in the lock row, whether it expired or not
 * @param lastMoment when the last commit was
 * @param position where the copies beside the history are
 * @param nextCommitId the id that SQLite would give to the next commit
 * @param digest the digest that the next commit builds on; null where the newest commit has none
 * @param version the current schema version of the type that was asked for, 0 when it is not known
 */
record Situation(
        @Nullable String lockOwner,
        @Nullable String lastMoment,
        Position position,
        long nextCommitId,
        @Nullable String digest,
        long version) {
    private static final String SELECT =
            """
            SELECT (SELECT owner_id FROM locks WHERE lock_name = '%s') AS o,
                (SELECT created_at FROM commits ORDER BY id DESC LIMIT 1) AS m,
                1 + max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'commits'), 0),
                    coalesce((SELECT max(id) FROM commits), 0)) AS n,
                %s AS d, (%s) AS v, %s
            FROM onto_latest_state""".formatted(WriteLock.NAME, Digests.NEWEST, Schemas.CURRENT_VERSION, Position.COLUMNS);

    /** What a commit at a moment leaves. */
    Situation after(String moment, @Nullable String itsDigest, Position reached) {
        return new Situation(lockOwner, moment, reached, nextCommitId + 1, itsDigest, version);
    }

    static Situation of(SqlConnection connection, TypeRef type) throws SQLException {
        try (ResultSet rows =
                connection.prepare(SELECT, type.kind().wireName(), type.name()).executeQuery()) {
            rows.next();
            String moment = rows.getString(2);
            return new Situation(
                    rows.getString(1),
                    moment,
                    Position.read(rows, 6),
                    rows.getLong(3),
                    moment == null ? CommitDigest.START : rows.getString(4),
                    rows.getLong(5));
        }
    }
}
