package io.ontologia.store.sqlite.internal;

import io.ontologia.core.LeaseLostException;
import io.ontologia.core.LockDamage;
import io.ontologia.core.LockHolder;
import io.ontologia.core.spi.Locks;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The write lock as a row of the file. Every change of it is a transaction of its own. */
final class SqliteLocks implements Locks {
    private static final String INSERT =
            "INSERT INTO locks (lock_name, owner_id, acquired_at, expires_at) VALUES (?, ?, ?, ?)";

    private static final String EXTEND = "UPDATE locks SET expires_at = ? WHERE lock_name = ?";

    private final Connections connections;
    private final Clock clock;
    private final Duration ttl;

    SqliteLocks(Connections connections, StorageOptions options) {
        this.connections = connections;
        this.clock = options.clock();
        this.ttl = options.leaseTtl();
    }

    @Override
    public Optional<LockHolder> holder() {
        return Transactions.onReader(connections, "cannot read the write lock", WriteLock::holder);
    }

    @Override
    public LockHolder acquire(String ownerId, Duration timeout) {
        long startedAt = clock.monotonicNanos();
        while (true) {
            Instant now = clock.now().truncatedTo(ChronoUnit.MICROS);
            LockHolder wanted = new LockHolder(ownerId, now, now.plus(ttl));
            OntologiaException refusal;
            try {
                Optional<LockHolder> other = tryInsert(wanted);
                if (other.isEmpty()) {
                    return wanted;
                }
                refusal = Locks.held("take the write lock", other.get(), timeout);
            } catch (OntologiaException e) {
                // The file itself is busy: that passes as well.
                if (e.kind() != ErrorKind.BUSY) {
                    throw e;
                }
                refusal = e;
            }
            if (clock.monotonicNanos() - startedAt >= timeout.toNanos()) {
                throw refusal;
            }
            clock.sleep(WriteLock.POLL);
        }
    }

    /** Takes the lock unless somebody holds it, and returns who does. */
    private Optional<LockHolder> tryInsert(LockHolder wanted) {
        return inTransaction("cannot take the write lock", connection -> {
            Optional<LockHolder> other = WriteLock.holder(connection);
            if (other.isPresent()) {
                if (!WriteLock.isFree(other.get(), wanted.acquiredAt())) {
                    return other;
                }
                connection.update(WriteLock.REMOVE, WriteLock.NAME);
            }
            connection.update(
                    INSERT,
                    WriteLock.NAME,
                    wanted.ownerId(),
                    UtcTimestamp.format(wanted.acquiredAt()),
                    UtcTimestamp.format(wanted.expiresAt()));
            return Optional.empty();
        });
    }

    @Override
    public Optional<LockHolder> renew(LockHolder hold) {
        return inTransaction("cannot renew the write lock", connection -> {
            if (!isHeld(connection, hold)) {
                return Optional.empty();
            }
            Instant expiry = clock.now().truncatedTo(ChronoUnit.MICROS).plus(ttl);
            connection.update(EXTEND, UtcTimestamp.format(expiry), WriteLock.NAME);
            return Optional.of(new LockHolder(hold.ownerId(), hold.acquiredAt(), expiry));
        });
    }

    @Override
    public boolean release(LockHolder hold) {
        return inTransaction(
                "cannot release the write lock",
                connection -> isHeld(connection, hold) && connection.update(WriteLock.REMOVE, WriteLock.NAME) == 1);
    }

    @Override
    public boolean breakHold(LockHolder hold) {
        // A commit checks the row of its hold in its own transaction, so without the row it is refused.
        return release(hold);
    }

    @Override
    public Optional<LockDamage> damage() {
        return Transactions.onReader(connections, "cannot read the write lock", WriteLock::damage);
    }

    @Override
    public boolean replaceDamaged(LockDamage damage) {
        return inTransaction(
                "cannot replace the write lock",
                connection -> WriteLock.damage(connection).equals(Optional.of(damage))
                        && connection.update(WriteLock.REMOVE, WriteLock.NAME) == 1);
    }

    private static boolean isHeld(SqlConnection connection, LockHolder hold) throws SQLException {
        return WriteLock.holder(connection).filter(hold::isSameHold).isPresent();
    }

    /**
     * Refuses to go on without the lock. Inside a write transaction: no other writer can take the lock until its end, and a
     * writer that used the lock after its expiry removed the row. So the expiry itself does not matter.
     *
     * @throws LeaseLostException when another hold, or none, is in the row
     */
    static void requireHeld(SqlConnection connection, LockHolder hold) throws SQLException {
        if (!isHeld(connection, hold)) {
            throw new LeaseLostException(hold, WriteLock.holder(connection));
        }
    }

    private <T> T inTransaction(String what, Transactions.Work<T> work) {
        return Transactions.onWriter(connections, what, connection -> {
            connection.begin("BEGIN IMMEDIATE");
            return Transactions.finish(connection, () -> work.run(connection));
        });
    }
}
