package io.ontologia.store.object.internal;

import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.Restructured;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.Restructuring.Step;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.store.object.internal.engine.RowBatch;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.Registry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Changes schemas and rows in one commit. The next registry is stored first, as one that waits for the commit; the head then
 * decides about both.
 */
final class Restructurer {
    private static final int REPORT_EVERY = 1_000;

    private final SharedStore shared;
    private final StorageOptions options;

    Restructurer(SharedStore shared, StorageOptions options) {
        this.shared = shared;
        this.options = options;
    }

    /** What becomes true with the commit beside the steps. */
    interface Preparation {
        /** The registry after the commit. */
        Registry prepare(View view, long commitId);
    }

    Restructured write(Restructuring request) {
        return write(request, (view, commitId) -> view.registry());
    }

    Restructured write(Restructuring request, Preparation preparation) {
        return shared.writer().undisturbed(options.lockTimeout(), () -> {
            try (Upload upload = shared.upload()) {
                shared.catalog().settle(shared.views().current().head());
                return new Change(request, shared.views().fresh(), upload).run(preparation);
            }
        });
    }

    /** One restructuring. */
    private final class Change {
        private final Restructuring request;
        private final View view;
        private final Upload upload;
        private final WriterLease.Guard guard;
        private final long commitId;
        private final Instant at;
        private final String folder;
        private final List<Manifest.File> files = new ArrayList<>();
        private final List<Restructured.Outcome> outcomes = new ArrayList<>();
        private Registry after;

        Change(Restructuring request, View view, Upload upload) {
            this.request = request;
            this.view = view;
            this.upload = upload;
            this.guard = shared.writer().under(request.lock());
            this.commitId = view.head().commitId() + 1;
            Instant now = shared.clock().now().truncatedTo(ChronoUnit.MICROS);
            this.at = view.head().commitId() > 0 && view.head().updatedAt().isAfter(now)
                    ? view.head().updatedAt()
                    : now;
            this.folder = Keys.attempt(commitId, RandomIds.hex(shared.random(), 8));
            this.after = view.registry();
        }

        Restructured run(Preparation preparation) {
            guard.confirm(view.head());
            requireUnchanged();
            after = preparation.prepare(view, commitId);
            request.steps().forEach(step -> outcomes.add(apply(step)));
            Manifest manifest = new Manifest(
                            Keys.manifest(folder),
                            commitId,
                            view.head().commitId(),
                            view.head().manifestPath(),
                            at,
                            request.runtimeId(),
                            request.metadata().apply(List.copyOf(outcomes)),
                            files)
                    .onto(view.head().previousDigest());
            upload.add(manifest);
            upload.send();
            shared.catalog()
                    .change(
                            view.head(),
                            registry -> waiting(registry, new Registry.Pending(commitId, manifest.path(), after)));
            guard.confirm(view.head());
            Head head =
                    new Head(commitId, Optional.of(manifest.path()), at, request.runtimeId()).with(manifest.digest());
            if (shared.headSwap().swap(view, head, guard.token()).isEmpty()) {
                upload.undo();
                shared.views().forget();
                guard.confirm(shared.views().current().head());
                throw changed();
            }
            shared.chain().remember(manifest);
            settle(head, manifest);
            return new Restructured(commitId, at, outcomes);
        }

        /** The next registry replaces the one that this change was made from, and no other. */
        private Registry waiting(Registry registry, Registry.Pending pending) {
            if (!registry.versions().equals(request.expectedVersions())) {
                throw changed();
            }
            return registry.waitingFor(pending);
        }

        /** The commit is made; what is left to do others would do as well. */
        private void settle(Head head, Manifest manifest) {
            shared.views().forget();
            try {
                Registry settled = shared.catalog().change(head, registry -> registry);
                shared.catalog().publish(settled, commitId);
                shared.views().fresh();
                shared.indices().changed(List.of(manifest));
                shared.flush();
            } catch (OntologiaException e) {
                shared.catalog().forget();
            }
        }

        private void requireUnchanged() {
            if (view.head().commitId() != request.expectedHead()
                    || !view.registry().versions().equals(request.expectedVersions())) {
                throw changed();
            }
        }

        private OntologiaException changed() {
            return new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot change the schemas",
                    "another writer made a commit or changed a schema meanwhile",
                    "preview it again; nothing was changed");
        }

        private Restructured.Outcome apply(Step step) {
            if (step instanceof Step.Register register) {
                SchemaVersion version = propose(register.declared(), "initial", Optional.empty());
                return new Restructured.Outcome(step.type(), version.version(), 0);
            }
            if (step instanceof Step.Migrate migrate) {
                return migrate(migrate);
            }
            return remove((Step.Remove) step);
        }

        private SchemaVersion propose(OntologyType type, String reason, Optional<String> upgrade) {
            SchemaVersion version =
                    shared.catalog().propose(type, view.registry(), request.runtimeId(), reason, upgrade);
            after = after.with(version);
            return version;
        }

        private Restructured.Outcome migrate(Step.Migrate step) {
            TypeRef type = step.type();
            List<DesiredRow> rows = new ArrayList<>();
            try (Stream<StoredRow> latest = shared.answers().rows(RowQuery.of(type, new Window.Latest()), view)) {
                latest.forEach(row -> {
                    rows.add(new DesiredRow(type, row.identity(), step.upgrade().apply(row)));
                    if (rows.size() % REPORT_EVERY == 0) {
                        report(step, rows.size());
                    }
                });
            }
            report(step, rows.size());
            SchemaVersion version = propose(step.declared(), "migration", Optional.of(step.record()));
            if (!rows.isEmpty()) {
                files.add(upload.add(
                        new Upload.Data(folder, version.version(), commitId, RowBatch.of(step.declared(), rows))));
            }
            return new Restructured.Outcome(type, version.version(), rows.size());
        }

        private void report(Step.Migrate step, long done) {
            request.progress().report(step.type().toString(), done, Math.max(done, step.rows()));
        }

        private Restructured.Outcome remove(Step.Remove step) {
            TypeRef type = step.type();
            long rows = shared.answers().count(RowQuery.of(type, new Window.History(0)), view);
            if (step.history() == Restructuring.History.MUST_BE_EMPTY && rows > 0) {
                throw new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot drop " + type,
                        "it has rows",
                        "purge its history; nothing was changed");
            }
            long version = view.registry().versions().getOrDefault(type, 0L);
            shared.catalog().tidy(type, view.registry());
            after = after.without(type, version);
            if (step.history() == Restructuring.History.PURGE) {
                after = after.purged(type, commitId);
            }
            return new Restructured.Outcome(type, version, rows);
        }
    }
}
