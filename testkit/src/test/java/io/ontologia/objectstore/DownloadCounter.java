package io.ontologia.objectstore;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Counts the downloads of every key. */
class DownloadCounter extends DelegatingStore {
    private final Map<String, Integer> downloads = new ConcurrentHashMap<>();

    DownloadCounter(ObjectStore store) {
        super(store);
    }

    @Override
    public Optional<ObjectSummary> download(String key, Path target) {
        downloads.merge(key, 1, Integer::sum);
        return super.download(key, target);
    }

    /** How often the given keys were downloaded in all. */
    int downloads(String... keys) {
        return Stream.of(keys).mapToInt(key -> downloads.getOrDefault(key, 0)).sum();
    }
}
