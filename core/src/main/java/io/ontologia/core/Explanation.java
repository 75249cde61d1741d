package io.ontologia.core;

import java.util.List;

/**
 * How a store answers a query.
 *
 * @param engine the engine below, for example {@code SQLite 3.53.4}
 * @param source where the rows are read from
 * @param files what holds the rows, oldest commits first; empty where the engine keeps them in a file of its own
 * @param pushedDown the paths of filter and order that the engine finds in a column or an index of their own
 * @param evaluated the paths that it takes out of the JSON of each row that is left
 * @param bytesFetched what had to be fetched to be able to answer; what was fetched before is not fetched again
 * @param plan what the engine does, in its own words: for people, and different from version to version
 */
public record Explanation(
        String engine,
        Source source,
        List<DataFile> files,
        List<FieldPath> pushedDown,
        List<FieldPath> evaluated,
        long bytesFetched,
        String plan) {

    /** Where rows are read from. */
    public enum Source {
        /** A table that has only the latest version of each row. */
        LATEST,
        /** All versions, from which those that are asked for are picked. */
        HISTORY
    }

    /** A file with rows of some commits. */
    public record DataFile(TypeRef type, String path, long minCommitId, long maxCommitId) {}

    public Explanation {
        files = List.copyOf(files);
        pushedDown = List.copyOf(pushedDown);
        evaluated = List.copyOf(evaluated);
    }
}
