package io.ontologia.core.spi;

import io.ontologia.core.CommitInfo;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A whole store as it was at one moment, read once from its first commit to its last. What others commit meanwhile is not
 * seen. The memory that it needs does not grow with the number of commits. Used by one thread; must be closed.
 */
public interface StoreHistory extends AutoCloseable {

    /** The newest commit, 0 when there is none. */
    long head();

    /** Every type that there ever was, by kind and name. */
    List<TypeHistory> types();

    /**
     * Goes to the next commit.
     *
     * @return empty after the last
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when rows belong to no commit
     */
    Optional<CommitInfo> next();

    /** Gives every row that the current commit wrote and that was not purged since, in any order. To be asked once. */
    void rows(Consumer<PastRow> action);

    /** What is known of rows that the current commit wrote and that were purged since. */
    List<RowsDigest> purged();

    /** What is known of rows that the current commit wrote and that were erased since. */
    List<ErasedRow> erased();

    /**
     * Gives every record of the event bus: first the sessions, then the dead letters, the claims on events that are there, and
     * the events. Events of commits that were not enqueued yet are among them. Stores without transactions give each record
     * as it is when it is read.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when a record cannot be read
     */
    void bus(Consumer<BusRecord> action);

    /** Lets go of what it holds. Idempotent. */
    @Override
    void close();
}
