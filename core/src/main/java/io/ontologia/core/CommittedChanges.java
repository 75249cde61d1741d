package io.ontologia.core;

import java.util.List;

/**
 * A commit and what it did.
 *
 * @param changes by kind, type and identity
 */
public record CommittedChanges(CommitInfo commit, List<Change> changes) {
    public CommittedChanges {
        changes = List.copyOf(changes);
    }
}
