package io.ontologia.core.spi;

import io.ontologia.core.ErasureRemains;
import io.ontologia.core.Event;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.LockHolder;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Removes every version of rows from a store, and proves that they are gone. */
public interface Eraser {

    /**
     * An event on the bus, with its claims and dead letters.
     *
     * @param eventId unique within the namespace
     */
    record EventRef(String namespace, String eventId) {}

    /**
     * What to erase.
     *
     * @param lock the hold of the write lock under which it happens; it must still be the present one
     * @param expectedHead the newest commit must still be this one
     * @param identities the rows of each type
     * @param events the events to remove, with their claims and dead letters
     * @param metadata the metadata of the commit that records the erasure, given what is kept of each erased version
     * @param runtimeId the caller
     */
    record Request(
            LockHolder lock,
            long expectedHead,
            Map<TypeRef, Set<Identity>> identities,
            List<EventRef> events,
            Function<Collection<ErasedRow>, Map<String, @Nullable Object>> metadata,
            String runtimeId,
            Progress progress) {}

    /**
     * What was erased.
     *
     * @param commitId the commit that records the erasure
     * @param rows what is kept of each erased version
     * @param remains what still holds the content of erased rows
     */
    record Erased(long commitId, List<ErasedRow> rows, ErasureRemains remains) {}

    /** The files that hold rows of some types, and that an erasure rewrites. */
    List<String> files(Set<TypeRef> types);

    /** Gives every event that the store keeps beside the event bus, because a commit enqueued it. */
    void pastEvents(Consumer<Event> action);

    /**
     * Erases rows in one commit, which holds no rows. No query shows them after it. Then removes their content from the store, as
     * {@link #finish} does.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the lock is no longer held or the newest commit is another
     *     one; no row was erased
     */
    Erased erase(Request request);

    /**
     * Removes the content of rows that were erased before, as far as that is possible now. Can be called again at any time.
     *
     * @return what still holds their content
     */
    ErasureRemains finish(String runtimeId, Progress progress);

    /** What still holds the content of erased rows, and records of erasures that no commit explains. */
    List<Finding> check(Progress progress);
}
