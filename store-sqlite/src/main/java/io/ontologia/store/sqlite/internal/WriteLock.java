package io.ontologia.store.sqlite.internal;

import io.ontologia.core.LockDamage;
import io.ontologia.core.LockHolder;
import io.ontologia.core.spi.Locks;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The lock row of the specification, held only by what must keep others out across transactions. */
final class WriteLock {
    static final String NAME = "ontology_write";
    static final Duration POLL = Duration.ofMillis(10);

    static final String REMOVE = "DELETE FROM locks WHERE lock_name = ?";

    /** How far the clocks of two processes may differ. */
    private static final Duration LARGEST_SKEW = Duration.ofMinutes(5);

    private static final String HOLDER =
            "SELECT owner_id, acquired_at, expires_at FROM locks WHERE lock_name = '" + NAME + "'";

    private WriteLock() {}

    static Optional<LockHolder> holder(SqlConnection connection) throws SQLException {
        try (ResultSet rows = connection.prepare(HOLDER).executeQuery()) {
            return rows.next()
                    ? Optional.of(new LockHolder(
                            rows.getString(1),
                            StoredText.moment("locks", rows.getString(2)),
                            StoredText.moment("locks", rows.getString(3))))
                    : Optional.empty();
        } catch (OntologiaException e) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read the write lock",
                    e.getMessage(),
                    "'onto lock show' prints the token with which 'onto lock break' replaces it",
                    e);
        }
    }

    /** What is in the row of the lock when its times cannot be read. */
    static Optional<LockDamage> damage(SqlConnection connection) throws SQLException {
        try {
            holder(connection);
            return Optional.empty();
        } catch (OntologiaException e) {
            try (ResultSet rows = connection.prepare(HOLDER).executeQuery()) {
                rows.next();
                String content = rows.getString(1) + "\n" + rows.getString(2) + "\n" + rows.getString(3);
                String token = Sha256.hex(content).substring(0, 16);
                return Optional.of(
                        new LockDamage("row '" + NAME + "' of the table locks", "its times cannot be read", token));
            }
        }
    }

    /**
     * Whether other writers may take the lock. A hold that was acquired in the future comes from a clock that was wrong, and
     * says nothing about when it ends.
     */
    static boolean isFree(LockHolder holder, Instant now) {
        return holder.hasExpired(now) || holder.acquiredAt().isAfter(now.plus(LARGEST_SKEW));
    }

    /**
     * Begins a write transaction in which no other owner holds the lock, waiting for it up to the timeout. The row of a hold
     * that is over is removed, so that its former holder finds out.
     *
     * @throws OntologiaException of kind {@link ErrorKind#BUSY}, and no transaction is open, when the wait was in vain
     */
    static void begin(SqlConnection connection, String ownerId, Clock clock, Duration timeout) throws SQLException {
        long startedAt = clock.monotonicNanos();
        while (true) {
            connection.begin("BEGIN IMMEDIATE");
            Optional<LockHolder> other;
            try {
                other = holder(connection).filter(holder -> !holder.ownerId().equals(ownerId));
                if (other.isEmpty()) {
                    return;
                }
                if (isFree(other.get(), clock.now())) {
                    connection.update(REMOVE, NAME);
                    return;
                }
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
            connection.rollback();
            if (clock.monotonicNanos() - startedAt >= timeout.toNanos()) {
                throw Locks.held("write", other.get(), timeout);
            }
            clock.sleep(POLL);
        }
    }

    /**
     * Begins a write transaction for what changes no answer, unless the lock is held. Holds that are over stay in the row.
     *
     * @throws OntologiaException of kind {@link ErrorKind#BUSY}, and no transaction is open, when the lock is held
     */
    static void beginUpkeep(SqlConnection connection, Clock clock) throws SQLException {
        connection.begin("BEGIN IMMEDIATE");
        Optional<LockHolder> holder;
        try {
            holder = holder(connection).filter(found -> !isFree(found, clock.now()));
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        }
        if (holder.isPresent()) {
            connection.rollback();
            throw Locks.held("write", holder.get(), Duration.ZERO);
        }
    }
}
