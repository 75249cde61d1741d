package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.TextFile;
import io.ontologia.cli.internal.access.StoreContent;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.ByteRange;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Copies the objects of an ontology, the head last. Until then the target is marked as unfinished and there is no store; a copy
 * that was interrupted goes on when it is started again. Others may commit, compact and clean up at the source meanwhile.
 */
final class ObjectCopy {
    private static final int TRIES = 5;

    /** What never changes once it is there; the rest changes in place. */
    private static final List<String> IMMUTABLE = List.of("commits/", "snapshots/", "events/");

    private final ObjectStore source;
    private final ObjectStore target;
    private final Clock clock;
    private final Output output;

    /** What is at the target, as this copy found or left it. Whoever changes it meanwhile is noticed. */
    private final Map<String, Present> present = new HashMap<>();

    /** The objects of the event bus with the hash of what was sent. */
    private final Map<String, String> bus = new HashMap<>();

    private record Present(long size, Optional<ETag> etag) {}

    /** What was copied, or would be. */
    record Copied(String from, String to, long objects, long bytes) {}

    ObjectCopy(ObjectStore source, ObjectStore target, Clock clock, Output output) {
        this.clock = clock;
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
        StoreContent.copySource(target)
                .filter(other -> !other.equals(source.location()))
                .ifPresent(other -> {
                    throw occupied("it holds the beginning of a copy of " + other);
                });
        Set<String> present = new HashSet<>();
        StoreContent.of(target).forEach(object -> present.add(object.key()));
        boolean hasHead = present.remove(StoreContent.HEAD);
        boolean begun = present.remove(StoreContent.RESTORE);
        if (!hasHead || begun) {
            StoreContent.of(source).forEach(object -> present.remove(object.key()));
        }
        if (!present.isEmpty()) {
            throw notEmpty(present.size());
        }
    }

    private CommandFailure notEmpty(int objects) {
        return occupied("it holds " + objects + " objects already, of another store or of a copy that was finished");
    }

    private CommandFailure occupied(String cause) {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot copy to " + target.location(),
                        cause,
                        "name an empty place, or empty it with 'onto init --force'"));
    }

    Copied run() {
        Optional<StoredObject> empty = target.get(StoreContent.HEAD);
        mark();
        look();
        for (int i = 0; i < TRIES; i++) {
            requireStill(empty);
            Optional<ETag> schemas = source.get(StoreContent.REGISTRY).map(StoredObject::etag);
            // What changes in place first: the files that it names are there by then, and listed after it.
            List<ObjectSummary> objects = new ArrayList<>(StoreContent.meta(source));
            boolean whole = transfer(objects, "copying schemas and indices");
            // Before the events are listed: of the commits up to it, all are there then.
            Optional<StoredObject> outbox = source.get(StoreContent.OUTBOX);
            StoredObject head = source.get(StoreContent.HEAD).orElseThrow(this::busy);
            StoreContent.requireUsable(Optional.of(head), "cannot copy " + source.location());
            // Schemas that are the same before and after the head was read belong to it. What others commit from here
            // on
            // is no part of the copy.
            if (!whole || !schemas.equals(source.get(StoreContent.REGISTRY).map(StoredObject::etag))) {
                continue;
            }
            List<ObjectSummary> data = StoreContent.data(source);
            objects.addAll(data);
            // What a clean-up took meanwhile may be needed: it is in another file now.
            if (transfer(data, "copying objects")) {
                outbox.ifPresent(mark -> put(StoreContent.OUTBOX, Payload.of(mark.bytes()), mark.bytes().length));
                compareBus();
                publish(head, empty);
                target.delete(StoreContent.RESTORE);
                return copied(objects);
            }
        }
        throw busy();
    }

    /** From the first object to the last, the place is marked as unfinished. */
    private void mark() {
        byte[] mark = StoreContent.copyMark(source.location(), clock.now());
        if (target.putIfAbsent(StoreContent.RESTORE, Payload.of(mark)) instanceof PutOutcome.Unknown unknown) {
            throw unknown.reason();
        }
    }

    /** Reads what was copied of the event bus and compares it with what was sent. */
    private void compareBus() {
        bus.forEach((key, hash) -> {
            boolean same = target.get(key)
                    .filter(object -> Sha256.hex(object.bytes()).equals(hash))
                    .isPresent();
            if (!same) {
                throw new CommandFailure(
                        ExitCode.MISMATCH,
                        new OntologiaException(
                                ErrorKind.CORRUPT,
                                "the copy is not the original",
                                "not the same in both: '" + key + "'",
                                "run 'onto fsck' on both, remove the copy and try again"));
            }
        });
    }

    /** How many events were copied. */
    long events() {
        return bus.keySet().stream().filter(key -> key.startsWith("events/")).count();
    }

    /** Notes what is there, of an earlier run of this copy. */
    private void look() {
        for (ObjectSummary object : StoreContent.of(target)) {
            Optional<ETag> etag = mayChange(object.key()) ? etag(object.key()) : Optional.empty();
            present.put(object.key(), new Present(object.size(), etag));
        }
    }

    private Optional<ETag> etag(String key) {
        return target.get(key, GetOptions.whole().range(ByteRange.of(0, 1))) instanceof GetOutcome.Found found
                ? Optional.of(found.object().etag())
                : Optional.empty();
    }

    private static boolean mayChange(String key) {
        return IMMUTABLE.stream().noneMatch(key::startsWith);
    }

    /** Another run of this copy may have come to its end meanwhile, and others may use the store. */
    private void requireStill(Optional<StoredObject> empty) {
        if (!target.get(StoreContent.HEAD).map(StoredObject::etag).equals(empty.map(StoredObject::etag))) {
            throw disturbed();
        }
    }

    private CommandFailure disturbed() {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot copy to " + target.location(),
                        "another process writes there, maybe the same copy that was started a second time",
                        "stop the other process and run the command again"));
    }

    private void put(String key, Payload payload, long size) {
        Optional<ETag> known = Optional.ofNullable(present.get(key))
                .flatMap(found -> found.etag().or(() -> etag(key)));
        PutOutcome outcome =
                known.isPresent() ? target.putIfMatch(key, payload, known.get()) : target.putIfAbsent(key, payload);
        if (outcome instanceof PutOutcome.Unknown unknown) {
            throw unknown.reason();
        }
        if (!(outcome instanceof PutOutcome.Written written)) {
            throw disturbed();
        }
        present.put(key, new Present(size, Optional.of(written.etag())));
    }

    private OntologiaException busy() {
        return new OntologiaException(
                ErrorKind.BUSY,
                "cannot copy " + source.location(),
                "others kept changing it",
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

    /** Returns whether everything was still there that commits need. */
    private boolean transfer(List<ObjectSummary> objects, String what) {
        boolean whole = true;
        try (Progress progress = output.progress(what, objects.size())) {
            Path file = FileModes.createTempFile("onto-copy", ".object");
            try {
                for (ObjectSummary object : objects) {
                    if (isToBeCopied(object)) {
                        Optional<ObjectSummary> found = source.download(object.key(), file);
                        if (found.isPresent()) {
                            put(object.key(), Payload.of(file), found.get().size());
                            if (StoreContent.isOfBus(object.key())) {
                                bus.put(object.key(), Sha256.hex(file));
                            }
                        }
                        whole &= found.isPresent() || !StoreContent.isOfHistory(object.key());
                    }
                    progress.advance(1);
                }
            } finally {
                Files.deleteIfExists(file);
            }
            return whole;
        } catch (IOException e) {
            throw TextFile.unwritable("the copy", "the temporary folder", e);
        }
    }

    private boolean isToBeCopied(ObjectSummary object) {
        Present known = present.get(object.key());
        return !object.key().equals(StoreContent.HEAD)
                && !object.key().equals(StoreContent.OUTBOX)
                && !object.key().equals(StoreContent.RESTORE)
                && (mayChange(object.key()) || known == null || known.size() != object.size());
    }
}
