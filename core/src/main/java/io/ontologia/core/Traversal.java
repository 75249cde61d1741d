package io.ontologia.core;

import io.ontologia.core.internal.ClosingStreams;
import io.ontologia.core.internal.QueryScope;
import io.ontologia.core.internal.SessionTypes;
import io.ontologia.core.internal.Unreadable;
import io.ontologia.core.internal.graph.StableReads;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Follows relations from entity to entity. {@link #stream} and {@link #list} return paths along all steps; {@link #reached} and
 * {@link #reachedKeys} return what the paths lead to, each entity once. An end that no entity is stored for is an empty target.
 *
 * <p>A step that follows one relation leads along every relation, and costs two queries for each batch of paths. A step that may
 * follow several in a row ({@link Step#upTo}, {@link Step#toTheEnd}) leads to each entity once, by a shortest path; cycles end.
 * Everything is read as of one commit, also while others commit.
 *
 * <p>Immutable; nothing is read before one of those methods is called.
 */
public final class Traversal {
    /** How many entities a traversal may reach from one start, or {@link #reached} in all, unless said otherwise. */
    public static final long MOST_REACHED = 1_000_000;

    private enum Roots {
        WITH_PATHS,
        ALL
    }

    private final SessionTypes types;
    private final QueryScope scope;
    private final Query<Row> sources;
    private final String sourceType;
    private final List<Leg> legs;
    private final Window window;
    private final Roots roots;
    private final long limit;
    private final Unreadable unreadable;

    Traversal(SessionTypes types, QueryScope scope, Query<Row> sources, String sourceType) {
        this(
                types,
                scope,
                sources,
                sourceType,
                List.of(),
                new Window.Latest(),
                Roots.WITH_PATHS,
                MOST_REACHED,
                Unreadable.FAIL);
    }

    private Traversal(
            SessionTypes types,
            QueryScope scope,
            Query<Row> sources,
            String sourceType,
            List<Leg> legs,
            Window window,
            Roots roots,
            long limit,
            Unreadable unreadable) {
        this.types = types;
        this.scope = scope;
        this.sources = sources;
        this.sourceType = sourceType;
        this.legs = legs;
        this.window = window;
        this.roots = roots;
        this.limit = limit;
        this.unreadable = unreadable;
    }

    /** One step along a relation type, from whichever end the path has reached; left to right where both ends match. */
    public Traversal via(String relation) {
        return via(Step.along(relation));
    }

    /** One step along the type of a record. */
    public Traversal via(Class<? extends Relation<?, ?>> relation) {
        return via(types.binding(relation).type().name());
    }

    /**
     * One more step.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the relation does not lead on from what the steps
     *     before it reach, or a filter does not fit the relation or the entity type that it leads to
     */
    public Traversal via(Step step) {
        RelationType type = (RelationType) types.require(TypeRef.relation(step.relation()));
        Leg leg = Leg.of(step, type, reachedType());
        step.relations().ifPresent(filter -> scope.check(leg.relationRef(), filter));
        step.targets().ifPresent(filter -> scope.check(leg.endRef(), filter));
        List<Leg> more = Stream.concat(legs.stream(), Stream.of(leg)).toList();
        return new Traversal(types, scope, sources, sourceType, more, window, roots, limit, unreadable);
    }

    /** The entity type that the steps so far lead to. */
    public String reachedType() {
        return legs.isEmpty() ? sourceType : legs.get(legs.size() - 1).end();
    }

    /** Only paths that start at entities which pass the filter. */
    public Traversal where(Filter filter) {
        return from(sources.where(filter));
    }

    /** Starting with the entities that come first in this order; paths from one entity are in the order of their keys. */
    public Traversal orderBy(Order... order) {
        return from(sources.orderBy(order));
    }

    /** Without the first so many entities. */
    public Traversal offset(long count) {
        return from(sources.offset(count));
    }

    /** From at most so many entities. */
    public Traversal limit(long count) {
        return from(sources.limit(count));
    }

    private Traversal from(Query<Row> changed) {
        return new Traversal(types, scope, changed, sourceType, legs, window, roots, limit, unreadable);
    }

    /** Everything as it was after this commit. */
    public Traversal asOf(long commitId) {
        return new Traversal(
                types,
                scope,
                sources.asOf(commitId),
                sourceType,
                legs,
                new Window.AsOf(commitId),
                roots,
                limit,
                unreadable);
    }

    /** As {@link Query#omitUnreadable}, for the entities and relations of the paths. */
    public Traversal omitUnreadable() {
        return new Traversal(
                types, scope, sources.omitUnreadable(), sourceType, legs, window, roots, limit, Unreadable.OMIT);
    }

    /** With a path without hops for each entity to start from that no path along all steps starts from. */
    public Traversal keepingRoots() {
        return new Traversal(types, scope, sources, sourceType, legs, window, Roots.ALL, limit, unreadable);
    }

    /**
     * With another limit than {@link #MOST_REACHED}: a step that reaches more entities fails with {@link
     * ErrorKind#INVALID_INPUT}. Memory grows with the entities reached.
     */
    public Traversal mostReached(long entities) {
        return new Traversal(types, scope, sources, sourceType, legs, window, roots, entities, unreadable);
    }

    /** Every path. */
    public List<Path> list() {
        try (Stream<Path> paths = stream()) {
            return paths.toList();
        }
    }

    /**
     * Every path: in the order of the entities that they start from, then of the keys on them, where steps follow several
     * relations in a row by length first. In memory for one batch of sources at a time. Ends as {@link Query#stream()} does.
     */
    public Stream<Path> stream() {
        StableReads reads = new StableReads(scope.storage(), window);
        PathFinder finder = new PathFinder(types, scope, reads, legs, limit, unreadable);
        // What one entity leads to by repeated steps may be a whole graph.
        int batch = legs.stream().anyMatch(leg -> leg.step().isRepeated()) ? 1 : PathFinder.BATCH;
        Stream<Result<Row>> found = reads.read(this::sourcesIn);
        Iterator<Result<Row>> iterator = found.iterator();
        return ClosingStreams.of(
                Stream.iterate(nextBatch(iterator, batch), some -> !some.isEmpty(), some -> nextBatch(iterator, batch))
                        .flatMap(some -> follow(finder, some).stream())
                        .onClose(found::close));
    }

    private Stream<Result<Row>> sourcesIn(Window wanted) {
        return (wanted instanceof Window.AsOf asOf ? sources.asOf(asOf.commitId()) : sources).resultStream();
    }

    private static List<Result<Row>> nextBatch(Iterator<Result<Row>> iterator, int size) {
        List<Result<Row>> batch = new ArrayList<>(size);
        while (batch.size() < size && iterator.hasNext()) {
            batch.add(iterator.next());
        }
        return batch;
    }

    private List<Path> follow(PathFinder finder, List<Result<Row>> batch) {
        List<Path> paths = finder.follow(batch);
        if (roots == Roots.WITH_PATHS) {
            return paths;
        }
        Set<Identity> left = new HashSet<>();
        batch.forEach(source -> left.add(source.identity()));
        paths.forEach(path -> left.remove(path.source().identity()));
        List<Path> all = new ArrayList<>();
        Iterator<Path> found = paths.iterator();
        Path next = found.hasNext() ? found.next() : null;
        for (Result<Row> source : batch) {
            if (left.contains(source.identity())) {
                all.add(new Path(types, source));
            }
            while (next != null && next.source().identity().equals(source.identity())) {
                all.add(next);
                next = found.hasNext() ? found.next() : null;
            }
        }
        return all;
    }

    /**
     * Every entity that a path along all steps leads to, once, with the number of relations on the shortest one: nearest first,
     * then by key. Memory grows with the keys that are reached; the entities are read in batches. Ends as {@link
     * Query#stream()} does.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when more are reached than {@link #mostReached} says
     */
    public Stream<Reached> reached() {
        StableReads reads = new StableReads(scope.storage(), window);
        PathFinder finder = new PathFinder(types, scope, reads, legs, limit, unreadable);
        List<Map.Entry<String, Integer>> keys = List.copyOf(reach(reads, finder).entrySet());
        TypeRef type = TypeRef.entity(reachedType());
        return Stream.iterate(0, start -> start < keys.size(), start -> start + PathFinder.BATCH)
                .flatMap(start -> {
                    List<Map.Entry<String, Integer>> batch =
                            keys.subList(start, Math.min(keys.size(), start + PathFinder.BATCH));
                    Map<String, Result<Row>> entities = finder.entities(
                            type,
                            Optional.empty(),
                            batch.stream().map(Map.Entry::getKey).toList());
                    return batch.stream()
                            .map(one -> new Reached(
                                    one.getKey(), one.getValue(), Optional.ofNullable(entities.get(one.getKey()))));
                });
    }

    /** The keys of {@link #reached}, each with its depth, in the same order; no entities are read. */
    public Map<String, Integer> reachedKeys() {
        StableReads reads = new StableReads(scope.storage(), window);
        return reach(reads, new PathFinder(types, scope, reads, legs, limit, unreadable));
    }

    private Map<String, Integer> reach(StableReads reads, PathFinder finder) {
        Set<String> keys = new LinkedHashSet<>();
        try (Stream<Result<Row>> found = reads.read(this::sourcesIn)) {
            found.forEachOrdered(source -> keys.add(source.identity().toString()));
        }
        return finder.reach(keys);
    }
}
