package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.access.StoreContent;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.StoreCapabilities;
import io.ontologia.objectstore.StoreCapabilities.ConditionalDelete;
import io.ontologia.objectstore.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is in an object store, and how to begin anew there. The token for that fits as long as place and head stay the same:
 * whoever commits meanwhile makes it worthless.
 */
final class FreshStart {
    private static final String HEAD = StoreContent.HEAD;

    private final ObjectStore store;
    private final Optional<StoredObject> head;
    private final List<ObjectSummary> objects;

    private FreshStart(ObjectStore store) {
        this.store = store;
        this.head = store.get(HEAD);
        this.objects = StoreContent.of(store);
    }

    /** Looks at a store; changes nothing. */
    static FreshStart of(ObjectStore store) {
        return new FreshStart(store);
    }

    /** Whether beginning anew would lose something. */
    boolean losesSomething() {
        return objects.stream().anyMatch(object -> !object.key().equals(HEAD));
    }

    /** Whether there is a store, be it a damaged one. */
    boolean hasHead() {
        return head.isPresent();
    }

    /** How many objects there are. */
    int count() {
        return objects.size();
    }

    /** How much they take. */
    long bytes() {
        return objects.stream().mapToLong(ObjectSummary::size).sum();
    }

    /** What somebody must show who wants to begin anew. */
    String token() {
        String version = head.map(object -> Sha256.hex(object.bytes())).orElse("none");
        return Sha256.hex("begin anew\n" + store.location() + "\n" + version).substring(0, 16);
    }

    /**
     * Removes everything. The head goes first: from then on there is no store, whatever is left of it, and a commit of
     * somebody else that is under way is refused.
     */
    void erase(StoreCapabilities capabilities) {
        if (head.isPresent()) {
            eraseHead(head.get(), capabilities);
        }
        Map<String, String> left = store.deleteAll(objects.stream()
                .map(ObjectSummary::key)
                .filter(key -> !key.equals(HEAD))
                .toList());
        if (!left.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot remove " + left.size() + " of " + objects.size() + " objects",
                    left.values().iterator().next(),
                    "there is no store any more; run 'onto init --dry-run --force' again for the rest");
        }
    }

    private void eraseHead(StoredObject known, StoreCapabilities capabilities) {
        if (capabilities.conditionalDelete() == ConditionalDelete.IGNORED) {
            store.delete(HEAD);
            return;
        }
        DeleteOutcome outcome = store.deleteIfMatch(HEAD, known.etag());
        if (outcome instanceof DeleteOutcome.Refused) {
            throw refused();
        }
        if (outcome instanceof DeleteOutcome.Unknown unknown) {
            throw unknown.reason();
        }
    }

    /** The refusal of a token that does not fit. */
    CommandFailure refused() {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot begin anew on " + store.location(),
                        "the token does not belong to the present state of the store; nothing was changed",
                        "run 'onto init --dry-run --force' for the present one, and look at what would be lost"));
    }
}
