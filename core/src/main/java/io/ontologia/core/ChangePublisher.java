package io.ontologia.core;

import io.ontologia.kernel.OntologiaException;
import java.util.List;

/** Takes committed changes to another system, on behalf of a {@link Bridge}. */
@FunctionalInterface
public interface ChangePublisher {

    /**
     * Hands over commits. Returns when all of them are safe with the other system, in the given order. Called by one thread
     * at a time; what is handed over again after a failure or a crash begins at or before where it broke off.
     *
     * @param commits the oldest first, without gaps
     * @throws OntologiaException when some may be missing there; all of them are handed over again
     */
    void publish(List<CommittedChanges> commits);
}
