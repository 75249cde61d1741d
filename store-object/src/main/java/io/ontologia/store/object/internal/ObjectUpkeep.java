package io.ontologia.store.object.internal;

import io.ontologia.core.Explanation;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.Upkeep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Keeps a store on objects in shape. */
final class ObjectUpkeep implements Upkeep {
    private final SharedStore shared;
    private final Duration lockTimeout;
    private final Consumer<LongConsumer> listeners;

    ObjectUpkeep(SharedStore shared, Duration lockTimeout, Consumer<LongConsumer> listeners) {
        this.shared = shared;
        this.listeners = listeners;
        this.lockTimeout = lockTimeout;
    }

    @Override
    public List<IndexState> verifyIndices() {
        return new IndexHealth(shared).verify();
    }

    @Override
    public List<IndexState> indexStates() {
        return new IndexHealth(shared).glance();
    }

    @Override
    public List<IndexState> repairIndices() {
        shared.catalog().names().repair(() -> shared.views().fresh().registry());
        for (IndexState state : verifyIndices()) {
            if (state.status() == IndexStatus.LAG || state.status() == IndexStatus.MISSING) {
                shared.indices().rewrite(state.type(), shared.views().current(), index -> index);
            } else if (state.status() != IndexStatus.OK) {
                shared.indices().rebuild(state.type());
            }
            shared.resolver().forget(state.type());
        }
        return verifyIndices();
    }

    @Override
    public Files files(OptionalLong upTo) {
        View view = shared.views().fresh();
        List<Explanation.DataFile> files = new ArrayList<>();
        view.registry().types().keySet().stream()
                .sorted(Changes.BY_KIND_AND_NAME)
                .forEach(type -> shared.resolver()
                        .files(type, view, 0, upTo.orElse(view.head().commitId()))
                        .forEach(file -> files.add(
                                new Explanation.DataFile(type, file.path(), file.minCommitId(), file.maxCommitId()))));
        return new Files(view.head().commitId(), files);
    }

    @Override
    public List<Rewrite> planCompaction(Optional<TypeRef> only) {
        return new Compactor(shared, lockTimeout).plan(only);
    }

    @Override
    public List<Rewrite> compact(Optional<TypeRef> only, String runtimeId, Progress progress) {
        return new Compactor(shared, lockTimeout).apply(only, runtimeId, progress);
    }

    @Override
    public void onCompaction(LongConsumer listener) {
        listeners.accept(listener);
    }

    @Override
    public Garbage findGarbage(Duration olderThan) {
        return new GarbageCollector(shared, lockTimeout).find(bounded(olderThan));
    }

    @Override
    public Garbage findCovered(Duration olderThan) {
        return new GarbageCollector(shared, lockTimeout).findCovered(bounded(olderThan));
    }

    @Override
    public Garbage removeCovered(Duration olderThan) {
        return new GarbageCollector(shared, lockTimeout).collectCovered(bounded(olderThan));
    }

    @Override
    public Garbage collectGarbage(Duration olderThan) {
        return new GarbageCollector(shared, lockTimeout).collect(bounded(olderThan));
    }

    /** A commit or a query that has just begun may need what is younger, so no caller can ask for less. */
    private static Duration bounded(Duration olderThan) {
        return olderThan.compareTo(SHORTEST_GRACE) < 0 ? SHORTEST_GRACE : olderThan;
    }
}
