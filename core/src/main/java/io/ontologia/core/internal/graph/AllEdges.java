package io.ontologia.core.internal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Relations in memory: each key once, and two numbers for each relation. For one thread. */
final class AllEdges {
    private static final int FIRST = 64;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> keys = new ArrayList<>();
    private int[] sources = new int[FIRST];
    private int[] targets = new int[FIRST];
    private @Nullable Map<Integer, String> instances;
    private int size;

    /** The relations in the order of their sources, and where those of each source begin; made when first asked for. */
    private int @Nullable [] order;

    private int[] starts = new int[0];

    void add(String from, String to, String instance) {
        if (size == sources.length) {
            sources = Arrays.copyOf(sources, size * 2);
            targets = Arrays.copyOf(targets, size * 2);
        }
        sources[size] = number(from);
        targets[size] = number(to);
        if (!instance.isEmpty()) {
            if (instances == null) {
                instances = new HashMap<>();
            }
            instances.put(size, instance);
        }
        size++;
        order = null;
    }

    private int number(String key) {
        Integer known = numbers.get(key);
        if (known != null) {
            return known;
        }
        numbers.put(key, keys.size());
        keys.add(key);
        return keys.size() - 1;
    }

    int size() {
        return size;
    }

    /** The keys that relations lead to. */
    Set<String> targets() {
        Set<String> found = new HashSet<>();
        for (int i = 0; i < size; i++) {
            found.add(keys.get(targets[i]));
        }
        return found;
    }

    /** Only the relations that lead to some keys. */
    AllEdges keep(Set<String> wanted) {
        AllEdges kept = new AllEdges();
        forEach((from, to, instance) -> {
            if (wanted.contains(to)) {
                kept.add(from, to, instance);
            }
        });
        return kept;
    }

    void forEach(Edge edge) {
        for (int i = 0; i < size; i++) {
            take(i, edge);
        }
    }

    void from(Set<String> wanted, Edge edge) {
        int[] sorted = order == null ? sort() : order;
        for (String key : wanted) {
            Integer number = numbers.get(key);
            if (number != null) {
                for (int i = starts[number]; i < starts[number + 1]; i++) {
                    take(sorted[i], edge);
                }
            }
        }
    }

    private void take(int index, Edge edge) {
        String instance = instances == null ? "" : instances.getOrDefault(index, "");
        edge.take(keys.get(sources[index]), keys.get(targets[index]), instance);
    }

    /** Sorts by counting. */
    private int[] sort() {
        starts = new int[keys.size() + 1];
        for (int i = 0; i < size; i++) {
            starts[sources[i] + 1]++;
        }
        for (int i = 0; i < keys.size(); i++) {
            starts[i + 1] += starts[i];
        }
        int[] next = starts.clone();
        int[] sorted = new int[size];
        for (int i = 0; i < size; i++) {
            sorted[next[sources[i]]++] = i;
        }
        order = sorted;
        return sorted;
    }
}
