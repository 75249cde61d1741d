package io.ontologia.core;

import io.ontologia.core.internal.CommitsOfRows;
import io.ontologia.core.internal.FoundRow;
import io.ontologia.core.internal.QueryScope;
import io.ontologia.core.internal.RowReader;
import io.ontologia.core.internal.Unreadable;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A question about the rows of one type. Immutable: each method returns another query; nothing is read before one of
 * {@link #list}, {@link #first}, {@link #stream}, {@link #results}, {@link #count} or {@link #aggregate} is called, and
 * each of those sees one commit from start to end.
 *
 * <p>Rows are shown in the schema version of the session, whatever version they were written with. When the type, or an entity
 * type that the query looks into, was dropped after the session was opened, or migrated in a way that the session cannot follow,
 * each of those throws a {@link io.ontologia.core.spi.SchemaOutdatedException} that names both versions. Open a new session to go
 * on.
 *
 * @param <T> what it finds
 */
public final class Query<T> {
    private final QueryScope scope;
    private final RowReader<T> reader;
    private final RowQuery rows;
    private final List<FieldPath> groupBy;
    private final List<Aggregate.Having> having;
    private final List<GroupOrder> groupOrder;
    private final Commits commits;

    /** What results say about the commits that wrote them. */
    private enum Commits {
        IDS,
        ENTRIES
    }

    private final Unreadable unreadable;

    /** Queries are made by a {@link Session}. */
    Query(
            QueryScope scope,
            RowReader<T> reader,
            RowQuery rows,
            List<FieldPath> groupBy,
            List<Aggregate.Having> having,
            List<GroupOrder> groupOrder) {
        this(scope, reader, rows, groupBy, having, groupOrder, Commits.IDS, Unreadable.FAIL);
    }

    private Query(
            QueryScope scope,
            RowReader<T> reader,
            RowQuery rows,
            List<FieldPath> groupBy,
            List<Aggregate.Having> having,
            List<GroupOrder> groupOrder,
            Commits commits,
            Unreadable unreadable) {
        this.scope = scope;
        this.reader = reader;
        this.rows = rows;
        this.groupBy = groupBy;
        this.having = having;
        this.groupOrder = groupOrder;
        this.commits = commits;
        this.unreadable = unreadable;
    }

    /**
     * Only rows that pass the filter, and those given before.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it looks at a field that the type does not have,
     *     uses an accessor of another type, or compares a field with a value of another type
     */
    public Query<T> where(Filter filter) {
        scope.check(rows.type(), filter);
        Filter all = rows.filter().map(before -> before.and(filter)).orElse(filter);
        return with(new RowQuery(
                rows.type(),
                rows.window(),
                Optional.of(all),
                rows.leftType(),
                rows.rightType(),
                rows.schemaVersion(),
                rows.restriction(),
                rows.order(),
                rows.limit(),
                rows.offset(),
                rows.after()));
    }

    /** Sorted so; ties are broken by identity. */
    public Query<T> orderBy(Order... order) {
        List<Order> all = List.of(order);
        for (Order part : all) {
            scope.check(rows.type(), part.path());
        }
        return with(new RowQuery(
                rows.type(),
                rows.window(),
                rows.filter(),
                rows.leftType(),
                rows.rightType(),
                rows.schemaVersion(),
                rows.restriction(),
                all,
                rows.limit(),
                rows.offset(),
                rows.after()));
    }

    /** At most so many. */
    public Query<T> limit(long count) {
        return with(page(OptionalLong.of(requireNotNegative("limit", count)), rows.offset(), rows.after()));
    }

    /** Without the first so many. */
    public Query<T> offset(long count) {
        return with(page(rows.limit(), requireNotNegative("offset", count), rows.after()));
    }

    /**
     * Only rows after this one, in identity order: the next page, at the same cost however deep it is. Not together with
     * {@link #orderBy}, {@link #offset} or a history.
     */
    public Query<T> after(Identity last) {
        if ((last instanceof Identity.OfEntity) != (rows.type().kind() == TypeKind.ENTITY)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot continue after '" + last + "'",
                    "it is no identity of a " + rows.type().kind().wireName(),
                    "use the identity of a result of the same query");
        }
        return with(page(rows.limit(), rows.offset(), Optional.of(last)));
    }

    /** As it was after this commit; 0 is the time before the first. */
    public Query<T> asOf(long commitId) {
        return with(window(new Window.AsOf(requireNotNegative("commit", commitId))));
    }

    /** As it was at this moment: after the last commit at or before it. */
    public Query<T> asOf(Instant moment) {
        return asOf(scope.commitAt(moment));
    }

    /**
     * Every version there ever was, oldest first. Where a row was retracted, {@link #results} has a version that says so, unless
     * the query tests fields: such a version has none.
     */
    public Query<T> withHistory() {
        return with(window(new Window.History(0)));
    }

    /** Every version since a commit, that one left out, oldest first. */
    public Query<T> historySince(long commitId) {
        return with(window(new Window.History(requireNotNegative("commit", commitId))));
    }

    /**
     * Leaves out rows of the past that cannot be shown in the schema version of this session, because neither a recorded step nor
     * a registered upgrader leads there, or because it failed; {@link #omitted} counts them. Without this, such rows make the
     * answer fail.
     */
    public Query<T> omitUnreadable() {
        return new Query<>(scope, reader, rows, groupBy, having, groupOrder, commits, Unreadable.OMIT);
    }

    /** Aggregates are computed for each combination of these values. */
    public Query<T> groupBy(FieldExpression<?>... fields) {
        for (FieldExpression<?> field : fields) {
            scope.check(rows.type(), field.path());
        }
        return new Query<>(
                scope,
                reader,
                rows,
                Stream.of(fields).map(FieldExpression::path).toList(),
                having,
                groupOrder,
                commits,
                unreadable);
    }

    /** Only groups whose aggregate, or value grouped by, compares so. */
    public Query<T> having(String aggregate, Filter.Op op, Object value) {
        List<Aggregate.Having> all = Stream.concat(
                        having.stream(), Stream.of(new Aggregate.Having(aggregate, op, value)))
                .toList();
        return new Query<>(scope, reader, rows, groupBy, all, groupOrder, commits, unreadable);
    }

    /**
     * Sorts the groups of {@link #aggregate} so; ties are broken by the values grouped by. {@link #limit} and {@link #offset}
     * then choose among the sorted groups.
     */
    public Query<T> orderGroups(GroupOrder... order) {
        return new Query<>(scope, reader, rows, groupBy, having, List.of(order), commits, unreadable);
    }

    /** Everything it finds. For more than fits into memory use {@link #stream()}. */
    public List<T> list() {
        try (Stream<T> all = stream()) {
            return all.toList();
        }
    }

    /** The first it finds. */
    public Optional<T> first() {
        boolean ends = rows.window() instanceof Window.History;
        try (Stream<T> found = (ends ? this : limit(1)).stream()) {
            return found.findFirst();
        }
    }

    /**
     * Everything it finds, in constant memory; of a history, the versions that have a value. The stream lets go of the store when a terminal operation is over, when it is
     * closed, and at the latest when its session is closed; a stream whose iterator is not read to its end should be closed.
     */
    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    public Stream<T> stream() {
        return resultStream().filter(result -> !result.isEnd()).map(Result::value);
    }

    /** Everything it finds, each with identity and commit. */
    public List<Result<T>> results() {
        try (Stream<Result<T>> all = resultStream()) {
            return all.toList();
        }
    }

    /**
     * With the log entry of its commit in each {@link Result}: its time and metadata. The log is read once for a batch of rows,
     * which takes some time on object stores with many commits.
     */
    public Query<T> withCommits() {
        return new Query<>(scope, reader, rows, groupBy, having, groupOrder, Commits.ENTRIES, unreadable);
    }

    /** As {@link #results()}, in constant memory; ends as {@link #stream()} does. */
    public Stream<Result<T>> resultStream() {
        Stream<FoundRow> found = scope.rows(rows, unreadable);
        return commits == Commits.IDS
                ? found.map(reader::result)
                : new CommitsOfRows(scope.storage())
                        .with(found, (row, commit) -> reader.result(row).with(Optional.ofNullable(commit)));
    }

    /** Which rows it finds, in constant memory and without their values; ends as {@link #stream()} does. */
    public Stream<RowRef> refs() {
        TypeRef type = rows.type();
        return scope.rows(rows, unreadable).filter(row -> !row.isEnd()).map(row -> new RowRef(type, row.identity()));
    }

    /** How the store finds what {@link #stream} reads. */
    public Explanation explain() {
        return scope.explain(rows);
    }

    /** How many it finds, limit and offset aside. */
    public long count() {
        return scope.count(rows, unreadable);
    }

    /** How many also pass the filter. */
    public long countWhere(Filter filter) {
        return where(filter).count();
    }

    /**
     * How many rows the query looked at that cannot be shown in the schema version of this session. It looks at every row of the
     * type in its window or, when a test for certain keys is a part of the filter that must hold, at every row with one of those
     * keys; the rest of the filter does not matter here. Rows of other versions can be shown where steps are recorded with the
     * versions between, or upgraders are registered with {@link SessionOptions#upgraders}.
     */
    public long omitted() {
        return scope.omitted(rows);
    }

    /**
     * The aggregates of each group, or of all rows when nothing is grouped: in the order of {@link #orderGroups}, else of
     * {@link #orderBy} where that names fields grouped by, else of the values grouped by.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when a condition or order of groups names neither an
     *     aggregate nor a field grouped by
     */
    public List<Map<String, @Nullable Object>> aggregate(Aggregate... aggregates) {
        for (Aggregate aggregate : aggregates) {
            aggregate.filter().ifPresent(filter -> scope.check(rows.type(), filter));
            aggregate.path().ifPresent(path -> scope.check(rows.type(), path));
        }
        return scope.aggregate(new AggregateQuery(rows, List.of(aggregates), groupBy, having, groupOrder), unreadable);
    }

    private Query<T> with(RowQuery changed) {
        return new Query<>(scope, reader, changed, groupBy, having, groupOrder, commits, unreadable);
    }

    private RowQuery window(Window window) {
        return new RowQuery(
                rows.type(),
                window,
                rows.filter(),
                rows.leftType(),
                rows.rightType(),
                rows.schemaVersion(),
                rows.restriction(),
                rows.order(),
                rows.limit(),
                rows.offset(),
                rows.after());
    }

    private RowQuery page(OptionalLong limit, long offset, Optional<Identity> after) {
        return new RowQuery(
                rows.type(),
                rows.window(),
                rows.filter(),
                rows.leftType(),
                rows.rightType(),
                rows.schemaVersion(),
                rows.restriction(),
                rows.order(),
                limit,
                offset,
                after);
    }

    private static long requireNotNegative(String what, long number) {
        if (number < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid " + what + " " + number, "it is negative", "use 0 or more");
        }
        return number;
    }
}
