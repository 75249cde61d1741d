package io.ontologia.naming.internal;

import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.Step;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.naming.Publication;
import io.ontologia.naming.StoreRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the nameservice what happens to a store, in a thread of its own and in the order in which it happened, so that nothing
 * waits for it. Of several commits that come together only the last is told, and so with indices.
 */
public final class Announcer implements Step, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration LAST_WAIT = Duration.ofSeconds(10);
    private static final int CROWD = 16;

    /** News wake it; this is only how long it sleeps when there are none. */
    private static final Duration ASLEEP = Duration.ofHours(1);

    private final StoreRecord record;
    private final Storage store;
    private final Deque<News> pending = new ArrayDeque<>();
    private Duration pause = FIRST_PAUSE;
    private boolean failing;
    private boolean closed;
    private @Nullable BackgroundRunner runner;

    /** Something to be told. */
    private sealed interface News {
        /** There is a commit. */
        record Commit(long id) implements News {}

        /** Files were merged up to a commit. */
        record Index(long upTo) implements News {}

        /** The store is in a state. */
        record State(String state) implements News {}
    }

    /** Tells this record about a store. */
    public Announcer(StoreRecord record, Storage store) {
        this.record = record;
        this.store = store;
    }

    /** Notes that there was a commit, and returns at once. */
    public synchronized void committed(long commitId) {
        long last = commitId;
        for (News news : pending) {
            last = news instanceof News.Commit commit ? Math.max(last, commit.id()) : last;
        }
        pending.removeIf(News.Commit.class::isInstance);
        add(new News.Commit(last));
    }

    /** Notes that files were merged up to a commit, and returns at once. */
    public synchronized void merged(long upTo) {
        long last = upTo;
        for (News news : pending) {
            last = news instanceof News.Index index ? Math.max(last, index.upTo()) : last;
        }
        pending.removeIf(News.Index.class::isInstance);
        add(new News.Index(last));
    }

    /** Notes the state that a store is in, and returns at once. */
    public synchronized void state(String state) {
        if (failing || pending.size() >= CROWD) {
            // Nobody saw the states before this one, and nobody needs them any more.
            pending.removeIf(News.State.class::isInstance);
        }
        add(new News.State(state));
    }

    private void add(News news) {
        if (closed) {
            return;
        }
        pending.add(news);
        if (runner == null) {
            runner = BackgroundRunner.start(
                    "ontologia-announcer",
                    this,
                    failure -> LOG.atError()
                            .setCause(failure)
                            .addKeyValue("alias", record.alias())
                            .log("the nameservice is not told about the store any more"));
        } else if (!failing) {
            // After a failure it has its own pauses: a nameservice that is down is not asked for every commit.
            runner.wake();
        }
    }

    @Override
    public Optional<Duration> step() {
        return Optional.of(tellAll() ? ASLEEP : nextPause());
    }

    /** Tells what is to be told, and whether nothing is left. */
    private boolean tellAll() {
        while (true) {
            News next;
            synchronized (this) {
                if (pending.isEmpty()) {
                    return true;
                }
                next = pending.getFirst();
            }
            boolean told = tell(next);
            synchronized (this) {
                failing = !told;
                if (!told) {
                    return false;
                }
                pause = FIRST_PAUSE;
                pending.removeFirstOccurrence(next);
            }
        }
    }

    /** Tells one thing; false when it is to be tried again. */
    private boolean tell(News news) {
        try {
            if (news instanceof News.Commit commit) {
                if (record.bring(commit.id()) instanceof Publication.Diverged diverged) {
                    LOG.atWarn().addKeyValue("store", store.location()).log(diverged.reason());
                }
            } else if (news instanceof News.Index index) {
                record.indexed(index.upTo());
            } else if (news instanceof News.State state) {
                record.state(state.state());
            }
            return true;
        } catch (NameRetractedException e) {
            LOG.atWarn().addKeyValue("store", store.location()).log(e.getMessage());
            return true;
        } catch (RuntimeException e) {
            // Whatever it is, it has happened: telling it must neither fail nor end the telling of what follows.
            LOG.atWarn()
                    .addKeyValue("alias", record.alias())
                    .addKeyValue("news", news)
                    .addKeyValue("reason", e.getMessage())
                    .log("the nameservice could not be told, it will be tried again");
            return false;
        }
    }

    private synchronized Duration nextPause() {
        Duration now = pause;
        pause = now.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : now.multipliedBy(2);
        return now;
    }

    /** Tells what is left, once, and waits a few seconds for that at most. */
    @Override
    public void close() {
        BackgroundRunner running;
        synchronized (this) {
            closed = true;
            running = runner;
        }
        if (running == null) {
            return;
        }
        Thread last = new Thread(
                () -> {
                    running.close();
                    tellAll();
                },
                "ontologia-announcer-end");
        last.setDaemon(true);
        last.start();
        try {
            last.join(LAST_WAIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
