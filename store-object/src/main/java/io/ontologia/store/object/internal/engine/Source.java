package io.ontologia.store.object.internal.engine;

import java.util.List;

/** Where a query finds the rows of one type. */
public sealed interface Source {
    /**
     * Every version of every row; no two rows of a commit have the same identity.
     *
     * @param files in any order; may be empty
     * @param ends whether some rows may have ended
     */
    record Files(List<DataFile> files, Ends ends) implements Source {
        public Files {
            files = List.copyOf(files);
        }

        /** Files in which no row ended, or whose every version is wanted. */
        public Files(List<DataFile> files) {
            this(files, Ends.NONE);
        }
    }

    /** Whether files have versions that end their rows. */
    enum Ends {
        /** None has. */
        NONE,
        /** Some may have; to leave those out, the payload of each row is read. */
        SOME
    }

    /**
     * A local table. One of latest versions answers latest windows, and the ends of relations in those and in histories; one
     * of all versions answers every window.
     *
     * @param commitId what the table must stand at; a query that finds it elsewhere throws {@link StaleLatestException}
     */
    record Table(long commitId) implements Source {}
}
