package io.ontologia.core.internal.graph;

import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.internal.QueryScope;
import io.ontologia.core.internal.Unreadable;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowQuery.Restriction;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The relations that a step follows. They are looked up for a set of entities at a time. Where look-ups have cost about as much
 * as reading all relations of the type would, those are read once and kept, if they are not too many. For one thread.
 */
public final class Edges {
    /** What a look-up costs, in relations that could be read instead. */
    private static final long COST_OF_LOOK_UP = 1_000;

    /** Without knowing how many relations there are, so much is looked up. */
    private static final long UNCOUNTED = 5_000;

    /** All relations are worth reading when look-ups have cost this part of it. */
    private static final long PART = 4;

    /** More relations are not kept in memory: about 100 MB. */
    static final long MOST_KEPT = 4_000_000;

    private static final int KEYS_OF_LOOK_UP = 20_000;

    private final QueryScope scope;
    private final StableReads reads;
    private final TypeRef relation;
    private final Restriction.Part from;
    private final TypeRef target;
    private final Optional<Filter> relations;
    private final Optional<Filter> targets;

    private final Unreadable unreadable;

    private long spent;
    private long worthAll = -1;
    private @Nullable AllEdges all;

    /**
     * @param from the end that the step starts at, left or right
     * @param target the entity type at the other end
     * @param relations which relations count
     * @param targets which entities at the other end count; those that are not stored do not when this is given
     * @param unreadable what becomes of rows that cannot be shown
     */
    public Edges(
            QueryScope scope,
            StableReads reads,
            TypeRef relation,
            Restriction.Part from,
            TypeRef target,
            Optional<Filter> relations,
            Optional<Filter> targets,
            Unreadable unreadable) {
        this.unreadable = unreadable;
        this.scope = scope;
        this.reads = reads;
        this.relation = relation;
        this.from = from;
        this.target = target;
        this.relations = relations;
        this.targets = targets;
    }

    /** Takes each relation that leads on from some entities, in any order. */
    void from(Set<String> keys, Edge edge) {
        if (keys.isEmpty()) {
            return;
        }
        AllEdges known = all;
        if (known == null && isTimeForAll()) {
            known = readAll();
            all = known;
        }
        if (known != null) {
            known.from(keys, edge);
            return;
        }
        List<String> wanted = List.copyOf(keys);
        for (int start = 0; start < wanted.size(); start += KEYS_OF_LOOK_UP) {
            lookUp(wanted.subList(start, Math.min(wanted.size(), start + KEYS_OF_LOOK_UP)), edge);
        }
    }

    private boolean isTimeForAll() {
        if (spent < UNCOUNTED) {
            return false;
        }
        if (worthAll < 0) {
            long count = scope.count(query(), unreadable);
            worthAll = count > MOST_KEPT ? Long.MAX_VALUE : count / PART;
        }
        return spent >= worthAll;
    }

    private void lookUp(List<String> keys, Edge edge) {
        AllEdges some = new AllEdges();
        spent += COST_OF_LOOK_UP + read(query().restrictedTo(new Restriction(from, keys)), some);
        if (targets.isEmpty()) {
            some.forEach(edge);
            return;
        }
        RowQuery ends = ends().restrictedTo(new Restriction(Restriction.Part.KEY, List.copyOf(some.targets())));
        some.keep(keysOf(ends)).forEach(edge);
    }

    private AllEdges readAll() {
        AllEdges read = new AllEdges();
        read(query(), read);
        return targets.isEmpty() ? read : read.keep(keysOf(ends()));
    }

    private RowQuery query() {
        return RowQuery.of(relation, reads.window()).filteredBy(relations);
    }

    private RowQuery ends() {
        return RowQuery.of(target, reads.window()).filteredBy(targets);
    }

    private long read(RowQuery query, AllEdges into) {
        long before = into.size();
        try (Stream<Identity> found = reads.read(window -> scope.identities(query.in(window), unreadable))) {
            found.forEach(identity -> {
                Identity.OfRelation ends = (Identity.OfRelation) identity;
                boolean rightward = from == Restriction.Part.LEFT;
                into.add(
                        rightward ? ends.leftKey() : ends.rightKey(),
                        rightward ? ends.rightKey() : ends.leftKey(),
                        ends.instanceKey());
            });
        }
        return into.size() - before;
    }

    private Set<String> keysOf(RowQuery query) {
        Set<String> keys = new HashSet<>();
        try (Stream<Identity> found = reads.read(window -> scope.identities(query.in(window), unreadable))) {
            found.forEach(identity -> keys.add(identity.toString()));
        }
        return keys;
    }
}
