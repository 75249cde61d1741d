package io.ontologia.store.object.internal;

import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.store.object.internal.layout.DigestDocument;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Digests of commits whose manifests have none, because an earlier version or another program made them. They are kept in objects
 * of their own, which are read when the first such commit is asked for. Used by one thread.
 */
final class RecordedDigests {
    private final ObjectStore store;
    private @Nullable Map<Long, String> digests;

    RecordedDigests(ObjectStore store) {
        this.store = store;
    }

    /** The digest that is recorded for a commit. */
    Optional<String> of(Manifest manifest) {
        if (manifest.digest().isPresent()) {
            return manifest.digest();
        }
        if (digests == null) {
            digests = read();
        }
        return Optional.ofNullable(digests.get(manifest.commitId()));
    }

    private Map<Long, String> read() {
        Map<Long, String> all = new HashMap<>();
        ListRequest request = ListRequest.of(Keys.DIGESTS);
        while (true) {
            ListPage page = store.list(request);
            page.objects()
                    .forEach(object -> store.get(object.key())
                            .ifPresent(found -> all.putAll(DigestDocument.parse(object.key(), found.bytes()))));
            if (page.next().isEmpty()) {
                return all;
            }
            request = request.continueAt(page.next().get());
        }
    }

    /**
     * Stores digests, and notes the one of the newest commit in the head, so that the next commit gets its own.
     *
     * @return how many there are
     */
    static long add(SharedStore shared, WriterLease.Guard guard, Map<Long, String> missing) {
        DigestDocument.split(missing).forEach((key, bytes) -> shared.store().put(key, Payload.of(bytes)));
        View view = shared.views().fresh();
        Head head = view.head();
        Optional<String> digest = Optional.ofNullable(missing.get(head.commitId()));
        if (head.digest().isEmpty() && digest.isPresent()) {
            guard.confirm(head);
            guard.ensureSafe();
            shared.headSwap().swap(view, head.with(digest), guard.token());
            shared.views().forget();
        }
        return missing.size();
    }
}
