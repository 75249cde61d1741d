package io.ontologia.nameservice;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What was last seen in step, until the process ends. */
final class MemoryTracking implements TrackingStore {
    private final Map<Key, ConcernValue> seen = new ConcurrentHashMap<>();

    private record Key(Alias alias, Concern concern) {}

    @Override
    public Optional<ConcernValue> lastSeen(Alias alias, Concern concern) {
        return Optional.ofNullable(seen.get(new Key(alias, concern)));
    }

    @Override
    public void remember(Alias alias, Concern concern, ConcernValue value) {
        seen.put(new Key(alias, concern), value);
    }
}
