package io.ontologia.core.internal.graph;

import io.ontologia.kernel.CodePointOrder;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entities that relations lead to, from one entity or several, by shortest paths. Each entity is visited once for each
 * depth that improves on what is known, so cycles end; without a change of depth between the starts that is once.
 */
public final class Closure {
    /**
     * An entity that was reached.
     *
     * @param depth how many relations lead there, on top of what its start had
     * @param from the key that the last of those relations comes from
     * @param instance the instance key of that relation, empty for types without
     */
    public record Found(String key, int depth, String from, String instance) {
        private static final Comparator<Found> BY_ORIGIN = Comparator.comparingInt(Found::depth)
                .thenComparing(Found::from, CodePointOrder.INSTANCE)
                .thenComparing(Found::instance, CodePointOrder.INSTANCE);

        private boolean isBetterThan(@Nullable Found other) {
            return other == null || BY_ORIGIN.compare(this, other) < 0;
        }
    }

    private static final Comparator<Found> BY_DEPTH_AND_KEY =
            Comparator.comparingInt(Found::depth).thenComparing(Found::key, CodePointOrder.INSTANCE);

    private final Edges edges;
    private final int most;
    private final long limit;

    /**
     * @param most how many relations to follow one after the other
     * @param limit how many entities may be reached
     */
    public Closure(Edges edges, int most, long limit) {
        this.edges = edges;
        this.most = most;
        this.limit = limit;
    }

    /**
     * Everything that at least one relation leads to, by depth and key.
     *
     * @param starts where to start, each with the depth that it has already
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when more entities are reached than the limit allows
     */
    public List<Found> of(Map<String, Integer> starts) {
        Map<String, Found> best = new HashMap<>();
        Map<String, Integer> frontier = starts;
        for (int hop = 0; hop < most && !frontier.isEmpty(); hop++) {
            Map<String, Integer> current = frontier;
            Map<String, Found> next = new HashMap<>();
            edges.from(current.keySet(), (from, to, instance) -> {
                int depth = current.getOrDefault(from, 0) + 1;
                Found known = best.get(to);
                if (known == null || depth < known.depth()) {
                    Found candidate = new Found(to, depth, from, instance);
                    if (candidate.isBetterThan(next.get(to))) {
                        next.put(to, candidate);
                    }
                }
            });
            best.putAll(next);
            requireFew(best.size());
            frontier = new HashMap<>();
            for (Found found : next.values()) {
                frontier.put(found.key(), found.depth());
            }
        }
        List<Found> found = new ArrayList<>(best.values());
        found.sort(BY_DEPTH_AND_KEY);
        return found;
    }

    private void requireFew(int reached) {
        if (reached > limit) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "too many entities are reached",
                    "there are more than " + limit,
                    "filter the steps, follow fewer relations in a row, or raise the limit of the traversal");
        }
    }
}
