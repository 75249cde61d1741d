package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.CommitAtTime;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;

/** A state of the store, as {@code --as-of} names it: by a commit, or by a time. */
public sealed interface Moment {
    /** After this commit; 0 is the time before the first. */
    record AfterCommit(long id) implements Moment {}

    /** At this time: after the last commit at or before it. */
    record AtTime(Instant time) implements Moment {}

    /** Reads a commit's number or a timestamp. */
    static Moment parse(String text) {
        if (text.matches("[0-9]{1,18}")) {
            return new AfterCommit(Long.parseLong(text));
        }
        try {
            return new AtTime(UtcTimestamp.parse(text));
        } catch (OntologiaException e) {
            throw new UsageError(
                    "--as-of is '" + text + "', which is neither the number of a commit nor a timestamp",
                    "write it like 12 or 2026-02-10T12:34:56Z");
        }
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
