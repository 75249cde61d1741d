package io.ontologia.naming.internal;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.ErasureRemains;
import io.ontologia.core.Event;
import io.ontologia.core.Finding;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.core.spi.Eraser;
import io.ontologia.core.spi.HistoryWriter;
import io.ontologia.core.spi.PastRow;
import io.ontologia.core.spi.Restructured;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.TypeHistory;
import io.ontologia.core.spi.Upkeep;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** A store that tells its record what happens to it. */
public final class NamedStorage extends ForwardingStorage {
    private final Storage store;
    private final Announcer announcer;
    private final Runnable afterClose;

    /** @param afterClose runs when the store was closed and everything was told */
    public NamedStorage(Storage store, Announcer announcer, Runnable afterClose) {
        super(store);
        this.store = store;
        this.announcer = announcer;
        this.afterClose = afterClose;
        store.upkeep().ifPresent(upkeep -> upkeep.onCompaction(announcer::merged));
    }

    @Override
    public CommitResult commit(CommitRequest request) {
        CommitResult result = store.commit(request);
        if (result instanceof CommitResult.Committed committed) {
            announcer.committed(committed.commitId());
        }
        return result;
    }

    @Override
    public Restructured restructure(Restructuring request) {
        Restructured result = during("migrating", () -> store.restructure(request));
        announcer.committed(store.head());
        return result;
    }

    @Override
    public Eraser eraser() {
        Eraser eraser = store.eraser();
        return new Eraser() {
            @Override
            public List<String> files(Set<TypeRef> types) {
                return eraser.files(types);
            }

            @Override
            public void pastEvents(Consumer<Event> action) {
                eraser.pastEvents(action);
            }

            @Override
            public Erased erase(Request request) {
                Erased erased = eraser.erase(request);
                announcer.committed(erased.commitId());
                return erased;
            }

            @Override
            public ErasureRemains finish(String runtimeId, Progress progress) {
                return eraser.finish(runtimeId, progress);
            }

            @Override
            public List<Finding> check(Progress progress) {
                return eraser.check(progress);
            }
        };
    }

    @Override
    public HistoryWriter restore(String source, String runtimeId) {
        HistoryWriter writer = store.restore(source, runtimeId);
        return new HistoryWriter() {
            @Override
            public void types(List<TypeHistory> types) {
                writer.types(types);
            }

            @Override
            public void commit(
                    CommitInfo commit,
                    List<RowsDigest> purged,
                    List<ErasedRow> erased,
                    Consumer<Consumer<PastRow>> rows) {
                writer.commit(commit, purged, erased, rows);
            }

            @Override
            public void bus(BusRecord entry) {
                writer.bus(entry);
            }

            @Override
            public void finish() {
                writer.finish();
                announcer.committed(store.head());
            }

            @Override
            public void close() {
                writer.close();
            }
        };
    }

    @Override
    public Optional<Upkeep> upkeep() {
        return store.upkeep().map(NamedUpkeep::new);
    }

    /** Shows a state while work is done. */
    private <T> T during(String state, Supplier<T> work) {
        announcer.state(state);
        try {
            return work.get();
        } finally {
            announcer.state("ready");
        }
    }

    @Override
    public void close() {
        try {
            // First, because what it finishes is told too.
            store.close();
        } finally {
            try {
                announcer.close();
            } finally {
                afterClose.run();
            }
        }
    }

    /** Tells about compactions. */
    private final class NamedUpkeep implements Upkeep {
        private final Upkeep upkeep;

        NamedUpkeep(Upkeep upkeep) {
            this.upkeep = upkeep;
        }

        @Override
        public List<Rewrite> compact(Optional<TypeRef> only, String runtimeId, Progress progress) {
            long upTo = store.head();
            List<Rewrite> rewrites = during("indexing", () -> upkeep.compact(only, runtimeId, progress));
            if (!rewrites.isEmpty()) {
                announcer.merged(upTo);
            }
            return rewrites;
        }

        @Override
        public List<IndexState> verifyIndices() {
            return upkeep.verifyIndices();
        }

        @Override
        public List<IndexState> indexStates() {
            return upkeep.indexStates();
        }

        @Override
        public List<IndexState> repairIndices() {
            return upkeep.repairIndices();
        }

        @Override
        public Files files(OptionalLong upTo) {
            return upkeep.files(upTo);
        }

        @Override
        public List<Rewrite> planCompaction(Optional<TypeRef> only) {
            return upkeep.planCompaction(only);
        }

        @Override
        public void onCompaction(LongConsumer listener) {
            upkeep.onCompaction(listener);
        }

        @Override
        public Garbage findGarbage(Duration olderThan) {
            return upkeep.findGarbage(olderThan);
        }

        @Override
        public Garbage collectGarbage(Duration olderThan) {
            return upkeep.collectGarbage(olderThan);
        }

        @Override
        public Garbage findCovered(Duration olderThan) {
            return upkeep.findCovered(olderThan);
        }

        @Override
        public Garbage removeCovered(Duration olderThan) {
            return upkeep.removeCovered(olderThan);
        }
    }
}
