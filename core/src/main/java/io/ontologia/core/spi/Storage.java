package io.ontologia.core.spi;

import io.ontologia.core.Change;
import io.ontologia.core.ClaimLostException;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Explanation;
import io.ontologia.core.Finding;
import io.ontologia.core.HeadMovedException;
import io.ontologia.core.Identity;
import io.ontologia.core.LeaseLostException;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One open store: the append-only history of rows, the commit log and the schemas.
 *
 * <p>Every read sees one commit from its start to its end. Every write is atomic and, once it returned, durable. All
 * methods may be called from many threads; streams belong to one thread and must be closed. Failures are {@link
 * OntologiaException}s; unless said otherwise nothing was changed when one is thrown.
 */
public interface Storage extends AutoCloseable {
    /** How far clocks may be apart before it is worth a warning. */
    Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);

    /** The backend's name, for example {@code sqlite}. */
    String backend();

    /** The URI of the store, for people: never with credentials. */
    String location();

    /** The newest commit, 0 when there is none. */
    long head();

    /** The current schema of every known type, by kind and name. */
    List<SchemaVersion> schemas();

    /** Every version of a type's schema, oldest first; empty for an unknown type. */
    List<SchemaVersion> schemaVersions(TypeRef type);

    /**
     * The number of the current version of a type's schema, 0 when the type is not known. At least as new as everything
     * that was read from this storage before the call. Cheap enough to be called after every query.
     */
    long schemaVersion(TypeRef type);

    /**
     * A number that grows whenever this storage sees that another program wrote rows with another schema version than the
     * current one of their type. Costs nothing.
     */
    default long versionAlerts() {
        return 0;
    }

    /**
     * How many current rows of a type have another schema version than the given one. Other programs write such rows. Where
     * there are none, this reads no rows.
     */
    default long rowsOfOtherVersions(TypeRef type, long version) {
        RowQuery all = RowQuery.of(type, new Window.Latest());
        return count(all) - count(all.ofVersion(OptionalLong.of(version)));
    }

    /**
     * Stores a first version for every type that is not known yet; known types are left alone. A type that was removed
     * goes on with the version after its last. Atomic.
     *
     * @return the types that were new
     */
    List<TypeRef> register(Collection<? extends OntologyType> types, String runtimeId);

    /**
     * Makes the rows true: writes a new version of each that differs from its latest one, in one commit; none when no row
     * differs. Rows compare by the request's {@link PayloadEquality}, not as texts; one of another schema version differs.
     * The events of the request's outbox are enqueued if and only if the commit is made.
     *
     * @throws LeaseLostException when the request carries a hold of the write lock that is not the present one
     * @throws HeadMovedException when the request expects another commit to be the newest
     * @throws ClaimLostException when the commit is on behalf of a claim that is not live any more
     * @throws SchemaOutdatedException when a type's schema is no longer the one that the request names
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when somebody else holds the write lock for longer than
     *     the configured time
     */
    CommitResult commit(CommitRequest request);

    /** What {@link #commit} would change now. */
    List<Change> preview(CommitRequest request);

    /** The write lock. */
    Locks locks();

    /**
     * Changes schemas and the rows under them, in one commit. Atomic: all steps or none. Rows are streamed: the memory
     * needed does not grow with them.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the lock is no longer held, or head or versions
     *     are not the expected ones, or a type that must be empty is not; whatever an upgrade throws
     */
    Restructured restructure(Restructuring request);

    /** Removes every version of rows from the store. */
    Eraser eraser();

    /** Entries of the commit log, newest first, with ids above {@code after} and up to {@code upTo}. */
    Stream<CommitInfo> commits(long after, OptionalLong upTo);

    /**
     * Entries of the commit log that a query names, newest first. Stores with an index of the rows of each type or of the ids
     * of commits use it; others read the log from its newest entry back to the oldest one that may be meant.
     */
    Stream<CommitInfo> commits(LogQuery query);

    /** One entry of the commit log. */
    Optional<CommitInfo> commit(long id);

    /** The last commit made at or before a moment, 0 when there is none. */
    long commitAt(Instant moment);

    /**
     * How far the clock of this process was ahead of the store's own clock when the store was opened; negative when it was
     * behind. Empty when the store has no clock of its own.
     */
    default Optional<Duration> clockAhead() {
        return Optional.empty();
    }

    /** What a commit did, by kind, type and identity. */
    Stream<Change> changes(long commitId);

    /** The rows that a query names. */
    Stream<StoredRow> rows(RowQuery query);

    /** The identities of the rows that a query names, in any order; less work than to read the rows. */
    default Stream<Identity> identities(RowQuery query) {
        return rows(query).map(StoredRow::identity);
    }

    /** How {@link #rows} would find the rows of a query. Reads no rows, but may fetch what is needed to say so. */
    Explanation explain(RowQuery query);

    /** How many rows a query names, without its limit and offset. */
    long count(RowQuery query);

    /** One map for each group: the values grouped by, keyed by their path, then the aggregates, keyed by name. */
    List<Map<String, @Nullable Object>> aggregate(AggregateQuery query);

    /**
     * Reads everything and says what is not as it must be. Changes nothing.
     *
     * @return what was found, the worst first; empty when all is well
     */
    List<Finding> check(Progress progress);

    /**
     * Records the digest of every commit that has none, such as those of earlier versions and of other programs. From then on
     * each commit gets its digest when it is made. Reads the whole history and changes nothing else.
     *
     * @return how many digests were recorded
     */
    long recordDigests(String runtimeId, Progress progress);

    /** Where the store is, and how much is in it. */
    StorageInfo info(StorageInfo.Detail detail);

    /** The event bus of this store, behaving as the options say. Cheap; it lives as long as this store is open. */
    EventStore events(EventOptions options);

    /** What this store needs to be kept in shape; empty for stores that need nothing. */
    default Optional<Upkeep> upkeep() {
        return Optional.empty();
    }

    /** The whole store as it is now, for who copies it. Close it. */
    StoreHistory history();

    /**
     * Begins to fill this store, which must be empty, with the history of another one. What an earlier call with the same
     * source left unfinished is no obstacle.
     *
     * @param source where the history comes from, for people
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the store holds types, commits or something else
     */
    HistoryWriter restore(String source, String runtimeId);

    /** Lets go of files and connections. Idempotent. */
    @Override
    void close();
}
