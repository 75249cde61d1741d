package io.ontologia.naming.internal;

import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Step;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.naming.Publication;
import io.ontologia.naming.StoreRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
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
    private final List<News> pending = new ArrayList<>();
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
        add(new News.Commit(last), News.Commit.class::isInstance);
    }

    /** Notes that files were merged up to a commit, and returns at once. */
    public synchronized void merged(long upTo) {
        long last = upTo;
        for (News news : pending) {
            last = news instanceof News.Index index ? Math.max(last, index.upTo()) : last;
        }
        add(new News.Index(last), News.Index.class::isInstance);
    }

    /** Notes the state that a store is in, and returns at once. */
    public synchronized void state(String state) {
        // While nobody can be told, nobody needs the states before this one.
        boolean late = failing || pending.size() >= CROWD;
        add(new News.State(state), news -> late && news instanceof News.State);
    }

    /** @param outdated what need not be told any more */
    private void add(News news, Predicate<News> outdated) {
        if (closed) {
            return;
        }
        pending.removeIf(outdated);
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
            Round round = round();
            if (round.news().isEmpty()) {
                return true;
            }
            boolean all = tell(round);
            synchronized (this) {
                failing = !all;
                pause = all ? FIRST_PAUSE : pause;
                if (!all && closed == round.last()) {
                    return false;
                }
            }
        }
    }

    /**
     * What is to be told now.
     *
     * @param news in its order; in the last round, when time is short, the commits first
     * @param last whether this was closed
     */
    private record Round(List<News> news, boolean last) {}

    private synchronized Round round() {
        List<News> news = new ArrayList<>(pending);
        if (closed) {
            news.sort(Comparator.comparing(one -> !(one instanceof News.Commit)));
        }
        return new Round(news, closed);
    }

    /** Tells one thing after the other; false when something is left. What follows from something untold waits with it. */
    private boolean tell(Round round) {
        boolean all = true;
        boolean statesWait = false;
        for (News news : round.news()) {
            if (!round.last() && isClosed()) {
                return false;
            }
            if (statesWait && news instanceof News.State) {
                continue;
            }
            Told told = tell(news);
            if (told == Told.DONE) {
                forget(news);
                continue;
            }
            all = false;
            statesWait |= news instanceof News.State;
            if (told == Told.NOBODY_THERE || news instanceof News.Commit) {
                return false;
            }
        }
        return all;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void forget(News news) {
        pending.removeIf(one -> one == news);
    }

    /** What became of telling. */
    private enum Told {
        /** It is told, or cannot be and never will. */
        DONE,
        /** It is to be tried again. */
        LATER,
        /** It is to be tried again, and so is everything else. */
        NOBODY_THERE
    }

    private Told tell(News news) {
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
            return Told.DONE;
        } catch (NameRetractedException e) {
            LOG.atWarn().addKeyValue("store", store.location()).log(e.getMessage());
            return Told.DONE;
        } catch (RuntimeException e) {
            // Whatever it is, it has happened: telling it must neither fail nor end the telling of what follows.
            ErrorKind kind = e instanceof OntologiaException known ? known.kind() : ErrorKind.BUSY;
            boolean hopeless = kind == ErrorKind.INVALID_INPUT && !(news instanceof News.Commit);
            LOG.atWarn()
                    .addKeyValue("alias", record.alias())
                    .addKeyValue("news", news)
                    .addKeyValue("reason", e.getMessage())
                    .log(
                            hopeless
                                    ? "the nameservice could not be told"
                                    : "the nameservice could not be told, it will be tried again");
            boolean nobody =
                    kind == ErrorKind.UNAVAILABLE || kind == ErrorKind.UNKNOWN_OUTCOME || kind == ErrorKind.CLOSED;
            return hopeless ? Told.DONE : nobody ? Told.NOBODY_THERE : Told.LATER;
        }
    }

    private synchronized Duration nextPause() {
        Duration now = pause;
        pause = now.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : now.multipliedBy(2);
        return now;
    }

    /** Tells what is left, once, commits first, and waits a few seconds for that at most. */
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
