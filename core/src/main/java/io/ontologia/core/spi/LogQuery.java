package io.ontologia.core.spi;

import io.ontologia.core.TypeRef;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Which entries of the commit log to read.
 *
 * @param after only commits after this one; 0 for all
 * @param upTo only this commit and earlier ones
 * @param types only commits that wrote rows of one of these types; empty for all commits
 * @param ids only these commits
 */
public record LogQuery(long after, OptionalLong upTo, Set<TypeRef> types, Optional<Set<Long>> ids) {
    public LogQuery {
        types = Set.copyOf(types);
        ids = ids.map(Set::copyOf);
    }

    /** The commits between two, the first left out. */
    public static LogQuery between(long after, OptionalLong upTo) {
        return new LogQuery(after, upTo, Set.of(), Optional.empty());
    }
}
