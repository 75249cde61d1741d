package io.ontologia.core;

import java.util.OptionalLong;

/** Which versions of a row a query looks at. */
public sealed interface Window {

    /** The newest version of each row. */
    record Latest() implements Window {}

    /**
     * The newest version of each row as of a commit.
     *
     * @param commitId versions of later commits are not there yet; 0 is the time before the first commit
     */
    record AsOf(long commitId) implements Window {}

    /**
     * Every version, oldest first.
     *
     * @param afterCommitId only versions of later commits than this one; 0 for all
     * @param upToCommitId only versions of this commit and of earlier ones; {@link Long#MAX_VALUE} for all
     */
    record History(long afterCommitId, long upToCommitId) implements Window {
        /** Every version of later commits than one. */
        public History(long afterCommitId) {
            this(afterCommitId, Long.MAX_VALUE);
        }
    }

    /** The newest commit that it looks at; empty for the newest one there is. */
    default OptionalLong upTo() {
        if (this instanceof AsOf asOf) {
            return OptionalLong.of(asOf.commitId());
        }
        return this instanceof History history && history.upToCommitId() < Long.MAX_VALUE
                ? OptionalLong.of(history.upToCommitId())
                : OptionalLong.empty();
    }

    /** The same without what later commits than one wrote: the latest version becomes the one as of that commit. */
    default Window upTo(long commitId) {
        if (this instanceof AsOf asOf) {
            return asOf.commitId() <= commitId ? this : new AsOf(commitId);
        }
        return this instanceof History history
                ? new History(history.afterCommitId(), Math.min(history.upToCommitId(), commitId))
                : new AsOf(commitId);
    }

    /** In which state entities at the ends of relations are looked at: as of the end of this window. */
    default Window atItsEnd() {
        OptionalLong end = upTo();
        return end.isPresent() ? new AsOf(end.getAsLong()) : new Latest();
    }
}
