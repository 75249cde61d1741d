package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest version of every row of a store, one table for each type, on this machine's disk. All of it is derived: a
 * caller that doubts a table rebuilds it, and one that finds it behind moves it forward.
 *
 * <p>Safe for use by many threads: changes happen one after the other, each in one transaction, and readers see the state
 * before or after, from the start of a query to its end.
 */
public final class LatestTables implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LatestTables.class);

    /**
     * After so many look-ups a table gets an index. To have one from the start would cost who loads many rows more than all
     * the rest, and who asks once nothing but time.
     */
    private static final int WORTH_AN_INDEX = 8;

    /** Opens the database of the store. */
    interface Opening {
        LocalDatabase open(Consumer<TypeRef> onNewTable);
    }

    /** A question to the store's database. */
    interface Question<T> {
        T ask(LocalDatabase local) throws SQLException;
    }

    private final Opening opening;
    private final Path folder;
    private final Runnable onClose;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile @Nullable LocalDatabase local;
    private final AtomicInteger generation = new AtomicInteger();
    private boolean closed;
    private volatile boolean discardOnClose;

    private final WantedTables wanted = new WantedTables(this);

    private final Map<TypeRef, Integer> lookUps = new ConcurrentHashMap<>();
    private final Map<TypeRef, Optional<Applied>> known = new ConcurrentHashMap<>();

    LatestTables(Opening opening, Path folder, Runnable onClose) {
        this.opening = opening;
        this.folder = folder;
        this.onClose = onClose;
        this.local = opening.open(lookUps::remove);
    }

    /** The database; opened again after a damaged one was discarded. */
    LocalDatabase local() {
        LocalDatabase current = local;
        return current != null ? current : reopened();
    }

    private LocalDatabase reopened() {
        writing.lock();
        try {
            LocalDatabase current = local;
            if (current == null) {
                if (closed) {
                    throw new OntologiaException(ErrorKind.CLOSED, "cannot ask the query engine", "it was closed", "");
                }
                current = opening.open(lookUps::remove);
                local = current;
            }
            return current;
        } finally {
            writing.unlock();
        }
    }

    /** Grows by one whenever all tables were lost. */
    public int generation() {
        return generation.get();
    }

    /** Asks the database. When it turns out to be damaged it is discarded, and a new one is asked. */
    <T> T ask(Question<T> question) throws SQLException {
        LocalDatabase current = local();
        try {
            return question.ask(current);
        } catch (SQLException | OntologiaException e) {
            if (!discarded(current, e)) {
                throw e;
            }
            return question.ask(local());
        }
    }

    /** Discards a database, unless that happened already or the error does not show that it is damaged. */
    private boolean discarded(LocalDatabase damaged, Exception error) {
        if (!Damage.isShownBy(error, folder)) {
            return false;
        }
        writing.lock();
        try {
            if (local == damaged) {
                LOG.atWarn()
                        .addKeyValue("reason", String.valueOf(error.getMessage()))
                        .log("local tables of latest versions are damaged, they are discarded and made again");
                generation.incrementAndGet();
                local = null;
                known.clear();
                lookUps.clear();
                wanted.forget();
                damaged.discard();
            }
            return !closed;
        } finally {
            writing.unlock();
        }
    }

    /**
     * What a table stands at.
     *
     * @param commitId every row of this commit and those before it is in the table, and none of later ones
     * @param fingerprint whatever the caller told with the last change
     */
    public record Applied(long commitId, String fingerprint) {}

    /** What is known about rows before a commit writes them. */
    public enum Before {
        /** None of them was there. */
        NONE,
        /** Some may have been there. */
        SOME
    }

    /** One change, in a transaction. */
    private interface Change {
        /** Makes it, and returns how many rows were added to a table that there was. */
        long make(LocalDatabase current, DuckDBConnection connection) throws SQLException;
    }

    /** What the table of a type stands at; empty when there is none. */
    public Optional<Applied> applied(TypeRef type) {
        Optional<Applied> remembered = known.get(type);
        return remembered != null ? remembered : readApplied(type);
    }

    /** With the lock, so that what is remembered is what the last change left. */
    private Optional<Applied> readApplied(TypeRef type) {
        writing.lock();
        try {
            Optional<Applied> found = findApplied(type);
            known.put(type, found);
            return found;
        } finally {
            writing.unlock();
        }
    }

    private Optional<Applied> findApplied(TypeRef type) {
        try {
            return ask(current -> {
                try (Reading reading = Reading.begin(current.database())) {
                    return current.catalog().find(reading.connection(), type).map(LatestCatalog.Entry::applied);
                }
            });
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read the latest versions of " + type, e);
        }
    }

    /**
     * Makes the table of a type anew from all of its files.
     *
     * @param upTo rows of later commits are left out
     */
    public void rebuild(TypeRef type, List<DataFile> all, long upTo, String fingerprint) {
        Applied applied = new Applied(upTo, fingerprint);
        try {
            change(type, (current, connection) -> {
                current.writer().rebuild(connection, type, all, applied);
                wanted.remove(type);
                return 0;
            });
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot make the latest versions of " + type, e);
        }
    }

    /**
     * Moves the table of a type forward. Does nothing when it stands there already, or further on.
     *
     * @param newer at least the files with rows of commits after the one that the table stands at
     * @param upTo rows of later commits are left out
     * @param from the fingerprint of what the table stands at
     * @throws StaleLatestException when there is no table, or another user of it moved it meanwhile
     */
    public void advance(TypeRef type, List<DataFile> newer, long upTo, String from, String fingerprint) {
        Applied applied = new Applied(upTo, fingerprint);
        try {
            change(type, (current, connection) -> current.writer().advance(connection, type, newer, from, applied));
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot move the latest versions of " + type + " forward", e);
        }
    }

    /**
     * Rows that a commit wrote, at hand.
     *
     * @param before what is known about them right before the commit
     */
    public record Written(RowBatch rows, Before before, long commitId, long schemaVersion) {}

    /**
     * Moves the table of a type forward by commits whose rows are at hand, in one step. The table must stand at the state right
     * before the first, whatever commits of other types came in between. Does nothing when it stands there already, or further
     * on.
     *
     * @param commits at least one, in their order, all of one type
     * @param from the fingerprint of the state before them
     * @param fingerprint of the last of them
     * @throws StaleLatestException when there is no table, or another user of it moved it meanwhile
     */
    public void advance(List<Written> commits, String from, String fingerprint) {
        TypeRef type = commits.get(0).rows().type();
        Applied applied = new Applied(commits.get(commits.size() - 1).commitId(), fingerprint);
        try {
            change(type, (current, connection) -> {
                List<RowFunction.Loan> loans = commits.stream()
                        .map(commit -> current.database().rows().lend(commit.rows()))
                        .toList();
                try {
                    return current.writer().advance(connection, commits, loans, from, applied);
                } finally {
                    loans.forEach(RowFunction.Loan::close);
                }
            });
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot move the latest versions of " + type + " forward", e);
        }
    }

    /**
     * Notes that a table of a type is wanted, and that there is none.
     *
     * @return whether it was wanted before, in this process or in one that used the file before it
     */
    public boolean ask(TypeRef type) {
        writing.lock();
        try {
            return !wanted.add(type);
        } finally {
            writing.unlock();
        }
    }

    /** Forgets the table of a type. Does nothing when there is none. */
    public void drop(TypeRef type) {
        try {
            change(type, (current, connection) -> {
                current.writer().drop(connection, type);
                return 0;
            });
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot drop the latest versions of " + type, e);
        }
    }

    private void change(TypeRef type, Change change) throws SQLException {
        writing.lock();
        try {
            ask(current -> {
                make(current, type, change);
                return type;
            });
        } finally {
            writing.unlock();
        }
    }

    private void make(LocalDatabase current, TypeRef type, Change change) throws SQLException {
        try (DuckDBConnection connection = current.database().connect()) {
            known.remove(type);
            connection.setAutoCommit(false);
            boolean made = false;
            try {
                long rows = change.make(current, connection);
                connection.commit();
                made = true;
                current.file().changed(rows);
            } finally {
                if (!made) {
                    connection.rollback();
                }
            }
        }
    }

    /**
     * The newest versions of some rows, in no order, wherever the table stands; those that are not there are left out.
     *
     * @throws StaleLatestException when there is no table
     */
    public List<StoredRow> find(TypeRef type, List<Identity> identities) {
        return find(type, OptionalLong.empty(), identities);
    }

    /**
     * The same as of a commit.
     *
     * @throws StaleLatestException when the table does not stand at the commit, or there is none
     */
    public List<StoredRow> find(TypeRef type, long commitId, List<Identity> identities) {
        return find(type, OptionalLong.of(commitId), identities);
    }

    private List<StoredRow> find(TypeRef type, OptionalLong commitId, List<Identity> identities) {
        if (identities.isEmpty()) {
            return List.of();
        }
        if (identities.size() <= LatestLookUp.FEW) {
            countLookUp(type);
        }
        try {
            return ask(current -> LatestLookUp.find(current, type, commitId, identities));
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot find the latest versions of " + type, e);
        }
    }

    /**
     * The rows of a query that {@link KeyVersions#serve} accepts, from a table of all versions.
     *
     * @throws StaleLatestException when the table does not stand at the commit, or there is none
     */
    public List<StoredRow> versions(RowQuery query, long commitId) {
        countLookUp(query.type());
        try {
            return ask(current -> KeyVersions.find(current, query, commitId));
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot find versions of " + query.type(), e);
        }
    }

    /** Counts a look-up of a few rows of a type, which an index would find sooner. */
    void countLookUp(TypeRef type) {
        int count = lookUps.merge(type, 1, Integer::sum);
        if (count < WORTH_AN_INDEX || Integer.bitCount(count) > 1) {
            return;
        }
        try {
            change(type, (current, connection) -> {
                current.writer().index(connection, type);
                return 0;
            });
        } catch (SQLException e) {
            // It may need more memory than there is. The answers are the same without.
            LOG.atDebug().setCause(e).addKeyValue("type", type).log("no index on latest versions");
        }
    }

    /** Lets go of the file; the engine closes it when nobody else uses it. */
    @Override
    public void close() {
        onClose.run();
    }

    /** The file is deleted when it is closed: it may hold rows that were erased. */
    public void discardOnClose() {
        discardOnClose = true;
    }

    void detach() {
        writing.lock();
        try {
            LocalDatabase current = local;
            closed = true;
            local = null;
            if (current != null) {
                if (discardOnClose) {
                    current.close();
                    current.file().delete();
                } else {
                    wanted.write(current);
                    current.close();
                }
            }
        } finally {
            writing.unlock();
        }
    }
}
