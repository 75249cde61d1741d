package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.CommitAtTime;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.Session;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.UtcTimestamp;

/** Warnings about commits whose times do not tell when they were made. */
final class TimeWarnings {
    private TimeWarnings() {}

    /** Names the commits that a question by time leaves out although they may have been made before that time. */
    static void print(CommitAtTime chosen, Output output) {
        if (chosen.ahead().isPresent()) {
            CommitAtTime.CommitRange range = chosen.ahead().get();
            warn(
                    output,
                    commits(range) + " left out, and may have been made before: times up to " + time(range.last())
                            + " are ahead of this clock. Name the commit with --as-of "
                            + range.last().id());
        } else if (chosen.sameTime().isPresent()) {
            CommitAtTime.CommitRange range = chosen.sameTime().get();
            warn(
                    output,
                    commits(range) + " left out, and may have been made before: they all carry the time "
                            + time(range.first())
                            + ", because they were stored together or a clock was ahead. Name the commit with --as-of "
                            + range.last().id() + " to include them");
        }
    }

    /** Warns a writer whose commits will carry a time that has not come yet. */
    static void print(Session session, Output output) {
        session.storage()
                .clockAhead()
                .filter(ahead -> ahead.abs().compareTo(Storage.CLOCK_TOLERANCE) > 0)
                .ifPresent(ahead -> warn(
                        output,
                        "this clock is " + ahead.abs().toMinutes() + " minutes "
                                + (ahead.isNegative() ? "behind" : "ahead of")
                                + " that of the store, and commits carry wrong times. Correct it"));
        session.log()
                .aheadOfClock()
                .ifPresent(newest -> warn(
                        output,
                        "commit " + newest.id() + " carries the time " + time(newest)
                                + ", which is ahead of this clock, and new commits carry it too until it has come. Check"
                                + " the clocks of all writers"));
    }

    private static String commits(CommitAtTime.CommitRange range) {
        return range.first().id() == range.last().id()
                ? "commit " + range.first().id() + " is"
                : "commits " + range.first().id() + " to " + range.last().id() + " are";
    }

    private static String time(CommitInfo commit) {
        return UtcTimestamp.format(commit.at());
    }

    private static void warn(Output output, String text) {
        output.diagnostic("warning:", Tone.WEAK, text);
    }
}
