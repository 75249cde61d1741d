package io.ontologia.store.object.internal.engine;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Queries that tests ask often. */
final class EngineQueries {
    private EngineQueries() {}

    /** The latest rows whose field has a value. */
    static RowQuery where(TypeRef type, String field, Object value) {
        return filtered(
                type, new Window.Latest(), new Filter.At(FieldPath.of(field), new Filter.Compare(Filter.Op.EQ, value)));
    }

    /** Rows that pass a filter, with things at both ends of relations. */
    static RowQuery filtered(TypeRef type, Window window, Filter filter) {
        return new RowQuery(
                type,
                window,
                Optional.of(filter),
                Optional.of("Thing"),
                Optional.of("Thing"),
                OptionalLong.empty(),
                Optional.empty(),
                List.of(),
                OptionalLong.empty(),
                0,
                Optional.empty());
    }
}
