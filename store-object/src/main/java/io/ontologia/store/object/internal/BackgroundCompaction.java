package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Step;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts a store while others use it, one run of files with each step. The merging happens without any lock, because
 * files never change; only to let the merged file take their place, which is two requests, it takes the write lock, and
 * when it does not get it at once it tries again later. So commits wait for it hardly ever, and never fail because of it.
 * What goes wrong here is logged and left to a later step: nothing depends on it.
 */
final class BackgroundCompaction implements Step {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundCompaction.class);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofSeconds(30);

    private final SharedStore shared;
    private final Compactor compactor;
    private final String runtimeId;
    private final LongConsumer listener;
    /** Types whose last run failed: others come first. */
    private final Set<TypeRef> putOff = new HashSet<>();

    private @Nullable Merged merged;

    /** A snapshot that waits to be published. */
    private record Merged(Compactor.Run run, Compactor.Snapshot snapshot) {}

    /** @param listener told the commit up to which files were merged, after each time */
    BackgroundCompaction(SharedStore shared, String runtimeId, LongConsumer listener) {
        this.shared = shared;
        this.compactor = new Compactor(shared, Duration.ZERO);
        this.runtimeId = runtimeId;
        this.listener = listener;
    }

    @Override
    public Optional<Duration> step() {
        if (shared.writer().isBusy()) {
            return Optional.of(SOON);
        }
        try {
            return Optional.of(work() ? SOON : LATER);
        } catch (OntologiaException e) {
            LOG.atInfo()
                    .addKeyValue("store", shared.store().location())
                    .addKeyValue("reason", e.getMessage())
                    .log("background compaction put off");
            return Optional.of(LATER);
        }
    }

    /** Does one piece of work; false when there was none. */
    private boolean work() {
        Merged waiting = merged;
        View view = shared.views().fresh();
        Optional<Compactor.Run> next = waiting == null ? next(view) : Optional.of(waiting.run());
        if (next.isEmpty()) {
            putOff.clear();
            return false;
        }
        try {
            if (waiting == null) {
                waiting = new Merged(next.get(), compactor.write(next.get(), view.head()));
                merged = waiting;
            }
            publish(waiting);
            return true;
        } catch (OntologiaException e) {
            if (merged == null) {
                // What is known of the files may be from before others replaced some of them.
                shared.resolver().forget(next.get().type());
                putOff.add(next.get().type());
            }
            throw e;
        }
    }

    private Optional<Compactor.Run> next(View view) {
        return compactor.runs(view, Optional.<TypeRef>empty(), Tiers.Effort.STEADY).stream()
                .filter(run -> !putOff.contains(run.type()))
                .findFirst();
    }

    private void publish(Merged ready) {
        OptionalLong upTo = shared.writer().alone(runtimeId, Duration.ZERO, guard -> {
            // Whatever comes of it, this snapshot is not tried again: when others were faster it is of no use.
            merged = null;
            guard.ensureSafe();
            View view = shared.views().fresh();
            shared.resolver().forget(ready.run().type());
            boolean isWanted = shared.resolver()
                    .files(ready.run().type(), view, 0, view.head().commitId())
                    .containsAll(ready.run().entries());
            if (!isWanted || !compactor.isRecent(ready.snapshot())) {
                return OptionalLong.empty();
            }
            compactor.publish(ready.run(), ready.snapshot(), view);
            return OptionalLong.of(view.head().commitId());
        });
        upTo.ifPresent(listener);
    }
}
