package io.ontologia.store.object.internal;

import io.ontologia.core.Change;
import io.ontologia.core.CommitResult;
import io.ontologia.core.LockHolder;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.LeaseExpiredException;
import io.ontologia.store.object.internal.layout.Registry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes commits, one group at a time. Whoever comes while a group is under way waits, and the next group takes all who
 * wait: each keeps a commit of its own, their objects go up together, and one write makes them all visible.
 */
final class Writer implements AutoCloseable {
    private static final int LARGEST_GROUP = 64;
    private static final int TRIES = 4;

    /** For how much of the time that the last group took the next one waits for those who were in it to come again. */
    private static final int PART_OF_LAST = 8;

    private static final Duration LONGEST_WAIT = Duration.ofMillis(20);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration JITTER = Duration.ofMillis(20);

    private final SharedStore shared;
    private final WriterLease lease;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Deque<Ticket> waiting = new ArrayDeque<>();
    private WriterLease.@Nullable Guard vouching;
    /** Whether the view of the last attempt was read when the store was opened, and by nobody since. */
    private boolean primed;

    private int expected = 1;
    private long lastTookNanos;

    Writer(SharedStore shared, WriterLease lease) {
        this.shared = shared;
        this.lease = lease;
    }

    /** Makes a commit, alone or with others. */
    CommitResult commit(CommitRequest request, Duration timeout) {
        Ticket ticket = new Ticket(request);
        synchronized (waiting) {
            waiting.add(ticket);
            waiting.notifyAll();
        }
        takeTurn(ticket, timeout);
        try {
            if (!ticket.isDone()) {
                try {
                    lead(ticket, timeout);
                } finally {
                    lease.rest();
                }
            }
        } finally {
            turn.unlock();
        }
        return ticket.result();
    }

    private void takeTurn(@Nullable Ticket ticket, Duration timeout) {
        boolean ours;
        try {
            ours = turn.tryLock(Math.max(1, timeout.toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ours = false;
        }
        if (!ours) {
            if (ticket != null && !giveUp(ticket)) {
                // A group took it: what becomes of it is being decided now. Not under the lock of the queue, which its
                // leader needs.
                turn.lock();
                return;
            }
            throw new OntologiaException(
                    ErrorKind.BUSY,
                    "cannot write",
                    "another thread has been writing for longer than " + timeout.toMillis() + " ms",
                    "try again, or raise the lock timeout");
        }
    }

    /** Takes a ticket out of the queue; false when it is not there any more. */
    private boolean giveUp(Ticket ticket) {
        synchronized (waiting) {
            return waiting.remove(ticket);
        }
    }

    private void lead(Ticket first, Duration timeout) {
        List<Ticket> group = new ArrayList<>();
        try {
            WriterLease.Guard guard = guard(first.request(), timeout);
            boolean isAlone = !guard.coversEverybody() || !mayShare(first);
            if (!isAlone) {
                awaitOthers();
            }
            long start = shared.clock().monotonicNanos();
            synchronized (waiting) {
                waiting.remove(first);
                group.add(first);
                if (!isAlone) {
                    waiting.stream()
                            .filter(Writer::mayShare)
                            .limit(LARGEST_GROUP - 1L)
                            .forEach(group::add);
                    waiting.removeAll(group);
                }
            }
            publish(group, guard, first.request(), timeout);
            lastTookNanos = shared.clock().monotonicNanos() - start;
            synchronized (waiting) {
                expected = group.size() + waiting.size();
            }
        } catch (RuntimeException failure) {
            RuntimeException e = told(failure);
            synchronized (waiting) {
                waiting.remove(first);
            }
            if (!first.isDone()) {
                first.fail(e);
            }
            group.stream().filter(ticket -> !ticket.isDone()).forEach(ticket -> ticket.fail(e));
        }
    }

    private RuntimeException told(RuntimeException failure) {
        if (failure instanceof HeadSwap.UnknownSwapException) {
            // The swap may still succeed. The next writer waits for the lease to expire, and then raises the fence.
            lease.abandon();
            return failure;
        }
        return failure instanceof OntologiaException known ? NotCommitted.because(known) : failure;
    }

    /**
     * A commit with conditions is decided on its own, so that they say something about the store and not about its group; so is
     * one that retracts entities, because it depends on their relations.
     */
    private static boolean mayShare(Ticket ticket) {
        return ticket.request().conditions().isEmpty() && !ticket.request().retractsEntities();
    }

    private WriterLease.Guard guard(CommitRequest request, Duration timeout) {
        return request.conditions().lease().map(lease::under).orElseGet(() -> lease.hold(request.runtimeId(), timeout));
    }

    /**
     * Gives those who were in the last group, and those who came meanwhile, a moment to be in this one. Who gets their turn
     * first would otherwise go alone while all others wait, each second time. Nobody waits who is alone.
     */
    private void awaitOthers() {
        long limit = Math.min(lastTookNanos / PART_OF_LAST, LONGEST_WAIT.toNanos());
        synchronized (waiting) {
            try {
                int before = 0;
                while (waiting.size() < expected && waiting.size() > before) {
                    before = waiting.size();
                    TimeUnit.NANOSECONDS.timedWait(waiting, limit);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void publish(List<Ticket> group, WriterLease.Guard first, CommitRequest request, Duration timeout) {
        WriterLease.Guard guard = first;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            if (attempt > 0) {
                pause(attempt);
                guard = guard(request, timeout);
            }
            View view = viewFor(guard, request);
            ActingClaims claims = new ActingClaims(shared);
            group.stream().filter(ticket -> !ticket.isDone()).forEach(claims::extend);
            try (CommitGroup commits = new CommitGroup(shared, view, claims)) {
                guard.confirm(view.head());
                List<Ticket> able = group.stream()
                        .filter(ticket -> !ticket.isDone() && isCurrent(ticket, view))
                        .toList();
                boolean seen = look(commits, able);
                able.forEach(ticket -> add(commits, ticket, seen));
                boolean right = !primed || shared.views().isConfirmed(view);
                if (right && (commits.isEmpty() ? isNewest(view) : commits.publish(guard))) {
                    commits.finish();
                    return;
                }
            } catch (LeaseExpiredException e) {
                if (attempt == TRIES - 1) {
                    throw e;
                }
            } catch (RuntimeException e) {
                // Nobody knows what there is now.
                vouching = null;
                shared.views().forget();
                throw e;
            }
            vouching = null;
        }
        throw new OntologiaException(
                ErrorKind.CONFLICT,
                "cannot commit",
                "the head could not be swapped in " + TRIES
                        + " tries: other writers moved it, or the store refused the write",
                "try again; nothing was stored");
    }

    /** That there is nothing to do is only true of the newest state; where something is written the head decides. */
    private boolean isNewest(View view) {
        return !primed || shared.views().current().head().isSameCommit(view.head());
    }

    private static boolean isCurrent(Ticket ticket, View view) {
        try {
            requireSchemas(ticket.request(), view.registry());
            return true;
        } catch (OntologiaException e) {
            ticket.fail(e);
            return false;
        }
    }

    /** Looks for all at once; false when that failed, and each has to look for itself, so that only the culprit fails. */
    private static boolean look(CommitGroup commits, List<Ticket> tickets) {
        try {
            commits.look(tickets);
            return true;
        } catch (OntologiaException e) {
            if (tickets.size() > 1) {
                return false;
            }
            tickets.forEach(ticket -> ticket.fail(e));
            return true;
        }
    }

    private static void add(CommitGroup commits, Ticket ticket, boolean seen) {
        if (ticket.isDone()) {
            return;
        }
        try {
            if (!seen) {
                commits.look(List.of(ticket));
            }
            commits.add(ticket);
        } catch (OntologiaException e) {
            // What is wrong with one commit is no reason to refuse the others.
            ticket.fail(e);
        }
    }

    private void pause(int attempt) {
        long pause = FIRST_PAUSE.toNanos() << (attempt - 1);
        shared.clock().sleep(Duration.ofNanos(pause + shared.random().nextLong(JITTER.toNanos() + 1)));
    }

    /** While the lock stays ours nobody else makes commits, so what we saw last is what there is. */
    private View viewFor(WriterLease.Guard guard, CommitRequest request) {
        boolean isConditional = !request.conditions().isEmpty();
        // What was read a moment ago, when the store was opened, is worth a try as well: the head decides anyway.
        primed = !isConditional && shared.views().takePrimed();
        boolean known = primed || (guard == vouching && guard.coversEverybody() && !isConditional);
        View view = known
                ? shared.views().lastKnown().orElseGet(shared.views()::current)
                : shared.views().current();
        vouching = guard;
        return view;
    }

    private static void requireSchemas(CommitRequest request, Registry registry) {
        List<TypeRef> outdated = new ArrayList<>();
        Map<TypeRef, Long> current = registry.versions();
        request.schemaVersions().forEach((type, version) -> {
            if (!version.equals(current.get(type))) {
                outdated.add(type);
            }
        });
        if (!outdated.isEmpty()) {
            throw new SchemaOutdatedException(outdated, "it was migrated or dropped since this session was opened");
        }
    }

    /** The guard of work under a hold of the lock. */
    WriterLease.Guard under(LockHolder hold) {
        return lease.under(hold);
    }

    /** Runs work while nobody else in this process writes and the lock is ours. */
    <T> T alone(String runtimeId, Duration timeout, Function<WriterLease.Guard, T> work) {
        takeTurn(null, timeout);
        try {
            return work.apply(lease.hold(runtimeId, timeout));
        } finally {
            lease.rest();
            vouching = null;
            turn.unlock();
        }
    }

    /** Runs work while nobody else in this process writes; the work sees to the lock itself. */
    <T> T undisturbed(Duration timeout, Supplier<T> work) {
        takeTurn(null, timeout);
        try {
            return work.get();
        } finally {
            vouching = null;
            turn.unlock();
        }
    }

    /** Whether commits are under way or wait for their turn. */
    boolean isBusy() {
        synchronized (waiting) {
            return turn.isLocked() || !waiting.isEmpty();
        }
    }

    /** Gives the lock back when no commit is under way. */
    void makeWay() {
        turn.lock();
        try {
            lease.giveBack();
            vouching = null;
        } finally {
            turn.unlock();
        }
    }

    /** What a commit would change now. */
    List<Change> preview(CommitRequest asked) {
        View view = shared.views().current();
        requireSchemas(asked, view.registry());
        Ends ends = new Ends(shared, view);
        CommitRequest request =
                ends.settle(asked, row -> ends.version(row, Long.MAX_VALUE).isPresent());
        Difference difference = Difference.of(
                request,
                Difference.stored(
                        List.of(request), (type, keys) -> shared.answers().find(type, view, keys, Latest.Use.COMMIT)));
        List<Change> changes = new ArrayList<>();
        difference
                .changed()
                .forEach((type, rows) -> rows.forEach(row -> {
                    StoredRow before = difference.before().get(new Difference.RowKey(type, row.identity()));
                    changes.add(Changes.change(type, row.identity(), row.fieldsJson(), before));
                }));
        changes.sort(Changes.BY_TYPE_AND_IDENTITY);
        return changes;
    }

    @Override
    public void close() {
        makeWay();
        lease.close();
    }
}
