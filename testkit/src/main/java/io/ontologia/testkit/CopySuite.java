package io.ontologia.testkit;

import io.ontologia.core.CopyResult;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import org.junit.jupiter.api.BeforeEach;

/** What the contracts for copies share: a store, and a place for its copy. A pair of backends extends each contract. */
public abstract class CopySuite extends StorageSuite {
    private String target = "";

    /** The URI of a store that does not exist yet, on the backend of the copy; another one with every call. */
    protected abstract String newTarget();

    @BeforeEach
    final void chooseTarget() {
        target = newTarget();
    }

    /** The URI of the copy. */
    protected final String target() {
        return target;
    }

    /** The copy, or the place for it. */
    protected final Maintenance copyTarget() {
        return Ontologia.maintain(target, options("operator"));
    }

    /** Copies the store. */
    protected final CopyResult copy() {
        try (Maintenance original = maintain();
                Maintenance copy = copyTarget()) {
            return original.copyTo(copy, Progress.none());
        }
    }
}
