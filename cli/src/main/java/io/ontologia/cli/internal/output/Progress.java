package io.ontologia.cli.internal.output;

import io.ontologia.kernel.Clock;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How far a long piece of work has come, on one line that is drawn over and over, and gone when the work ends. Nothing
 * is drawn in the first second, nor where there is no terminal. Safe for use by many threads.
 */
public final class Progress implements AutoCloseable {
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int BAR_WIDTH = 30;

    private final String title;
    private final long total;
    private final @Nullable PrintStream terminal;
    private final Clock clock;
    private final ProgressLines lines;
    private final long started;
    private long done;
    private long drawn;
    private boolean visible;
    private boolean ended;

    /**
     * @param total how much work there is; zero when that is not known
     * @param terminal where to draw; null to draw nothing
     * @param lines takes note of this line until it is closed
     */
    Progress(String title, long total, @Nullable PrintStream terminal, Clock clock, ProgressLines lines) {
        this.title = PlainText.escaped(title);
        this.total = total;
        this.terminal = terminal;
        this.clock = clock;
        this.lines = lines;
        this.started = clock.monotonicNanos();
        this.drawn = started;
    }

    /** So much more is done. */
    public synchronized void advance(long amount) {
        done += amount;
        long now = clock.monotonicNanos();
        if (terminal != null && !ended && now - started >= QUIET_NANOS && (!visible || now - drawn >= REDRAW_NANOS)) {
            terminal.print("\r" + line(now - started) + "\033[K");
            terminal.flush();
            visible = true;
            drawn = now;
        }
    }

    /** Removes the line. */
    @Override
    public void close() {
        end();
        lines.closed(this);
    }

    /** Removes the line, and draws none after this. */
    synchronized void end() {
        ended = true;
        if (terminal != null && visible) {
            terminal.print("\r\033[K");
            terminal.flush();
            visible = false;
        }
    }

    private String line(long elapsedNanos) {
        if (total <= 0 || done > total) {
            return String.format(Locale.ROOT, "%s  %,d", title, done);
        }
        int filled = (int) (BAR_WIDTH * done / total);
        long secondsLeft =
                done == 0 ? 0 : TimeUnit.NANOSECONDS.toSeconds((long) ((double) elapsedNanos / done * (total - done)));
        return String.format(
                Locale.ROOT,
                "%s  [%s%s]  %d%%  %,d of %,d  %d s left",
                title,
                "#".repeat(filled),
                ".".repeat(BAR_WIDTH - filled),
                100 * done / total,
                done,
                total,
                secondsLeft);
    }
}
