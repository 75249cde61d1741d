package io.ontologia.store.object.internal;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Event;
import io.ontologia.core.OntologyType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.LeaseExpiredException;
import io.ontologia.store.object.internal.engine.LatestTables;
import io.ontologia.store.object.internal.engine.RowBatch;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.Registry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits that follow each other and become visible together, on top of one view. */
final class CommitGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommitGroup.class);

    private final SharedStore shared;
    private final View base;
    private final Upload upload;
    private final Map<Difference.RowKey, StoredRow> state = new HashMap<>();
    private final List<Planned> planned = new ArrayList<>();
    private final Map<TypeRef, List<LatestTables.Written>> written = new LinkedHashMap<>();
    private final List<Manifest> manifests = new ArrayList<>();
    private final Map<Ticket, CommitResult> results = new LinkedHashMap<>();
    private final ActingClaims claims;
    private Head head;
    private Registry registry;

    CommitGroup(SharedStore shared, View base, ActingClaims claims) {
        this.shared = shared;
        this.base = base;
        this.claims = claims;
        this.head = base.head();
        this.registry = base.registry();
        this.upload = shared.upload();
    }

    /** A commit whose data files are not written yet. */
    private record Planned(
            String folder,
            long commitId,
            Head before,
            Instant at,
            CommitRequest request,
            List<Upload.Data> files,
            List<Event> events) {

        Manifest manifest(List<Manifest.File> written) {
            return new Manifest(
                    Keys.manifest(folder),
                    commitId,
                    before.commitId(),
                    before.manifestPath(),
                    at,
                    request.runtimeId(),
                    request.metadata(),
                    written,
                    events,
                    List.of(),
                    Optional.empty());
        }
    }

    /** Looks for what is stored of all that some commits want, for all of them at once. */
    void look(List<Ticket> tickets) {
        lookFor(tickets.stream().map(Ticket::request).toList());
    }

    private void lookFor(List<CommitRequest> requests) {
        Set<TypeRef> types = new LinkedHashSet<>();
        requests.forEach(request -> types.addAll(request.schemaVersions().keySet()));
        shared.latest().warm(types, base);
        // What commits of this group will have written is newer than what is stored.
        Difference.stored(requests, (type, keys) -> shared.answers().find(type, base, keys, Latest.Use.COMMIT))
                .forEach(state::putIfAbsent);
    }

    /** The request with the relations that end with its entities. Such a request is alone in its group. */
    private CommitRequest settled(CommitRequest asked) {
        if (!asked.retractsEntities()) {
            return asked;
        }
        CommitRequest request = new Ends(shared, base).settle(asked, row -> {
            StoredRow found = state.get(new Difference.RowKey(row.type(), row.identity()));
            return found != null && !found.isEnd();
        });
        if (request.rows().size() > asked.rows().size()) {
            lookFor(List.of(request));
        }
        return request;
    }

    /** Works out what a commit changes, on top of those before it. It must have been looked at. */
    void add(Ticket ticket) {
        ticket.request().conditions().requireHead(head.commitId());
        ticket.request().conditions().requireUnchanged(new Ends(shared, base)::version);
        CommitRequest request = settled(ticket.request());
        Difference difference = Difference.of(request, state);
        if (difference.isEmpty()) {
            results.put(ticket, new CommitResult.NothingToDo(head.commitId()));
            return;
        }
        long commitId = head.commitId() + 1;
        Instant at = nextMoment();
        String folder = Keys.attempt(commitId, RandomIds.hex(shared.random(), 8));
        List<Upload.Data> files = new ArrayList<>();
        difference.changed().forEach((type, rows) -> {
            OntologyType declared =
                    Objects.requireNonNull(base.registry().types().get(type)).describe();
            long version = request.schemaVersions().getOrDefault(type, 1L);
            files.add(new Upload.Data(folder, version, commitId, RowBatch.of(declared, rows)));
        });
        List<Event> events = request.outbox().events().stream()
                .map(event -> event.complete(at, shared.random()))
                .toList();
        // What cannot be written fails here, where it is this commit's problem alone. Nothing fails from here on.
        CanonicalJson.bytes(request.metadata());
        if (difference.retractions() > 0 && !registry.hasRetractions()) {
            // Before the first row ends, so that no version which does not know it reads such a row as something else.
            registry = shared.catalog().change(base.head(), Registry::withRetractions);
        }
        LatestTables.Before before =
                difference.before().isEmpty() ? LatestTables.Before.NONE : LatestTables.Before.SOME;
        files.forEach(file -> written.computeIfAbsent(file.rows().type(), unused -> new ArrayList<>())
                .add(new LatestTables.Written(file.rows(), before, commitId, file.schemaVersion())));
        difference
                .changed()
                .forEach((type, rows) -> rows.forEach(row -> state.put(
                        new Difference.RowKey(type, row.identity()),
                        new StoredRow(
                                row.identity(),
                                row.fieldsJson(),
                                commitId,
                                request.schemaVersions().getOrDefault(type, 1L)))));
        planned.add(new Planned(folder, commitId, head, at, request, files, events));
        head = new Head(commitId, Optional.of(Keys.manifest(folder)), at, request.runtimeId());
        long updated = difference.updates();
        long retracted = difference.retractions();
        results.put(
                ticket,
                new CommitResult.Committed(commitId, at, difference.rows() - updated - retracted, updated, retracted));
    }

    /** Writes the files of all commits, several at a time, and what describes them. */
    private void write() {
        Iterator<Manifest.File> files = upload.addAll(planned.stream()
                        .flatMap(commit -> commit.files().stream())
                        .toList())
                .iterator();
        Optional<String> digest = base.head().previousDigest();
        for (Planned commit : planned) {
            Manifest manifest = commit.manifest(Stream.generate(files::next)
                            .limit(commit.files().size())
                            .toList())
                    .onto(digest);
            digest = manifest.digest();
            upload.add(manifest);
            manifests.add(manifest);
        }
        head = head.with(digest);
    }

    /** Now, or the moment of the last commit where the clock went back since: the log never runs backwards. */
    private Instant nextMoment() {
        Instant now = shared.clock().now().truncatedTo(ChronoUnit.MICROS);
        return head.commitId() > 0 && head.updatedAt().isAfter(now) ? head.updatedAt() : now;
    }

    /** Whether nothing has to be written. */
    boolean isEmpty() {
        return planned.isEmpty();
    }

    /**
     * Stores everything and makes it visible.
     *
     * @return false when somebody else moved the head, or a claim may not last; certainly nothing became visible then
     */
    boolean publish(WriterLease.Guard guard) {
        write();
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
        Optional<HeadSwap.Swapped> swapped = shared.headSwap().swap(base, head, guard.token());
        if (swapped.isEmpty()) {
            upload.undo();
            shared.views().forget();
            return false;
        }
        try {
            settle(swapped.get());
        } catch (RuntimeException e) {
            // The commits are visible. What is derived from them is made again by whoever misses it.
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("commit", head.commitId())
                    .log("not everything was brought up to a commit");
            shared.views().forget();
        }
        return true;
    }

    /** Brings what is derived up to the commits that have just become visible. */
    private void settle(HeadSwap.Swapped swapped) {
        manifests.forEach(shared.chain()::remember);
        if (manifests.stream().anyMatch(manifest -> !manifest.events().isEmpty())) {
            shared.outbox().committed(manifests, head);
        }
        if (swapped.now().isEmpty()) {
            shared.views().forget();
            return;
        }
        HeadSwap.Found now = swapped.now().get();
        View after = shared.views().advance(now.head(), now.etag(), registry);
        written.forEach((type, commits) -> shared.latest().apply(type, base, after, commits));
        shared.indices().changed(manifests);
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
