package io.ontologia.naming.internal;

import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.Step;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.naming.Publication;
import io.ontologia.naming.StoreRecord;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the nameservice about commits, in a thread of its own, so that no commit waits for it. Of several commits that come
 * together only the last is told.
 */
public final class HeadPublisher implements Step, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeadPublisher.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private static final Duration LAST_WAIT = Duration.ofSeconds(10);

    /** Commits wake it; this is only how long it sleeps when there are none. */
    private static final Duration ASLEEP = Duration.ofHours(1);

    private final StoreRecord record;
    private final Storage store;
    private long told;
    private long wanted;
    private Duration pause = FIRST_PAUSE;
    private boolean failing;
    private boolean closed;
    private @Nullable BackgroundRunner runner;

    /** Tells this record about the commits of a store. */
    public HeadPublisher(StoreRecord record, Storage store) {
        this.record = record;
        this.store = store;
    }

    /** Notes that there was a commit, and returns at once. */
    public synchronized void committed(long commitId) {
        if (closed) {
            return;
        }
        wanted = Math.max(wanted, commitId);
        if (runner == null) {
            runner = BackgroundRunner.start(
                    "ontologia-head-publisher",
                    this,
                    failure -> LOG.atError()
                            .setCause(failure)
                            .addKeyValue("alias", record.alias())
                            .log("commits are not told any more"));
        } else if (!failing) {
            // After a failure it has its own pauses: a nameservice that is down is not asked for every commit.
            runner.wake();
        }
    }

    @Override
    public Optional<Duration> step() {
        return Optional.of(tell() ? ASLEEP : nextPause());
    }

    /** Tells what is to be told, and whether nothing is left. */
    private boolean tell() {
        long target;
        synchronized (this) {
            target = wanted;
            if (target <= told) {
                return true;
            }
        }
        try {
            Publication publication = record.bring(target);
            if (publication instanceof Publication.Diverged diverged) {
                LOG.atWarn().addKeyValue("store", store.location()).log(diverged.reason());
            }
        } catch (NameRetractedException e) {
            LOG.atWarn().addKeyValue("store", store.location()).log(e.getMessage());
        } catch (RuntimeException e) {
            // Whatever it is, the commit is made: it must neither fail nor end the telling of those that follow.
            LOG.atWarn()
                    .addKeyValue("alias", record.alias())
                    .addKeyValue("commit", target)
                    .addKeyValue("reason", e.getMessage())
                    .log("a commit could not be told to the nameservice, it will be tried again");
            synchronized (this) {
                failing = true;
            }
            return false;
        }
        synchronized (this) {
            told = target;
            failing = false;
            pause = FIRST_PAUSE;
            return wanted <= told;
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
                    tell();
                },
                "ontologia-head-publisher-end");
        last.setDaemon(true);
        last.start();
        try {
            last.join(LAST_WAIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
