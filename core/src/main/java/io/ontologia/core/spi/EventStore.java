package io.ontologia.core.spi;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventCleanup;
import io.ontologia.core.EventInspection;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventSession;
import io.ontologia.core.ListedEvent;
import io.ontologia.core.NewEvent;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The event bus of a store. Events are kept in namespaces that do not see each other, and each handler works through them
 * on its own: what one acknowledged, another may still have to do. Many processes may work on one namespace.
 *
 * <p>Every event is handled at least once by every handler that subscribes to its type. At no time do two claims on one
 * event for one handler live, by the clocks of the workers.
 *
 * <p>All methods may be called from many threads. Failures are {@link OntologiaException}s. Nothing was changed when one
 * is thrown, except of kind {@link ErrorKind#UNKNOWN_OUTCOME}, and where an operation on several things says that each
 * stands for itself. Every method refuses bad names with {@link ErrorKind#INVALID_INPUT}: empty, no valid Unicode, or
 * longer than 200 characters when percent-encoded.
 */
public interface EventStore {

    /**
     * Stores events, which are then there for everybody to claim. An event that is there already, with the same id and the
     * same moment, is left as it is. On SQLite all are stored or none; on object stores each stands for itself, in no
     * particular order, and giving the same identities again completes them.
     *
     * @return the events as they are stored, in the given order
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the backend keeps ids unique over namespaces and
     *     another one has the id
     */
    List<Event> enqueue(Collection<NewEvent> events);

    /**
     * Claims events that no handler of that id has finished, nobody has a live claim on, and that are not waiting for
     * another attempt. Each claim is made for the lease time of the options.
     *
     * <p>For each subscription the first so many of those that can be seen, by priority, then the oldest, then by id. Each
     * claim stands for itself: when it fails halfway on an object store, what was claimed so far is returned, and only when
     * that is nothing does it throw. An event that cannot be read there, or a claim on it, is left out.
     *
     * @return by subscription in the order of the request, then in that order
     */
    List<Claim> claim(ClaimRequest request);

    /**
     * Lets live claims live for another lease time from now. Each stands for itself.
     *
     * @return for each claim {@link ClaimOutcome.Renewed} or {@link ClaimOutcome.LostClaim}
     */
    List<ClaimOutcome> renew(List<Claim> claims);

    /**
     * Acknowledges events: the handler is done with them, for good. Each stands for itself; on SQLite it is one
     * transaction.
     *
     * @return for each claim {@link ClaimOutcome.Done} or {@link ClaimOutcome.LostClaim}
     */
    List<ClaimOutcome> ack(List<Claim> claims);

    /**
     * Notes a failure. The event comes back after a pause that doubles with each failure, plus up to 100 ms; or, when it
     * was the last of {@code event_max_attempts}, becomes a dead letter and an {@link Event#DEAD_LETTER} event of the same
     * root, one deeper in the chain, with {@code event_id}, {@code event_type}, {@code handler_id}, {@code attempts},
     * {@code last_error} and {@code failed_at} in its payload; no such event where the chain would get longer than {@code
     * max_event_chain_depth}, so that a handler of dead letters that fails does not go on forever. On object stores letter and event are written before the
     * claim is closed; who crashes in between leaves them to be written again, the same.
     *
     * @param error what happened, for people; blank for {@code handler failure}
     * @return {@link ClaimOutcome.Retry}, {@link ClaimOutcome.DeadLettered} or {@link ClaimOutcome.LostClaim}
     */
    ClaimOutcome release(Claim claim, String error);

    /**
     * Hands events back unhandled, for a worker that stops: others may claim them at once, and no failure is counted. Each
     * stands for itself.
     *
     * @return for each claim {@link ClaimOutcome.Done} or {@link ClaimOutcome.LostClaim}
     */
    List<ClaimOutcome> handBack(List<Claim> claims);

    /**
     * Announces a worker, or says something new about one. The time it started stays the first one. A session id belongs to
     * one namespace.
     */
    EventSession registerSession(String namespace, String sessionId, Map<String, @Nullable Object> metadata);

    /** Says that a worker is alive; registers it anew, without metadata, when it is not known. */
    EventSession heartbeat(String namespace, String sessionId);

    /** The workers of a namespace, dead ones included, by the time they started, then by id. */
    List<EventSession> sessions(String namespace);

    /** The namespaces that have events or sessions, by name. */
    List<EventNamespace> namespaces();

    /** The first so many events of a namespace, in {@link Event#ORDER}. */
    List<ListedEvent> list(String namespace, int limit);

    /** The newest so many dead letters of a namespace, the newest first. */
    List<DeadLetter> deadLetters(String namespace, int limit);

    /** An event of a namespace, with its claims. */
    Optional<EventInspection> inspect(String namespace, String eventId);

    /** The events of this id in all namespaces, by namespace. */
    List<EventInspection> inspect(String eventId);

    /**
     * Enqueues a copy of an event: the same type, payload and priority, as the root of a new chain.
     *
     * @return the copy
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when the namespace has no such event
     */
    Event replay(String namespace, String eventId);

    /**
     * Removes events created before a moment, handled or not, and the claims on them. Dead letters and sessions stay. On
     * object stores not atomic; what was not removed can be removed later, and a worker of another process that has seen an
     * event may handle it for some polls more.
     */
    EventCleanup cleanup(String namespace, Instant before);

    /** What {@link #cleanup} would remove now. */
    EventCleanup previewCleanup(String namespace, Instant before);

    /**
     * Calls the listener after every enqueue to a namespace by this process, on whatever opening of the store, once the
     * events can be claimed; also for events of a commit, replays and dead letters. Other processes are not noticed: poll
     * for them. The listener runs on the enqueuing thread: it must be quick, must not throw nor use the store, and may be
     * called at the same time by several threads.
     */
    Registration onEnqueue(String namespace, Runnable listener);

    /** Ends what was begun with {@link #onEnqueue}. */
    interface Registration extends AutoCloseable {
        /** No new call of the listener begins after this. Idempotent. */
        @Override
        void close();
    }
}
