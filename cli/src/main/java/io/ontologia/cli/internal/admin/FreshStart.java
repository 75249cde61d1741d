package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.access.StoreContent;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.Lease;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
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
    private static final int AT_ONCE = 1_000;
    private static final int PASSES = 5;

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

    /** Whether beginning anew would lose something, or finish what somebody else began. */
    boolean losesSomething() {
        return isErasing() || objects.stream().anyMatch(object -> !object.key().equals(HEAD));
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

    /** Whether somebody began to remove everything, and has not come to the end. */
    boolean isErasing() {
        return head.filter(StoreContent::isErasing).isPresent();
    }

    /**
     * Removes everything. A mark takes the place of the head first: from then on there is no store, whatever is left of it,
     * a commit of somebody else that is under way is refused, and nobody makes a store of what is left. The mark goes last.
     *
     * @param lease of the write lock, which somebody renews meanwhile
     */
    void erase(Lease lease, StoreCapabilities capabilities, Clock clock, Output output) {
        if (objects.isEmpty()) {
            return;
        }
        lease.ensureSafe();
        ETag mark = mark(lease, clock);
        List<String> left = others(objects);
        try (Progress progress = output.progress("removing objects", left.size())) {
            for (int pass = 0; pass < PASSES && !left.isEmpty(); pass++) {
                for (int from = 0; from < left.size(); from += AT_ONCE) {
                    remove(left.subList(from, Math.min(left.size(), from + AT_ONCE)), lease);
                    progress.advance(Math.min(left.size() - from, AT_ONCE));
                }
                // Somebody who was in the middle of a commit may have left some more.
                left = others(StoreContent.of(store));
            }
        }
        requireRemoved(left);
        lease.ensureSafe();
        eraseMark(mark, capabilities);
    }

    /** Where the store lets us, only this very mark: whoever was faster may have a store there by now. */
    private void eraseMark(ETag mark, StoreCapabilities capabilities) {
        if (capabilities.conditionalDelete() == ConditionalDelete.IGNORED) {
            store.delete(HEAD);
            return;
        }
        DeleteOutcome outcome = store.deleteIfMatch(HEAD, mark);
        if (outcome instanceof DeleteOutcome.Refused) {
            throw unfinished(1, "somebody else removes everything there too, or has finished it");
        }
        if (outcome instanceof DeleteOutcome.Unknown unknown) {
            throw unknown.reason();
        }
    }

    /** Workers and those who send events do not look at the head; what they leave is of no harm to a new store. */
    private void requireRemoved(List<String> left) {
        long count = left.stream().filter(StoreContent::isOfHistory).count();
        if (count > 0) {
            throw unfinished(count, "others keep writing there");
        }
    }

    private ETag mark(Lease lease, Clock clock) {
        Payload payload = Payload.of(CanonicalJson.bytes(Map.of(
                StoreContent.ERASING,
                UtcTimestamp.format(clock.now()),
                "attempt_id",
                lease.attemptId(),
                "runtime_id",
                lease.ownerId())));
        PutOutcome outcome = head.isPresent()
                ? store.putIfMatch(HEAD, payload, head.get().etag())
                : store.putIfAbsent(HEAD, payload);
        if (outcome instanceof PutOutcome.Unknown unknown) {
            throw unknown.reason();
        }
        if (outcome instanceof PutOutcome.Written written) {
            return written.etag();
        }
        throw refused();
    }

    private static List<String> others(List<ObjectSummary> all) {
        return all.stream()
                .map(ObjectSummary::key)
                .filter(key -> !key.equals(HEAD))
                .toList();
    }

    private void remove(List<String> keys, Lease lease) {
        lease.ensureSafe();
        Map<String, String> left = store.deleteAll(keys);
        if (!left.isEmpty()) {
            throw unfinished(left.size(), left.values().iterator().next());
        }
    }

    private OntologiaException unfinished(long count, String cause) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot remove " + count + " objects of " + store.location(),
                cause,
                "there is no store any more; see that nobody uses it, and run 'onto init --force --dry-run' for the rest");
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
