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
    private final Session trial;
    private final ImportRows input;
    private final ImportPlan.Wish wish;
    private final Interruption interruption;
    private final ImportReport report;

    /** A plan, and the newest commit when it was made. */
    private record Planned(ImportPlan plan, long head) {}

    /** @param trial a session with the types, to check rows with */
    Importer(
            OntologyAccess access,
            Model model,
            Session trial,
            ImportRows input,
            ImportPlan.Wish wish,
            Interruption interruption,
            ImportReport report) {
        this.access = access;
        this.model = model;
        this.trial = trial;
        this.input = input;
        this.wish = wish;
        this.interruption = interruption;
        this.report = report;
    }

    /** What would be done. Changes nothing. */
    ImportOutcome preview() {
        ImportPlan plan = plan().plan();
        return ImportOutcome.of(isRefused(plan) ? Status.CONFLICT : Status.DRY_RUN, input, plan, Optional.empty());
    }

    /** Does it, in one commit, or nothing at all. */
    ImportOutcome apply(Map<String, String> metadata) {
        if (wish.policy().equals(Optional.of(ConflictPolicy.UPSERT))
                && wish.precondition().isEmpty()) {
            return applyAnyway(metadata);
        }
        Planned planned = plan();
        if (isRefused(planned.plan())) {
            return ImportOutcome.of(Status.CONFLICT, input, planned.plan(), Optional.empty());
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
            return ImportOutcome.of(Status.CONFLICT, input, plan, Optional.empty());
        }
        if (plan.missing().isTooMany()) {
            throw tooMany(plan.missing());
        }
        store.ensureAll(plan.writes());
        plan.retractions().forEach(row -> store.retract(wish.cascade(), row));
        Optional<Long> commit =
                commit(store, () -> store.commitAfter(head, metadata)) instanceof CommitResult.Committed committed
                        ? Optional.of(committed.commitId())
                        : Optional.empty();
        return ImportOutcome.of(Status.APPLIED, input, plan, commit);
    }

    /** Nothing can be in the way, so the commit itself finds out what differs. */
    private ImportOutcome applyAnyway(Map<String, String> metadata) {
        try (Session store = access.write(model)) {
            for (int i = 1; ; i++) {
                try {
                    return applyAnyway(store, metadata);
                } catch (HeadMovedException e) {
                    // There was a commit since the rows of the store were read, so they are read again.
                    if (i == TRIES) {
                        throw new CommandFailure(ExitCode.IMPORT_REFUSED, e);
                    }
                }
            }
        }
    }

    private ImportOutcome applyAnyway(Session store, Map<String, String> metadata) {
        boolean dependsOnStore = wish.merges() || !wish.complete().isEmpty();
        long head = dependsOnStore ? store.head() : 0;
        ImportRows rows = rows(Optional.of(store));
        CompleteState.Missing missing;
        try {
            rows.rows().values().forEach(line -> line.ask(store, wish.cascade()));
            missing = wish.complete().retract(store, rows.rows()::containsKey, wish.cascade());
            if (missing.isTooMany()) {
                throw tooMany(missing);
            }
        } catch (RuntimeException e) {
            store.discard();
            throw e;
        }
        CommitResult result =
                commit(store, () -> dependsOnStore ? store.commitAfter(head, metadata) : store.commit(metadata));
        CommitResult.Committed done = result instanceof CommitResult.Committed committed ? committed : null;
        return new ImportOutcome(
                Status.APPLIED,
                rows.lines(),
                done == null ? 0 : done.inserted(),
                done == null ? 0 : done.updated(),
                done == null ? 0 : done.retracted(),
                none(),
                List.of(),
                Optional.ofNullable(done).map(CommitResult.Committed::commitId),
                missing);
    }

    private static CommandFailure tooMany(CompleteState.Missing missing) {
        return new CommandFailure(ExitCode.IMPORT_REFUSED, missing.refusal());
    }

    /** The rows of the input, completed from the store where the user wants that. */
    private ImportRows rows(Optional<Session> store) {
        if (!wish.merges()) {
            return input;
        }
        ImportRows merged = input.merged(trial, store, wish.most());
        if (!merged.problems().isEmpty()) {
            throw report.badLines(merged);
        }
        return merged;
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
        return ImportPlan.of(rows(store), store, wish);
    }

    private boolean isRefused(ImportPlan plan) {
        return !plan.conflicts().isEmpty()
                && (wish.policy().isPresent() || wish.precondition().isPresent());
    }
}
