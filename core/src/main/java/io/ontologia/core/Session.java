package io.ontologia.core;

import io.ontologia.core.internal.Comparison;
import io.ontologia.core.internal.FoundRow;
import io.ontologia.core.internal.OlderWrites;
import io.ontologia.core.internal.PendingRows;
import io.ontologia.core.internal.QueryScope;
import io.ontologia.core.internal.RowReader;
import io.ontologia.core.internal.SessionTypes;
import io.ontologia.core.internal.records.RecordBinding;
import io.ontologia.core.spi.CommitConditions;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work on one store: say what should be true with {@link #ensure}, make it so with {@link #commit}, ask with
 * {@link #entities} and {@link #relations}.
 *
 * <p>Queries see what is committed, not what is pending. A session belongs to one thread; open one for each. Closing it
 * discards what is pending and logs a warning with the number of rows; {@link Ontologia#with} commits at the end of a block
 * that succeeds.
 */
public final class Session implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Session.class.getName());

    private final Storage storage;
    private final SessionTypes types;
    private final SessionOptions options;
    private final QueryScope scope;
    private final OptionalLong pin;
    private final OlderWrites writes;
    private final UnaryOperator<CommitRequest> completing;
    private final Runnable release;
    private final PendingRows pending;
    private final LeasesInUse leases = new LeasesInUse();
    private boolean warnedAboutTime;
    private boolean closed;

    Session(Storage storage, SessionTypes types, SessionOptions options) {
        this(storage, types, options, OptionalLong.empty(), UnaryOperator.identity(), storage::close);
    }

    private Session(
            Storage storage,
            SessionTypes types,
            SessionOptions options,
            OptionalLong pin,
            UnaryOperator<CommitRequest> completing,
            Runnable release) {
        this.storage = storage;
        this.types = types;
        this.options = options;
        this.pin = pin;
        this.scope = new QueryScope(storage, types, options.upgraders(), pin);
        this.writes = new OlderWrites(storage, types, options.upgraders());
        this.completing = completing;
        this.release = release;
        this.pending = new PendingRows(options.maxBatchSize());
    }

    /**
     * Another session on the same open store, for one thread as any. What it commits is completed by the caller first, and
     * closing it leaves the store open.
     */
    Session another(UnaryOperator<CommitRequest> completion) {
        return new Session(storage, types, options, pin, completion, () -> {});
    }

    /**
     * A session on the same open store that only reads, and reads the state after one commit: queries, traversals and the log
     * show what they showed when that commit was the newest, whatever is committed meanwhile. So several queries see one
     * state:
     *
     * <pre>{@code
     * try (Session state = session.pinnedTo(session.head())) {
     *     long customers = state.entities(Customer.class).count();
     *     List<Customer> gold = state.entities(Customer.class).where(...).list();
     * }
     * }</pre>
     *
     * <p>Nothing is locked or kept: a pinned session costs nothing, and may stay open for any time. It may be used by another thread than
     * this session. Closing it leaves the store open; closing this session ends it. Schemas are not pinned: types are shown in the
     * schema that this session was opened with, as in {@link Query#asOf(long)}.
     *
     * @param commitId a commit that exists, or 0 for the time before the first
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when there is no such commit, or, in a session that is
     *     pinned itself, when it is later than the pinned one
     */
    public Session pinnedTo(long commitId) {
        long newest = head();
        if (commitId < 0 || commitId > newest) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "cannot pin a session to commit " + commitId,
                    "the newest commit is " + newest,
                    "use a commit that exists, or 0 for the time before the first");
        }
        return new Session(storage, types, options, OptionalLong.of(commitId), UnaryOperator.identity(), () -> {});
    }

    /** The commit that this session is pinned to. */
    public OptionalLong pinnedTo() {
        return pin;
    }

    private void requireUnpinned() {
        if (pin.isPresent()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot write in this session",
                    "it is pinned to commit " + pin.getAsLong() + " and only reads",
                    "use a session that is not pinned");
        }
    }

    SessionOptions options() {
        return options;
    }

    /**
     * Asks for rows to be as given after the next commit: records of the session's types, {@link Row}s, or a mix. Of two
     * that have the same identity the later one counts.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when one does not fit its type, or more rows wait
     *     than {@code max_batch_size} allows; what came before it stays pending
     */
    public void ensure(Object first, Object... more) {
        add(first);
        for (Object wanted : more) {
            add(wanted);
        }
    }

    /** As {@link #ensure(Object, Object...)}, for many. */
    public void ensureAll(Iterable<?> wanted) {
        wanted.forEach(this::add);
    }

    /** As {@link #ensure(Object, Object...)}, for a stream, which is read to its end. */
    public void ensureAll(Stream<?> wanted) {
        wanted.forEachOrdered(this::add);
    }

    private void add(Object wanted) {
        requireOpen();
        requireUnpinned();
        pending.add(types.desired(wanted));
    }

    /**
     * Asks for an entity to end with the next commit: queries of the present do not show it any more, those of the past do, and
     * {@link #ensure} brings it back. Where there is no such entity, nothing happens. While relations have it at one end, the
     * commit is refused, unless it retracts them too.
     */
    public <T extends Record & Entity> void retract(Class<T> record, String key) {
        retract(Cascade.NONE, RowRef.entity(types.binding(record).type().name(), key));
    }

    /** Asks for a relation of a type without instance keys to end with the next commit. */
    public <T extends Record & Relation<?, ?>> void retract(Class<T> record, String leftKey, String rightKey) {
        retract(record, leftKey, rightKey, "");
    }

    /** Asks for a relation to end with the next commit. */
    public <T extends Record & Relation<?, ?>> void retract(
            Class<T> record, String leftKey, String rightKey, String instanceKey) {
        String type = types.binding(record).type().name();
        retract(Cascade.NONE, RowRef.relation(type, leftKey, rightKey, instanceKey));
    }

    /**
     * Asks for rows of any type of this session to end with the next commit, as {@link #retract(Class, String)} does.
     *
     * @param cascade what happens to the relations of entities among them
     */
    public void retract(Cascade cascade, RowRef first, RowRef... more) {
        requireOpen();
        requireUnpinned();
        pending.retract(types.require(first), cascade);
        for (RowRef row : more) {
            pending.retract(types.require(row), cascade);
        }
    }

    /**
     * Lets the next commit pass only if rows are still as they were at a commit that the caller read; without rows, only if no
     * commit came after it. This and the commit are decided in one atomic step. It is forgotten with that commit and by {@link
     * #discard}.
     *
     * @param commitId what {@link #head} or {@link Result#commitId} returned
     */
    public void ifUnchangedSince(long commitId, RowRef... rows) {
        requireOpen();
        pending.expect(commitId, Stream.of(rows).map(types::require).toList());
    }

    /** How many rows wait for the next commit. */
    public int pending() {
        return pending.size();
    }

    /** Forgets what is pending. */
    public void discard() {
        pending.clear();
    }

    /** What {@link #commit} would change now; nothing is written. Works in sessions that may only read, too. */
    public List<Change> preview() {
        requireOpen();
        if (pending.isEmpty()) {
            return List.of();
        }
        CommitRequest request = writes.inNewestVersions(request(Map.of(), Outbox.none(), CommitConditions.none()));
        return options.storage().mode() == StorageOptions.Mode.READ_ONLY
                ? new Comparison(storage, request.equality()).changes(request)
                : storage.preview(request);
    }

    /** As {@link #commit(Map)}, without metadata. */
    public CommitResult commit() {
        return commit(Map.of());
    }

    /**
     * Makes true what is pending, atomically: all of it or nothing. Rows that are already so are not written, and when all
     * of them are, there is no commit.
     *
     * @param metadata a JSON object that the log keeps with the commit; {@link SessionOptions#author} adds the author to it
     * @throws OntologiaException when nothing was stored, and everything stays pending; only of kind {@link
     *     ErrorKind#UNKNOWN_OUTCOME} when it may have been
     * @throws RowsChangedException when rows named in {@link #ifUnchangedSince} changed
     */
    public CommitResult commit(Map<String, ? extends @Nullable Object> metadata) {
        return commit(metadata, Outbox.none());
    }

    /**
     * As {@link #commit(Map)}; the outbox's events are enqueued if and only if there is a commit. Without anything pending,
     * or when all of it is already so, there is none.
     *
     * @throws ClaimLostException when the outbox is on behalf of a claim that is not live any more
     */
    public CommitResult commit(Map<String, ? extends @Nullable Object> metadata, Outbox outbox) {
        return commit(metadata, outbox, conditions());
    }

    /**
     * As {@link #commit(Map)}, if and only if the given commit is still the newest one. Both are decided in one atomic step,
     * so what was read at that commit is still so when the new one becomes visible.
     *
     * @param head what {@link #head} returned; 0 for a store without commits
     * @throws HeadMovedException when another commit is the newest; everything stays pending
     */
    public CommitResult commitAfter(long head, Map<String, ? extends @Nullable Object> metadata) {
        return commit(metadata, Outbox.none(), conditions().after(head));
    }

    private CommitConditions conditions() {
        CommitConditions none = CommitConditions.none();
        return leases.hold().map(none::under).orElse(none);
    }

    private CommitResult commit(
            Map<String, ? extends @Nullable Object> metadata, Outbox outbox, CommitConditions others) {
        requireOpen();
        requireUnpinned();
        CommitConditions conditions = pending.conditions(others);
        if (pending.isEmpty()) {
            long newest = storage.head();
            conditions.requireHead(newest);
            conditions.requireUnchanged(new Comparison(storage, types::samePayload)::version);
            pending.clear();
            return new CommitResult.NothingToDo(newest);
        }
        CommitResult result = writes.commit(completing.apply(request(metadata, outbox, conditions)));
        pending.clear();
        if (result instanceof CommitResult.Committed committed) {
            warnAboutTime(committed);
        }
        return result;
    }

    /** Once in a session: the clock of the commits before was ahead, or ours is behind. */
    private void warnAboutTime(CommitResult.Committed committed) {
        Duration ahead = Duration.between(options.storage().clock().now(), committed.at());
        if (!warnedAboutTime && ahead.compareTo(Storage.CLOCK_TOLERANCE) > 0) {
            warnedAboutTime = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "commit " + committed.commitId() + " carries the time of an earlier commit, "
                            + UtcTimestamp.format(committed.at()) + ", which is " + ahead.toMinutes()
                            + " minutes ahead of this clock: check the clocks of all writers; name commits by their ids"
                            + " until that time has come");
        }
    }

    private CommitRequest request(
            Map<String, ? extends @Nullable Object> metadata, Outbox outbox, CommitConditions conditions) {
        List<DesiredRow> rows = pending.rows();
        Map<TypeRef, Long> versions = new HashMap<>();
        for (DesiredRow row : rows) {
            versions.computeIfAbsent(row.type(), type -> types.versions().getOrDefault(type, 0L));
        }
        return new CommitRequest(
                rows,
                options.author().sign(metadata),
                versions,
                options.runtimeId(),
                types::samePayload,
                outbox,
                conditions,
                pending.cascading());
    }

    /** The entities of a record's type. */
    public <T extends Record & Entity> Query<T> entities(Class<T> record) {
        return query(types.binding(record));
    }

    /** The relations of a record's type. */
    public <T extends Record & Relation<?, ?>> Query<T> relations(Class<T> record) {
        return query(types.binding(record));
    }

    /** The entities of a type by name. */
    public Query<Row> entities(String type) {
        return query(types.require(TypeRef.entity(type)).ref());
    }

    /** The relations of a type by name. */
    public Query<Row> relations(String type) {
        return query(types.require(TypeRef.relation(type)).ref());
    }

    /** Paths from the entities of a record's type along relations. */
    public <T extends Record & Entity> Traversal traverse(Class<T> source) {
        return traverse(types.binding(source).type().name());
    }

    /** Paths from the entities of a named type along relations. */
    public Traversal traverse(String source) {
        return new Traversal(types, scope, entities(source), source);
    }

    /** The entity with this key, as it is now. */
    public <T extends Record & Entity> Optional<T> find(Class<T> record, String key) {
        RowReader<T> reader = RowReader.of(types.binding(record));
        return findRow(types.binding(record).type().ref(), key).map(reader::read);
    }

    /** The entity of a named type with this key, as it is now. */
    public Optional<Row> find(String type, String key) {
        TypeRef ref = types.require(TypeRef.entity(type)).ref();
        return findRow(ref, key).map(RowReader.of(ref)::read);
    }

    /** The entity with this key as it was after a commit. */
    public <T extends Record & Entity> Optional<T> findAsOf(Class<T> record, String key, long commitId) {
        return entities(record).where(Fields.key().eq(key)).asOf(commitId).first();
    }

    /** The entity with this key as it was at a moment: after the last commit at or before it. */
    public <T extends Record & Entity> Optional<T> findAsOf(Class<T> record, String key, Instant moment) {
        return entities(record).where(Fields.key().eq(key)).asOf(moment).first();
    }

    /** The entity of a named type with this key as it was after a commit. */
    public Optional<Row> findAsOf(String type, String key, long commitId) {
        return entities(type).where(Fields.key().eq(key)).asOf(commitId).first();
    }

    /** The entity of a named type with this key as it was at a moment: after the last commit at or before it. */
    public Optional<Row> findAsOf(String type, String key, Instant moment) {
        return entities(type).where(Fields.key().eq(key)).asOf(moment).first();
    }

    /** Every version of the entity with this key, oldest first. */
    public <T extends Record & Entity> List<Result<T>> findHistory(Class<T> record, String key) {
        return entities(record).where(Fields.key().eq(key)).withHistory().results();
    }

    /** Every version of the entity of a named type with this key, oldest first. */
    public List<Result<Row>> findHistory(String type, String key) {
        return entities(type).where(Fields.key().eq(key)).withHistory().results();
    }

    private Optional<FoundRow> findRow(TypeRef type, String key) {
        requireOpen();
        RowQuery query = RowQuery.of(type, new Window.Latest())
                .restrictedTo(new RowQuery.Restriction(RowQuery.Restriction.Part.KEY, List.of(key)));
        return scope.row(query);
    }

    private <T> Query<T> query(RecordBinding<T> binding) {
        return query(binding.type().ref(), RowReader.of(binding));
    }

    private Query<Row> query(TypeRef type) {
        return query(type, RowReader.of(type));
    }

    private <T> Query<T> query(TypeRef type, RowReader<T> reader) {
        requireOpen();
        return new Query<>(scope, reader, RowQuery.of(type, new Window.Latest()), List.of(), List.of(), List.of());
    }

    /** The newest commit, 0 when there is none; in a pinned session the one that it is pinned to. */
    public long head() {
        requireOpen();
        return pin.isPresent() ? pin.getAsLong() : storage.head();
    }

    /** The commit log, its changes, and differences between commits. */
    public CommitLog log() {
        requireOpen();
        return new CommitLog(storage, options.storage().clock(), pin.orElse(Long.MAX_VALUE), scope);
    }

    /** Brings back an earlier state. */
    public Restoration restoration() {
        requireOpen();
        return new Restoration(this);
    }

    /**
     * The write lock. While this session holds it, its own commits pass and those of others are refused. From {@link
     * WriteLock#acquire} until the lease is closed, each commit of this session carries that lease, and is refused with {@link
     * LeaseLostException} once it was lost.
     */
    public WriteLock lock() {
        requireOpen();
        requireUnpinned();
        return new WriteLock(storage, options, leases);
    }

    /** The types that this session works with. */
    public Collection<OntologyType> types() {
        return List.copyOf(types.types().values());
    }

    /** The storage behind this session, for tools. It is not pinned. */
    public Storage storage() {
        return storage;
    }

    /**
     * Discards what is pending and releases the store. Logs a warning with the number of rows when there were any; call
     * {@link #discard} before to drop them without one. Idempotent.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (!pending.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a session was closed with " + (pending.size() == 1 ? "1 row" : pending.size() + " rows")
                            + " pending, which are not stored: call commit() to store, or discard() to drop what is"
                            + " pending before the session is closed");
        }
        pending.clear();
        try {
            scope.endStreams();
        } finally {
            release.run();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use the session", "it was closed", "open another one");
        }
    }
}
