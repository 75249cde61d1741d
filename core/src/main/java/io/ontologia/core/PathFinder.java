package io.ontologia.core;

import io.ontologia.core.internal.FoundRow;
import io.ontologia.core.internal.QueryScope;
import io.ontologia.core.internal.RowReader;
import io.ontologia.core.internal.SessionTypes;
import io.ontologia.core.internal.Unreadable;
import io.ontologia.core.internal.graph.Closure;
import io.ontologia.core.internal.graph.Edges;
import io.ontologia.core.internal.graph.StableReads;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowQuery.Restriction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Finds paths along the legs of one traversal, all at one commit. For one thread. */
final class PathFinder {
    static final int BATCH = 500;

    private final SessionTypes types;
    private final QueryScope scope;
    private final StableReads reads;
    private final List<Leg> legs;
    private final long limit;
    private final Unreadable unreadable;
    private final Map<Integer, Closure> closures = new HashMap<>();

    PathFinder(
            SessionTypes types,
            QueryScope scope,
            StableReads reads,
            List<Leg> legs,
            long limit,
            Unreadable unreadable) {
        this.unreadable = unreadable;
        this.types = types;
        this.scope = scope;
        this.reads = reads;
        this.legs = legs;
        this.limit = limit;
    }

    /** Every path from some entities along all legs, in the order of the entities. */
    List<Path> follow(List<Result<Row>> sources) {
        List<Path> paths =
                sources.stream().map(source -> new Path(types, source)).toList();
        for (int leg = 0; leg < legs.size() && !paths.isEmpty(); leg++) {
            paths = legs.get(leg).step().isRepeated() ? extendRepeatedly(paths, leg) : extend(paths, legs.get(leg));
        }
        return paths;
    }

    /** The keys that the legs lead to from some keys, with the number of relations that lead there, nearest first. */
    Map<String, Integer> reach(Set<String> sources) {
        Map<String, Integer> reached = new LinkedHashMap<>();
        sources.forEach(key -> reached.put(key, 0));
        for (int leg = 0; leg < legs.size(); leg++) {
            List<Closure.Found> found = closure(leg).of(Map.copyOf(reached));
            reached.clear();
            found.forEach(one -> reached.put(one.key(), one.depth()));
        }
        return reached;
    }

    private Closure closure(int leg) {
        return closures.computeIfAbsent(leg, index -> {
            Leg one = legs.get(index);
            Edges edges = new Edges(
                    scope,
                    reads,
                    one.relationRef(),
                    one.from(),
                    one.endRef(),
                    one.step().relations(),
                    one.step().targets(),
                    unreadable);
            return new Closure(edges, one.step().most(), limit);
        });
    }

    private List<Path> extend(List<Path> paths, Leg leg) {
        List<String> keys = paths.stream().map(Path::lastKey).distinct().toList();
        Map<String, List<Result<Row>>> relations = new HashMap<>();
        for (Result<Row> relation : read(leg.relationRef(), leg.step().relations(), leg.from(), keys)) {
            relations
                    .computeIfAbsent(leg.startOf(relation.identity()), key -> new ArrayList<>())
                    .add(relation);
        }
        List<String> ends = relations.values().stream()
                .flatMap(List::stream)
                .map(relation -> leg.endOf(relation.identity()))
                .distinct()
                .toList();
        Map<String, Result<Row>> targets = targets(leg, ends);
        Function<Path, Stream<Path>> onward = path -> relations.getOrDefault(path.lastKey(), List.of()).stream()
                .map(relation -> hop(leg, relation, targets))
                .filter(hop -> hop.target().isPresent() || leg.step().targets().isEmpty())
                .map(path::then);
        return paths.stream().flatMap(onward).toList();
    }

    private List<Path> extendRepeatedly(List<Path> paths, int index) {
        Leg leg = legs.get(index);
        List<Path> extended = new ArrayList<>();
        Map<String, List<Closure.Found>> found = new HashMap<>();
        Map<String, Map<String, Path.Hop>> hops = new HashMap<>();
        for (Path path : paths) {
            String start = path.lastKey();
            List<Closure.Found> reached =
                    found.computeIfAbsent(start, key -> closure(index).of(Map.of(key, 0)));
            Map<String, Path.Hop> last = hops.computeIfAbsent(start, key -> lastHops(leg, reached));
            Map<String, Path> byEnd = new HashMap<>();
            for (Closure.Found one : reached) {
                Path before = one.depth() == 1 ? path : byEnd.get(one.from());
                Path.Hop hop = last.get(one.key());
                // Both are there unless the store lost rows in the meantime.
                if (before != null && hop != null) {
                    Path longer = before.then(hop);
                    byEnd.put(one.key(), longer);
                    extended.add(longer);
                }
            }
        }
        return extended;
    }

    /** The last hop of the shortest path to each entity. */
    private Map<String, Path.Hop> lastHops(Leg leg, List<Closure.Found> reached) {
        Map<String, Path.Hop> hops = new HashMap<>();
        for (int start = 0; start < reached.size(); start += BATCH) {
            List<Closure.Found> batch = reached.subList(start, Math.min(reached.size(), start + BATCH));
            List<String> keys = batch.stream().map(Closure.Found::key).toList();
            Set<Identity> wanted = new HashSet<>();
            batch.forEach(one -> wanted.add(
                    leg.from() == Restriction.Part.LEFT
                            ? new Identity.OfRelation(one.from(), one.key(), one.instance())
                            : new Identity.OfRelation(one.key(), one.from(), one.instance())));
            Map<String, Result<Row>> targets = targets(leg, keys);
            for (Result<Row> relation : read(leg.relationRef(), leg.step().relations(), leg.to(), keys)) {
                if (wanted.contains(relation.identity())) {
                    hops.put(leg.endOf(relation.identity()), hop(leg, relation, targets));
                }
            }
        }
        return hops;
    }

    private static Path.Hop hop(Leg leg, Result<Row> relation, Map<String, Result<Row>> targets) {
        String key = leg.endOf(relation.identity());
        return new Path.Hop(relation, key, Optional.ofNullable(targets.get(key)));
    }

    private Map<String, Result<Row>> targets(Leg leg, List<String> keys) {
        return entities(leg.endRef(), leg.step().targets(), keys);
    }

    /** The entities of a type that have some keys and pass a filter. */
    Map<String, Result<Row>> entities(TypeRef type, Optional<Filter> filter, List<String> keys) {
        Map<String, Result<Row>> found = new HashMap<>();
        for (Result<Row> entity : read(type, filter, Restriction.Part.KEY, keys)) {
            found.put(entity.identity().toString(), entity);
        }
        return found;
    }

    private List<Result<Row>> read(TypeRef type, Optional<Filter> filter, Restriction.Part part, List<String> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        RowReader<Row> reader = RowReader.of(type);
        RowQuery query = RowQuery.of(type, reads.window()).filteredBy(filter).restrictedTo(new Restriction(part, keys));
        try (Stream<FoundRow> rows = reads.read(window -> scope.plainRows(query.in(window), unreadable))) {
            return rows.map(row -> new Result<>(reader.read(row), row.identity(), row.commitId()))
                    .toList();
        }
    }
}
