package io.ontologia.store.sqlite.internal;

import io.ontologia.core.LockHolder;
import io.ontologia.core.spi.Locks;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** The lock row of the specification, held only by what must keep others out across transactions. */
final class WriteLock {
    static final String NAME = "ontology_write";
    static final Duration POLL = Duration.ofMillis(10);

    private static final String HOLDER =
            "SELECT owner_id, acquired_at, expires_at FROM locks WHERE lock_name = '" + NAME + "'";

    private WriteLock() {}

    static Optional<LockHolder> holder(SqlConnection connection) throws SQLException {
        try (ResultSet rows = connection.prepare(HOLDER).executeQuery()) {
            return rows.next()
                    ? Optional.of(new LockHolder(
                            rows.getString(1),
                            UtcTimestamp.parse(rows.getString(2)),
                            UtcTimestamp.parse(rows.getString(3))))
                    : Optional.empty();
        } catch (OntologiaException e) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read the write lock",
                    e.getMessage(),
                    "when no writer is at work, delete the row '" + NAME + "' of the table locks",
                    e);
        }
    }

    /**
     * Begins a write transaction in which nobody else holds an unexpired lock, waiting for it up to the timeout.
     *
     * @throws OntologiaException of kind {@link ErrorKind#BUSY}, and no transaction is open, when the wait was in vain
     */
    static void begin(SqlConnection connection, String ownerId, Clock clock, Duration timeout) throws SQLException {
        long startedAt = clock.monotonicNanos();
        while (true) {
            connection.begin("BEGIN IMMEDIATE");
            Optional<LockHolder> other;
            try {
                other = holder(connection)
                        .filter(holder -> !holder.ownerId().equals(ownerId) && !holder.hasExpired(clock.now()));
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
            if (other.isEmpty()) {
                return;
            }
            connection.rollback();
            if (clock.monotonicNanos() - startedAt >= timeout.toNanos()) {
                throw Locks.held("write", other.get(), timeout);
            }
            clock.sleep(POLL);
        }
    }
}
