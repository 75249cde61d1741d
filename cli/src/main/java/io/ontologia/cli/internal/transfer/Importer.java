package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Interruption;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.transfer.ImportOutcome.Status;
import io.ontologia.core.CommitResult;
import io.ontologia.core.HeadMovedException;
import io.ontologia.core.LeaseLostException;
import io.ontologia.core.Model;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Brings checked rows into a store, or says what that would do. */
final class Importer {
    private static final int TRIES = 4;

    private final OntologyAccess access;
    private final Model model;
    private final ImportRows rows;
    private final ImportPlan.Wish wish;
    private final Interruption interruption;

    /** A plan, and the newest commit when it was made. */
    private record Planned(ImportPlan plan, long head) {}

    Importer(OntologyAccess access, Model model, ImportRows rows, ImportPlan.Wish wish, Interruption interruption) {
        this.access = access;
        this.model = model;
        this.rows = rows;
        this.wish = wish;
        this.interruption = interruption;
    }

    /** What would be done. Changes nothing. */
    ImportOutcome preview() {
        ImportPlan plan = plan().plan();
        return ImportOutcome.of(isRefused(plan) ? Status.CONFLICT : Status.DRY_RUN, rows, plan, Optional.empty());
    }

    /** Does it, in one commit, or nothing at all. */
    ImportOutcome apply(Map<String, String> metadata) {
        if (wish.policy().equals(Optional.of(ConflictPolicy.UPSERT))
                && wish.precondition().isEmpty()) {
            return applyAnyway(metadata);
        }
        Planned planned = plan();
        if (isRefused(planned.plan())) {
            return ImportOutcome.of(Status.CONFLICT, rows, planned.plan(), Optional.empty());
        }
        try (Session store = access.write(model)) {
            for (int i = 1; ; i++) {
                try {
                    return store.lock().holding(access.lockTimeout(), lease -> apply(store, planned, metadata));
                } catch (LeaseLostException | HeadMovedException e) {
                    // There was a commit since the rows were compared, so they are compared again.
                    store.discard();
                    if (i == TRIES) {
                        throw new CommandFailure(ExitCode.IMPORT_REFUSED, e);
                    }
                }
            }
        }
    }

    /** Commits on the head at which the rows were compared, and on no other. */
    private ImportOutcome apply(Session store, Planned planned, Map<String, String> metadata) {
        long head = store.head();
        ImportPlan plan = head == planned.head() ? planned.plan() : plan(Optional.of(store));
        if (isRefused(plan)) {
            return ImportOutcome.of(Status.CONFLICT, rows, plan, Optional.empty());
        }
        store.ensureAll(plan.writes());
        Optional<Long> commit =
                commit(store, () -> store.commitAfter(head, metadata)) instanceof CommitResult.Committed committed
                        ? Optional.of(committed.commitId())
                        : Optional.empty();
        return ImportOutcome.of(Status.APPLIED, rows, plan, commit);
    }

    /** Nothing can be in the way, so the commit itself finds out what differs. */
    private ImportOutcome applyAnyway(Map<String, String> metadata) {
        try (Session store = access.write(model)) {
            store.ensureAll(rows.rows().values().stream().map(ImportRows.Line::row));
            if (commit(store, () -> store.commit(metadata)) instanceof CommitResult.Committed done) {
                return new ImportOutcome(
                        Status.APPLIED,
                        rows.lines(),
                        done.inserted(),
                        done.updated(),
                        none(),
                        List.of(),
                        Optional.of(done.commitId()));
            }
            return new ImportOutcome(Status.APPLIED, rows.lines(), 0, 0, none(), List.of(), Optional.empty());
        }
    }

    private CommitResult commit(Session store, Supplier<CommitResult> commit) {
        CommitResult result;
        try {
            interruption.storing();
            result = commit.get();
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.UNKNOWN_OUTCOME) {
                interruption.stored("nothing was stored");
            }
            throw e;
        } finally {
            // After a failure, too: it is reported, and the session need not warn about what is pending.
            store.discard();
        }
        interruption.stored(
                result instanceof CommitResult.Committed committed
                        ? "commit " + committed.commitId() + " was stored"
                        : "nothing was stored, as nothing differed");
        return result;
    }

    private static ImportProblems none() {
        return new ImportProblems(0);
    }

    private Planned plan() {
        if (!access.exists()) {
            return new Planned(plan(Optional.empty()), 0);
        }
        try (Session store = access.read(model)) {
            long head = store.head();
            return new Planned(plan(Optional.of(store)), head);
        }
    }

    private ImportPlan plan(Optional<Session> store) {
        return ImportPlan.of(rows, store, wish);
    }

    private boolean isRefused(ImportPlan plan) {
        return !plan.conflicts().isEmpty()
                && (wish.policy().isPresent() || wish.precondition().isPresent());
    }
}
