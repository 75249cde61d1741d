package io.ontologia.nameservice;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** What was last seen in step, until the process ends. */
final class MemoryTracking implements TrackingStore {
    private final Map<Key, ConcernValue> seen = new ConcurrentHashMap<>();
    private final Map<Alias, List<String>> deps = new ConcurrentHashMap<>();

    private record Key(Alias alias, Concern concern) {}

    @Override
    public Optional<ConcernValue> lastSeen(Alias alias, Concern concern) {
        return Optional.ofNullable(seen.get(new Key(alias, concern)));
    }

    @Override
    public void remember(Alias alias, Concern concern, ConcernValue value) {
        seen.put(new Key(alias, concern), value);
    }

    @Override
    public Optional<List<String>> lastDeps(Alias alias) {
        return Optional.ofNullable(deps.get(alias));
    }

    @Override
    public void rememberDeps(Alias alias, List<String> now) {
        deps.put(alias, now);
    }

    @Override
    public Set<Alias> known() {
        return seen.keySet().stream().map(Key::alias).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void forget(Alias alias) {
        seen.keySet().removeIf(key -> key.alias().equals(alias));
        deps.remove(alias);
    }
}
