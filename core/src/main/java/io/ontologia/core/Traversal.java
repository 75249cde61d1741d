package io.ontologia.core;

import io.ontologia.core.internal.ClosingStreams;
import io.ontologia.core.internal.QueryScope;
import io.ontologia.core.internal.RowReader;
import io.ontologia.core.internal.SessionTypes;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Follows relations from entity to entity and returns every path of the full length. Each step of each batch of paths is
 * two queries, however many paths there are. A path ends early, and is left out, where no relation leads on; an end that no
 * entity is stored for is an empty target.
 *
 * <p>Immutable; nothing is read before {@link #list} or {@link #stream}.
 */
public final class Traversal {
    private static final int BATCH = 500;

    private final SessionTypes types;
    private final QueryScope scope;
    private final Query<Row> sources;
    private final String sourceType;
    private final List<RelationType> steps;
    private final Window window;

    Traversal(
            SessionTypes types,
            QueryScope scope,
            Query<Row> sources,
            String sourceType,
            List<RelationType> steps,
            Window window) {
        this.types = types;
        this.scope = scope;
        this.sources = sources;
        this.sourceType = sourceType;
        this.steps = steps;
        this.window = window;
    }

    /** One step along a relation type, from whichever end the path has reached; left to right where both ends match. */
    public Traversal via(String relation) {
        RelationType type = (RelationType) types.require(TypeRef.relation(relation));
        String reached = steps.isEmpty() ? sourceType : endOfStep(steps.size() - 1);
        if (!type.left().equals(reached) && !type.right().equals(reached)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot go from " + reached + " via " + relation,
                    "it joins " + type.left() + " and " + type.right(),
                    "choose a relation with " + reached + " at one end");
        }
        List<RelationType> more = Stream.concat(steps.stream(), Stream.of(type)).toList();
        return new Traversal(types, scope, sources, sourceType, more, window);
    }

    /** One step along the type of a record. */
    public Traversal via(Class<? extends Relation<?, ?>> relation) {
        return via(types.binding(relation).type().name());
    }

    /** Only paths that start at entities which pass the filter. */
    public Traversal where(Filter filter) {
        return new Traversal(types, scope, sources.where(filter), sourceType, steps, window);
    }

    /** Starting with the entities that come first in this order; paths from one entity are in the order of their keys. */
    public Traversal orderBy(Order... order) {
        return new Traversal(types, scope, sources.orderBy(order), sourceType, steps, window);
    }

    /** Without the first so many entities. */
    public Traversal offset(long count) {
        return new Traversal(types, scope, sources.offset(count), sourceType, steps, window);
    }

    /** From at most so many entities. */
    public Traversal limit(long count) {
        return new Traversal(types, scope, sources.limit(count), sourceType, steps, window);
    }

    /** Everything as it was after this commit. */
    public Traversal asOf(long commitId) {
        return new Traversal(types, scope, sources.asOf(commitId), sourceType, steps, new Window.AsOf(commitId));
    }

    /** Every path. */
    public List<Path> list() {
        try (Stream<Path> paths = stream()) {
            return paths.toList();
        }
    }

    /** Every path, in memory for one batch of sources at a time. Ends as {@link Query#stream()} does. */
    public Stream<Path> stream() {
        Stream<Result<Row>> found = sources.resultStream();
        Iterator<Result<Row>> iterator = found.iterator();
        return ClosingStreams.of(
                Stream.iterate(nextBatch(iterator), batch -> !batch.isEmpty(), batch -> nextBatch(iterator))
                        .flatMap(batch -> follow(batch).stream())
                        .onClose(found::close));
    }

    private static List<Result<Row>> nextBatch(Iterator<Result<Row>> iterator) {
        List<Result<Row>> batch = new ArrayList<>(BATCH);
        while (batch.size() < BATCH && iterator.hasNext()) {
            batch.add(iterator.next());
        }
        return batch;
    }

    private List<Path> follow(List<Result<Row>> batch) {
        List<Path> paths =
                batch.stream().map(source -> new Path(types, source, List.of())).toList();
        for (int step = 0; step < steps.size() && !paths.isEmpty(); step++) {
            paths = extend(paths, step);
        }
        return paths;
    }

    private List<Path> extend(List<Path> paths, int step) {
        boolean rightward = startsAtLeft(step);
        RowQuery.Restriction.Part from = rightward ? RowQuery.Restriction.Part.LEFT : RowQuery.Restriction.Part.RIGHT;
        List<String> keys = paths.stream().map(Path::lastKey).distinct().toList();
        Map<String, List<Result<Row>>> relations = new HashMap<>();
        for (Result<Row> relation : read(TypeRef.relation(steps.get(step).name()), from, keys)) {
            relations
                    .computeIfAbsent(near(relation, rightward), key -> new ArrayList<>())
                    .add(relation);
        }
        Map<String, Result<Row>> targets = new HashMap<>();
        List<String> targetKeys = relations.values().stream()
                .flatMap(List::stream)
                .map(relation -> near(relation, !rightward))
                .distinct()
                .toList();
        for (Result<Row> target : read(TypeRef.entity(endOfStep(step)), RowQuery.Restriction.Part.KEY, targetKeys)) {
            targets.put(target.identity().toString(), target);
        }
        Function<Path, Stream<Path>> onward = path -> relations.getOrDefault(path.lastKey(), List.of()).stream()
                .map(relation -> {
                    String key = near(relation, !rightward);
                    return path.then(new Path.Hop(relation, key, Optional.ofNullable(targets.get(key))));
                });
        return paths.stream().flatMap(onward).toList();
    }

    private List<Result<Row>> read(TypeRef type, RowQuery.Restriction.Part part, List<String> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        RowReader<Row> reader = RowReader.of(type);
        RowQuery query = RowQuery.of(type, window).restrictedTo(new RowQuery.Restriction(part, keys));
        try (var rows = scope.plainRows(query)) {
            return rows.map(row -> new Result<>(reader.read(row), row.identity(), row.commitId()))
                    .toList();
        }
    }

    private static String near(Result<Row> relation, boolean left) {
        Identity.OfRelation ends = (Identity.OfRelation) relation.identity();
        return left ? ends.leftKey() : ends.rightKey();
    }

    private boolean startsAtLeft(int step) {
        String reached = step == 0 ? sourceType : endOfStep(step - 1);
        return steps.get(step).left().equals(reached);
    }

    private String endOfStep(int step) {
        return startsAtLeft(step) ? steps.get(step).right() : steps.get(step).left();
    }
}
