package io.ontologia.store.object.internal;

import io.ontologia.core.CommitResult;
import io.ontologia.core.OntologyType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.LeaseExpiredException;
import io.ontologia.store.object.internal.engine.LatestTables;
import io.ontologia.store.object.internal.engine.RowBatch;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Commits that follow each other and become visible together, on top of one view. */
final class CommitGroup implements AutoCloseable {
    private final SharedStore shared;
    private final View base;
    private final Upload upload;
    private final Map<Difference.RowKey, StoredRow> overlay = new HashMap<>();
    private final Map<TypeRef, List<Latest.Written>> written = new LinkedHashMap<>();
    private final List<Manifest> manifests = new ArrayList<>();
    private final Map<Ticket, CommitResult> results = new LinkedHashMap<>();
    private final ActingClaims claims;
    private Head head;

    CommitGroup(SharedStore shared, View base, ActingClaims claims) {
        this.shared = shared;
        this.base = base;
        this.claims = claims;
        this.head = base.head();
        this.upload = shared.upload();
    }

    /** Works out what a commit changes, on top of those before it, and prepares its objects. */
    void add(Ticket ticket) {
        CommitRequest request = ticket.request();
        shared.latest().warm(request.schemaVersions().keySet(), base);
        Difference difference =
                Difference.of(request, (type, keys) -> shared.find(type, base, keys, Latest.Use.COMMIT), overlay);
        if (difference.isEmpty()) {
            results.put(ticket, new CommitResult.NothingToDo(head.commitId()));
            return;
        }
        long commitId = head.commitId() + 1;
        Instant at = nextMoment();
        String folder = Keys.attempt(commitId, RandomIds.hex(shared.random(), 8));
        List<Manifest.File> files = new ArrayList<>();
        LatestTables.Before before = difference.updates() == 0 ? LatestTables.Before.NONE : LatestTables.Before.SOME;
        difference.changed().forEach((type, rows) -> {
            long version = request.schemaVersions().getOrDefault(type, 1L);
            OntologyType declared =
                    Objects.requireNonNull(base.registry().types().get(type)).describe();
            RowBatch batch = RowBatch.of(declared, rows);
            files.add(upload.add(folder, version, commitId, batch));
            written.computeIfAbsent(type, unused -> new ArrayList<>())
                    .add(new Latest.Written(batch, before, commitId, version));
            rows.forEach(row -> overlay.put(
                    new Difference.RowKey(type, row.identity()),
                    new StoredRow(row.identity(), row.fieldsJson(), commitId, version)));
        });
        add(new Manifest(
                Keys.manifest(folder),
                commitId,
                head.commitId(),
                head.manifestPath(),
                at,
                request.runtimeId(),
                request.metadata(),
                files,
                request.outbox().events().stream()
                        .map(event -> event.complete(at, shared.random()))
                        .toList()));
        long updated = difference.updates();
        results.put(ticket, new CommitResult.Committed(commitId, at, difference.rows() - updated, updated));
    }

    private void add(Manifest manifest) {
        upload.add(manifest);
        manifests.add(manifest);
        head = new Head(manifest.commitId(), Optional.of(manifest.path()), manifest.createdAt(), manifest.runtimeId());
    }

    /** Now, or the moment of the last commit where the clock went back since: the log never runs backwards. */
    private Instant nextMoment() {
        Instant now = shared.clock().now().truncatedTo(ChronoUnit.MICROS);
        return head.commitId() > 0 && head.updatedAt().isAfter(now) ? head.updatedAt() : now;
    }

    /** Whether nothing has to be written. */
    boolean isEmpty() {
        return manifests.isEmpty();
    }

    /**
     * Stores everything and makes it visible.
     *
     * @return false when somebody else moved the head, or a claim may not last; certainly nothing became visible then
     */
    boolean publish(WriterLease.Guard guard) {
        boolean hasEvents =
                manifests.stream().anyMatch(manifest -> !manifest.events().isEmpty());
        if (hasEvents) {
            shared.outbox().prepare(base.head());
        }
        upload.send();
        if (!claims.areSafe()) {
            upload.undo();
            return false;
        }
        try {
            guard.ensureSafe();
        } catch (LeaseExpiredException e) {
            // The head was not touched, so nothing points to what was sent.
            upload.undo();
            throw e;
        }
        Optional<HeadSwap.Swapped> swapped = shared.headSwap().swap(base, head);
        if (swapped.isEmpty()) {
            upload.undo();
            shared.views().forget();
            return false;
        }
        manifests.forEach(shared.chain()::remember);
        if (hasEvents) {
            shared.outbox().committed(manifests, head);
        }
        if (swapped.get().etag().isEmpty()) {
            shared.views().forget();
            return true;
        }
        View after = shared.views().advance(head, swapped.get().etag().get(), base.registry());
        written.forEach((type, commits) -> shared.latest().apply(type, base, after, commits));
        shared.indices().changed(manifests);
        return true;
    }

    /** Tells everybody what became of their commits. */
    void finish() {
        results.forEach(Ticket::succeed);
    }

    @Override
    public void close() {
        upload.close();
    }
}
