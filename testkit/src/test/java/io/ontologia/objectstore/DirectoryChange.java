package io.ontologia.objectstore;

import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.internal.directory.DirectoryObjectStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;

/** The changes of an object that are broken off at every step, each with what must be there before and after. */
enum DirectoryChange {
    FIRST_PUT,
    LARGE_OVERWRITE,
    PUT_IF_ABSENT,
    PUT_IF_MATCH,
    DELETE,
    DELETE_IF_MATCH;

    static final String KEY = "some/folder/object";
    static final String NEIGHBOUR = "neighbour";
    private static final String OLD = "the old object";

    /** Text of the object before the change; empty when there is none. */
    Optional<String> before() {
        return this == FIRST_PUT || this == PUT_IF_ABSENT ? Optional.empty() : Optional.of(OLD);
    }

    /** Text of the object after the change; empty when there is none. */
    Optional<String> after() {
        return switch (this) {
            case DELETE, DELETE_IF_MATCH -> Optional.empty();
            case LARGE_OVERWRITE -> Optional.of("large ".repeat(200_000));
            default -> Optional.of("the new object");
        };
    }

    /** Makes the store that the change starts from. Returns the ETag of the object, or "none". */
    String prepare(Path root) {
        if (this == FIRST_PUT) {
            return "none";
        }
        try (ObjectStore store = open(root)) {
            store.put(NEIGHBOUR, Payload.of("beside it"));
            return before().map(text -> store.put(KEY, Payload.of(text)).value())
                    .orElse("none");
        }
    }

    /** Makes the change. Returns the ETag of what was written, "deleted", "refused" or "unknown". */
    String run(ObjectStore store, String etag) {
        Payload payload = Payload.of(after().orElse("nothing"));
        return switch (this) {
            case FIRST_PUT, LARGE_OVERWRITE -> store.put(KEY, payload).value();
            case PUT_IF_ABSENT -> outcome(store.putIfAbsent(KEY, payload));
            case PUT_IF_MATCH -> outcome(store.putIfMatch(KEY, payload, new ETag(etag)));
            case DELETE -> {
                store.delete(KEY);
                yield "deleted";
            }
            case DELETE_IF_MATCH -> {
                DeleteOutcome outcome = store.deleteIfMatch(KEY, new ETag(etag));
                yield outcome instanceof DeleteOutcome.Deleted
                        ? "deleted"
                        : outcome instanceof DeleteOutcome.Refused ? "refused" : "unknown";
            }
        };
    }

    private static String outcome(PutOutcome outcome) {
        return outcome instanceof PutOutcome.Written written
                ? written.etag().value()
                : outcome instanceof PutOutcome.Refused ? "refused" : "unknown";
    }

    static ObjectStore open(Path root) {
        return new DirectoryObjectStore(root, Clock.system(), new SplittableRandom());
    }
}
