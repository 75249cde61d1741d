package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeRef;
import java.util.Optional;

/** Tables of latest versions. */
public final class LatestTables implements AutoCloseable {
    LatestTables() {}

    Optional<RowSource> rows(Reading reading, TypeRef type, long commitId) {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
