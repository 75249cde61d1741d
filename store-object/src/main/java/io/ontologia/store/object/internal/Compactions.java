package io.ontologia.store.object.internal;

import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The compactions in the background of a store that is open, when its settings ask for them, and who wants to know of them. */
final class Compactions {
    private static final Logger LOG = LoggerFactory.getLogger(Compactions.class);
    private static final Duration DELAY = Duration.ofSeconds(1);

    private final SharedStore shared;
    private final StorageOptions options;
    private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();
    private @Nullable BackgroundRunner runner;

    Compactions(SharedStore shared, StorageOptions options) {
        this.shared = shared;
        this.options = options;
    }

    /** Compacts from now on until it is closed, when that was asked for. */
    void start() {
        boolean wanted = options.settings()
                .getOrDefault("background_compaction", "false")
                .equals("true");
        if (wanted && options.mode() == StorageOptions.Mode.READ_WRITE) {
            Step compaction = step();
            AtomicBoolean waited = new AtomicBoolean();
            // Who opens a store wants something else first.
            runner = BackgroundRunner.start(
                    "ontologia-compaction",
                    () -> waited.getAndSet(true) ? compaction.step() : Optional.of(DELAY),
                    failure -> LOG.atWarn().setCause(failure).log("background compaction stopped"));
        }
    }

    /** What compacts piece by piece. */
    Step step() {
        return new BackgroundCompaction(
                shared, "onto-compaction", upTo -> listeners.forEach(listener -> listener.accept(upTo)));
    }

    /** Tells a listener, from now on, the commit up to which files were merged. */
    void tell(LongConsumer listener) {
        listeners.add(listener);
    }

    /** Tells a listener no more. */
    void forget(LongConsumer listener) {
        listeners.remove(listener);
    }

    void close() {
        if (runner != null) {
            runner.close();
        }
    }
}
