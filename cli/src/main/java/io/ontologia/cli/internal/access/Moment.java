package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.CommitAtTime;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;

/** A state of the store, as {@code --as-of} names it: by a commit, or by a time. */
public sealed interface Moment {
    /** After this commit; 0 is the time before the first. */
    record AfterCommit(long id) implements Moment {}

    /** At this time: after the last commit at or before it. */
    record AtTime(Instant time) implements Moment {}

    /**
     * Reads a commit's number, or a time in one of the forms of {@link TimeText}. Prints on standard error how a time is read
     * that leaves a choice; so to be called once for each option.
     */
    static Moment parse(String option, String text, Invocation invocation) {
        if (text.matches("[0-9]{1,18}")) {
            return new AfterCommit(Long.parseLong(text));
        }
        if (text.matches("-[0-9]+")) {
            throw new UsageError(option + " is " + text + ", which is negative", "use 0 or more");
        }
        return new AtTime(time(option, text, invocation));
    }

    /** Reads a time, where a commit's number is none. Prints what {@link #parse} prints. */
    static Instant time(String option, String text, Invocation invocation) {
        TimeText.Reading reading = new TimeText(invocation.clock(), invocation.zone()).read(option, text);
        reading.note().ifPresent(note -> invocation.output().diagnostic("note:", Tone.WEAK, option + " " + note));
        return reading.time();
    }

    /**
     * The commit that it means in a store: the newest one where it names one that is not there yet, as in the Java API.
     * Commits that are left out and may have been made before are named in a warning.
     */
    default long commitIn(Session session, Output output) {
        if (this instanceof AtTime at) {
            CommitAtTime chosen = session.log().at(at.time());
            TimeWarnings.print(chosen, output);
            return chosen.commitId();
        }
        return Math.min(((AfterCommit) this).id(), session.head());
    }

    /** The commit after which everything came that is not older: a commit itself, or the last one before a time. */
    default long commitBefore(Session session) {
        return this instanceof AtTime at
                ? session.log().at(at.time().minusNanos(1)).commitId()
                : ((AfterCommit) this).id();
    }

    /** The commit, when it exists or is 0. */
    static long requireKnown(Session session, long commit) {
        long head = session.head();
        if (commit > head) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown commit " + commit,
                    head == 0 ? "there is none yet" : "the newest is " + head,
                    "see 'onto commits' for those that exist");
        }
        return commit;
    }
}
