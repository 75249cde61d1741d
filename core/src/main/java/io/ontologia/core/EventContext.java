package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import org.jspecify.annotations.Nullable;

/**
 * What a handler can do while it handles one event. It belongs to the thread that the handler was called on, and is over
 * when the handler returns.
 *
 * <p>Nothing is stored unless the handler commits. What it committed stays, even when it fails afterwards. What is pending when
 * it ends is discarded, with a warning in the log when the handler succeeded. A commit is refused with a {@link ClaimLostException} once the claim on the event is lost.
 */
public interface EventContext {

    /** The event as the bus keeps it. */
    Event event();

    /** How often this handler failed with the event before. */
    long failures();

    /**
     * A session with the types of the worker's, for this event only. Its commits are on behalf of the claim and carry {@link
     * #metadata}, as those of {@link #commit()} do.
     */
    Session session();

    /** As {@link Session#ensure}, on {@link #session()}. */
    void ensure(Object first, Object... more);

    /**
     * Adds to what the log keeps with the commits that follow. {@code event_id}, {@code event_type}, {@code root_event_id}
     * and {@code handler_id} are there already and cannot be replaced.
     */
    void metadata(String name, @Nullable Object value);

    /** Makes true what is pending; see {@link Session#commit()}. */
    CommitResult commit();

    /**
     * As {@link #commit()}; the event, a record, is enqueued to the same namespace if and only if there is a commit, in the
     * same moment, whatever becomes of the handler.
     *
     * @throws OntologiaException as {@link #emit(Record)}; nothing was stored
     */
    CommitResult commit(Record event);

    /** As {@link #commit(Record)}, with an event of any form. */
    CommitResult commit(NewEvent event);

    /**
     * Enqueues an event, a record, to the same namespace once the handler has succeeded; not when it fails. It is of the same
     * root as {@link #event()}, one deeper in the chain. After a crash between the handler's end and its acknowledgement
     * the handler runs again, and so its events may come twice.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the chain would get longer than {@code
     *     max_event_chain_depth}
     */
    void emit(Record event);

    /** As {@link #emit(Record)}, with an event of any form. Its lineage is replaced. */
    void emit(NewEvent event);
}
