package io.ontologia.store.object.internal.engine;

import java.util.List;

/** Where a query finds the rows of one type. */
public sealed interface Source {
    /** Every version of every row; no two rows of a commit have the same identity. */
    record Files(List<DataFile> files) implements Source {}

    /** The table of latest versions, brought up to the head that the query sees. Answers latest windows only. */
    record Latest() implements Source {}
}
