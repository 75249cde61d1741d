package io.ontologia.core.spi;

import io.ontologia.core.CommitInfo;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Fills an empty store with a history from elsewhere: ids, times and metadata stay what they were. Nobody sees any of it
 * before {@link #finish}, and everything after. Used by one thread, in this order: {@link #types} once, {@link #commit} for
 * each commit, oldest first, {@link #bus} for each record of the event bus, {@link #finish}, {@link #close}.
 */
public interface HistoryWriter extends AutoCloseable {

    /** Says which types there are and ever were. */
    void types(List<TypeHistory> types);

    /**
     * Adds a commit. Its rows are held in memory together at most.
     *
     * @param purged what is known of rows of the commit that the source no longer has
     * @param erased what is known of rows of the commit that were erased in the source
     * @param rows calls back with every row of the commit
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when rows do not fit what was said of their types
     */
    void commit(CommitInfo commit, List<RowsDigest> purged, List<ErasedRow> erased, Consumer<Consumer<PastRow>> rows);

    /**
     * Adds a record of the event bus, in the order of {@link StoreHistory#bus}. On object stores the records can be seen before
     * {@link #finish}.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the backend cannot hold it beside another one
     */
    void bus(BusRecord entry);

    /**
     * Makes everything visible at once.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when somebody wrote to the store meanwhile; nothing
     *     became visible then
     */
    void finish();

    /** Lets go of what it holds; without {@link #finish} the store stays empty. Idempotent. */
    @Override
    void close();
}
