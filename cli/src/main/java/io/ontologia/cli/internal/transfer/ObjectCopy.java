package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.TextFile;
import io.ontologia.cli.internal.access.StoreContent;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Copies the objects of an ontology, the head last: until then there is no store at the target, and a copy that was
 * interrupted goes on when it is started again.
 */
final class ObjectCopy {
    private static final int TRIES = 5;

    /** What never changes once it is there; the rest changes in place. */
    private static final List<String> IMMUTABLE = List.of("commits/", "snapshots/", "events/");

    private final ObjectStore source;
    private final ObjectStore target;
    private final Output output;

    /** What was copied, or would be. */
    record Copied(String from, String to, long objects, long bytes) {}

    ObjectCopy(ObjectStore source, ObjectStore target, Output output) {
        this.source = source;
        this.target = target;
        this.output = output;
    }

    /** What there is to copy. */
    Copied plan() {
        return copied(StoreContent.of(source));
    }

    private Copied copied(List<ObjectSummary> objects) {
        return new Copied(
                source.location(),
                target.location(),
                objects.size(),
                objects.stream().mapToLong(ObjectSummary::size).sum());
    }

    /** Refuses a target that holds anything but a store without content, or the beginning of this copy. */
    void requireRoom() {
        StoreContent.requireUsable(target.get(StoreContent.HEAD), "cannot copy to " + target.location());
        Set<String> present = new HashSet<>();
        StoreContent.of(target).forEach(object -> present.add(object.key()));
        boolean hasHead = present.remove(StoreContent.HEAD);
        if (!hasHead) {
            StoreContent.of(source).forEach(object -> present.remove(object.key()));
        }
        if (!present.isEmpty()) {
            throw notEmpty(present.size());
        }
    }

    private CommandFailure notEmpty(int objects) {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot copy to " + target.location(),
                        "it holds " + objects + " objects already, of another store or of a copy that was finished",
                        "name an empty place, or empty it with 'onto init --force'"));
    }

    Copied run() {
        Optional<StoredObject> empty = target.get(StoreContent.HEAD);
        for (int i = 0; i < TRIES; i++) {
            StoredObject head = source.get(StoreContent.HEAD).orElseThrow(this::busy);
            StoreContent.requireUsable(Optional.of(head), "cannot copy " + source.location());
            // Before the events are listed: of the commits up to it, all are there then.
            Optional<StoredObject> outbox = source.get(StoreContent.OUTBOX);
            List<ObjectSummary> objects = StoreContent.of(source);
            transfer(objects);
            outbox.ifPresent(mark -> target.put(StoreContent.OUTBOX, Payload.of(mark.bytes())));
            // Schemas change in place: only while nobody committed do they belong to this head.
            if (source.get(StoreContent.HEAD)
                    .filter(now -> now.etag().equals(head.etag()))
                    .isPresent()) {
                publish(head, empty);
                return copied(objects);
            }
        }
        throw busy();
    }

    private OntologiaException busy() {
        return new OntologiaException(
                ErrorKind.BUSY,
                "cannot copy " + source.location(),
                "others kept committing to it",
                "run the command again when it is quiet; what was copied need not be copied again");
    }

    private void publish(StoredObject head, Optional<StoredObject> empty) {
        Payload payload = Payload.of(head.bytes());
        PutOutcome outcome = empty.isPresent()
                ? target.putIfMatch(StoreContent.HEAD, payload, empty.get().etag())
                : target.putIfAbsent(StoreContent.HEAD, payload);
        if (outcome instanceof PutOutcome.Unknown unknown) {
            throw unknown.reason();
        }
        if (outcome instanceof PutOutcome.Refused) {
            throw notEmpty(1);
        }
    }

    private void transfer(List<ObjectSummary> objects) {
        Map<String, Long> present = new HashMap<>();
        StoreContent.of(target).forEach(object -> present.put(object.key(), object.size()));
        try (Progress progress = output.progress("copying objects", objects.size())) {
            Path file = Files.createTempFile("onto-copy", ".object");
            try {
                for (ObjectSummary object : objects) {
                    if (isToBeCopied(object, present)) {
                        // An object that is gone by now belonged to an attempt that was cleaned up.
                        source.download(object.key(), file)
                                .ifPresent(found -> target.put(object.key(), Payload.of(file)));
                    }
                    progress.advance(1);
                }
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw TextFile.unwritable("the copy", "the temporary folder", e);
        }
    }

    private static boolean isToBeCopied(ObjectSummary object, Map<String, Long> present) {
        boolean mayHaveChanged = IMMUTABLE.stream().noneMatch(object.key()::startsWith);
        return !object.key().equals(StoreContent.HEAD)
                && !object.key().equals(StoreContent.OUTBOX)
                && (mayHaveChanged || !Long.valueOf(object.size()).equals(present.get(object.key())));
    }
}
