package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Optional;

/**
 * Keeps records, each with four concerns that are pushed independently. All backends give the same results to the same calls.
 *
 * <p><b>Consistency.</b> Every concern of every record is a linearizable register, between threads, processes and machines that
 * share the backend: a push that returned is seen by every read that begins later, and of several pushes with the same
 * expected value exactly one is {@link PushOutcome.Updated}. After {@link #retract} returned no push succeeds, and after
 * {@link #purge} returned no trace of the record is seen, until it is restored or created again. Nothing but {@link #create}
 * creates.
 *
 * <p><b>Conflicts are values, everything else is an error</b>: {@link NameNotFoundException} when a record that must exist does
 * not, {@link NameRetractedException} for a push to a retracted record; {@link OntologiaException}s of kind {@link
 * ErrorKind#INVALID_INPUT} for what can never succeed, {@link ErrorKind#CORRUPT}, naming the place, for a record that cannot be
 * read (only calls for that record fail), {@link ErrorKind#UNAVAILABLE} when the backend cannot be reached and certainly nothing
 * was changed, {@link ErrorKind#BUSY} when others kept changing the same record, {@link ErrorKind#CLOSED} after {@link #close()}.
 * They are checked in the order: invalid, not found, retracted, conflict.
 *
 * <p><b>Lost replies</b> are settled by reading back. What cannot be settled is an {@code Unknown} outcome, never a conflict.
 *
 * <p>All methods may be called from many threads at once.
 */
public interface Nameservice extends AutoCloseable {

    /** The URI of this nameservice, for people: never with credentials in it. */
    String location();

    /**
     * Creates a record, unborn. Atomic: of several calls for one alias one is {@link CreateOutcome.Created}. A retracted record
     * still has its name.
     */
    CreateOutcome create(NewRecord record);

    /** The whole record, active or retracted, with its config as it is; empty when there is none. */
    Optional<NameRecord> lookup(Alias alias);

    /** One concern of a record; empty when there is no such record. At most as many requests as {@link #lookup}. */
    Optional<ConcernValue> concern(Alias alias, Concern concern);

    /** The watermarks of a record; empty when there is no such record. */
    Optional<Watermarks> watermarks(Alias alias);

    /**
     * Sets a concern to a new value if it has the expected one: watermark and payload are compared, and, when the expected value was
     * read, that the record is not another one of the same name. Atomic. Other concerns are not touched and do not matter.
     *
     * @param expected what the caller knows; {@link ConcernValue#unborn()} when nothing was ever pushed
     * @param next the new value: with a payload, and a watermark above the expected one. A head whose payload has an integer
     *     {@code t} must have it as its watermark; the {@code sync_t} of a graph source may stay the same. A status must have a text {@code state} other than
     *     {@code retracted}
     * @throws NameNotFoundException when there is no such record
     * @throws NameRetractedException when it is retracted
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when {@code next} breaks these rules, whatever is stored
     */
    PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next);

    /**
     * Replaces what a record depends on. Atomic; no watermark moves, and of two calls the later one stays. Unchanged when it already
     * depends on just these.
     *
     * @param deps aliases, each once; empty for none
     * @throws NameNotFoundException when there is no such record
     * @throws NameRetractedException when it is retracted
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when an element is no alias, or the record's own
     */
    LifecycleOutcome setDeps(Alias alias, List<String> deps);

    /**
     * Soft-deletes a record: its status gets the state {@code retracted}, the time and the reason, loses its locks and progress,
     * keeps its other fields, and its watermark rises by one. Atomic. Unchanged when it is retracted already.
     *
     * @param reason for people; empty for none
     * @throws NameNotFoundException when there is no such record
     */
    LifecycleOutcome retract(Alias alias, String reason);

    /**
     * As {@link #retract(Alias, String)}, which does not look at other records; this one may refuse the change because of them.
     * A record that is retracted already is unchanged, whatever depends on it.
     *
     * @throws NameNotFoundException when there is no such record
     * @throws NameInUseException when active records depend on it and that is to be refused
     */
    default LifecycleOutcome retract(Alias alias, String reason, Dependants dependants) {
        if (dependants == Dependants.REFUSE
                && !lookup(alias)
                        .orElseThrow(() -> new NameNotFoundException(alias))
                        .isRetracted()) {
            Dependants.requireNone(this, alias, "retract");
        }
        return retract(alias, reason);
    }

    /**
     * Undoes a retraction: the state is {@code ready} again, and the status watermark rises by one. Atomic. Unchanged when the
     * record is active.
     *
     * @throws NameNotFoundException when there is no such record
     */
    LifecycleOutcome restore(Alias alias);

    /**
     * Removes a retracted record for good and frees its name. To everybody else it is there or gone, never half; when the call
     * breaks off, the next purge or create of the alias finishes the work.
     *
     * @throws NameNotFoundException when there is no such record
     */
    PurgeOutcome purge(Alias alias);

    /**
     * As {@link #purge(Alias)}, which does not look at other records; this one may refuse the change because of them.
     *
     * @throws NameNotFoundException when there is no such record
     * @throws NameInUseException when active records depend on it and that is to be refused
     */
    default PurgeOutcome purge(Alias alias, Dependants dependants) {
        if (dependants == Dependants.REFUSE) {
            NameRecord record = lookup(alias).orElseThrow(() -> new NameNotFoundException(alias));
            if (!record.isRetracted()) {
                return new PurgeOutcome.StillActive(record);
            }
            Dependants.requireNone(this, alias, "purge");
        }
        return purge(alias);
    }

    /**
     * One page of records, in an order of the backend's own that does not change. A record that exists from the first page to
     * the last and keeps matching is on exactly one of them. The token in {@link NamePage#next()} stays good when records come and go.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the token is none
     */
    NamePage list(NameQuery query);

    /**
     * The events that this nameservice sends by itself; empty where changes by others have to be found by {@link Subscriptions#poller
     * polling}. Read before the first event comes.
     */
    default Optional<NameEvents> events(NameFilter filter) {
        return Optional.empty();
    }

    /** The records of schema version 1 that are still here; empty where there can be none. */
    default Optional<LegacyStore> legacy() {
        return Optional.empty();
    }

    /** Releases connections and threads. Operations after this throw {@link ErrorKind#CLOSED}. Idempotent. */
    @Override
    void close();
}
