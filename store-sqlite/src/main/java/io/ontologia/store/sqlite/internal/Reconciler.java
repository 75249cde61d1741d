package io.ontologia.store.sqlite.internal;

import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowsDigest;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Compares wanted rows of one kind with their latest versions, and appends those that differ. */
interface Reconciler {
    /** From how many rows on a temporary table pays off. */
    int BULK = 16;

    /**
     * What differs.
     *
     * @param rows how many rows are to be written
     * @param updates how many of them are there already and get another version
     * @param retractions how many of them end
     */
    record Difference(long rows, long updates, long retractions) {
        static final Difference NONE = new Difference(0, 0, 0);
    }

    /** Finds the rows that differ and remembers them. */
    Difference compare(List<DesiredRow> rows, CommitRequest request) throws SQLException;

    /** Appends what {@link #compare} found to the history. */
    void append(long commitId) throws SQLException;

    /** The digests of what was appended, by type. */
    Collection<RowsDigest> digests() throws SQLException;
}
