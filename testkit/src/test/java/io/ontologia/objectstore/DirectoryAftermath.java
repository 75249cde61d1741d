package io.ontologia.objectstore;

import static io.ontologia.objectstore.DirectoryChange.KEY;
import static io.ontologia.objectstore.DirectoryChange.NEIGHBOUR;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a store that knows nothing of what happened finds after a change was broken off. */
record DirectoryAftermath(Path root, Optional<StoredObject> object) {

    static DirectoryAftermath of(Path root) {
        try (ObjectStore store = DirectoryChange.open(root)) {
            return new DirectoryAftermath(root, store.get(KEY));
        }
    }

    boolean isAsAfter(DirectoryChange change) {
        return text().equals(change.after());
    }

    private Optional<String> text() {
        return object.map(StoredObject::text);
    }

    void assertOld(DirectoryChange change, String etag) {
        assertThat(text().equals(change.before())).as("the old state is there").isTrue();
        object.ifPresent(old -> assertThat(old.etag().value()).isEqualTo(etag));
    }

    void assertOldOrNew(DirectoryChange change, String etag) {
        if (!isAsAfter(change)) {
            assertOld(change, etag);
        }
    }

    /** The listing agrees with what was read, the next conditional write works, and what it replaced does not come back. */
    void assertUsable(String oldEtag) {
        try (ObjectStore store = DirectoryChange.open(root)) {
            List<String> keys = store.list(ListRequest.of("")).objects().stream()
                    .map(ObjectSummary::key)
                    .filter(key -> !key.equals(NEIGHBOUR))
                    .toList();
            assertThat(keys).isEqualTo(object.isPresent() ? List.of(KEY) : List.of());
            assertThat(Files.exists(root.resolve(NEIGHBOUR)))
                    .isEqualTo(store.get(NEIGHBOUR).isPresent());
            PutOutcome next = object.map(current -> store.putIfMatch(KEY, Payload.of("next"), current.etag()))
                    .orElseGet(() -> store.putIfAbsent(KEY, Payload.of("next")));
            assertThat(next).isInstanceOf(PutOutcome.Written.class);
            assertThat(store.get(KEY).orElseThrow().text()).isEqualTo("next");
            assertThat(store.get(KEY).orElseThrow().etag()).isEqualTo(((PutOutcome.Written) next).etag());
            assertThat(store.putIfMatch(KEY, Payload.of("never"), new ETag(oldEtag)))
                    .isInstanceOf(PutOutcome.Refused.class);
        }
    }

    List<Path> temporaryFiles() {
        Path folder = root.resolve(".onto/tmp");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void removeTemporaryFiles() {
        for (Path file : temporaryFiles()) {
            try {
                Files.delete(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
