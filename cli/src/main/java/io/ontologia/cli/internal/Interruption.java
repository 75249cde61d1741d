package io.ontologia.cli.internal;

import io.ontologia.cli.internal.output.ProgressLines;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a signal that ends a run (Ctrl-C, SIGTERM) leaves behind. Commands say what they have stored so far; when the signal
 * comes, the progress line is removed and one line on standard error says it. Safe for use by many threads.
 */
public final class Interruption {
    /** How long a commit in progress may take after the signal. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String NOT_COMPLETE = "the output is not complete";
    private static final String PARTLY =
            "the command did not finish, and what it had stored until then stays; run it again";
    private static final String UNKNOWN =
            "a commit was being stored; it is there as a whole or not at all, and 'onto commits --last 1' shows which";

    private final ProgressLines lines = new ProgressLines();
    private final CountDownLatch finished = new CountDownLatch(1);
    private @Nullable String effect;
    private boolean storing;
    private boolean interrupted;

    /** The progress lines of the run. */
    public ProgressLines lines() {
        return lines;
    }

    /** The command changes a store step by step. Does nothing when the command said already what it does. */
    public synchronized void mayStore() {
        if (effect == null) {
            effect = PARTLY;
        }
    }

    /** Up to now, and until {@link #storing}, the command stores nothing. */
    public synchronized void storesNothingYet() {
        effect = "nothing was stored";
    }

    /** The command has no result to be completed: the signal is the usual way to end it. */
    public synchronized void endsBySignal() {
        effect = "";
    }

    /**
     * A commit begins.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CLOSED} after the signal: what it said must stay true
     */
    public synchronized void storing() {
        if (interrupted) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot commit", "the command was interrupted", "run the command again");
        }
        storing = true;
        effect = UNKNOWN;
    }

    /** The commit is over. */
    public synchronized void stored(String what) {
        storing = false;
        effect = what;
    }

    /** Whether the signal came. */
    synchronized boolean isInterrupted() {
        return interrupted;
    }

    /** The run is over. */
    public void finished() {
        finished.countDown();
    }

    /** The signal came: called on another thread than that of the run. */
    void signalled(Invocation invocation) {
        if (finished.getCount() == 0) {
            return;
        }
        boolean wait;
        synchronized (this) {
            interrupted = true;
            wait = storing;
        }
        lines.end();
        boolean unknown = wait && !hasEnded();
        String text;
        synchronized (this) {
            text = unknown ? UNKNOWN : effect == null ? NOT_COMPLETE : effect;
        }
        if (!text.isEmpty()) {
            invocation.output().diagnostic("interrupted:", Tone.WEAK, text);
            invocation.err().flush();
        }
    }

    /** Waits for the end of the run, for a while. */
    private boolean hasEnded() {
        try {
            return finished.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
