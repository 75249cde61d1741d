package io.ontologia.store.object.internal;

import io.ontologia.core.Finding;
import io.ontologia.core.Progress;
import io.ontologia.core.spi.StorageOptions;
import java.util.List;

/** Reads a whole store and says what is not as it must be. */
final class Check {
    private final SharedStore shared;
    private final StorageOptions options;

    Check(SharedStore shared, StorageOptions options) {
        this.shared = shared;
        this.options = options;
    }

    List<Finding> run(Progress progress) {
        shared.views().fresh();
        progress.report(options.mode().name(), 0, 0);
        return List.of();
    }
}
