package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Window;
import io.ontologia.core.spi.SqlFragment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where one statement finds the rows of one type. */
interface RowSource {

    /** The kind of a field whose values are the same in a column as in the JSON of every row. */
    Optional<FieldKind> plain(String field);

    /** Whether a history from here may have versions that end their rows. */
    default boolean mayHaveEnds() {
        return false;
    }

    /**
     * A query for the versions that a window wants, with the columns of {@link RowColumns#base} and those of some fields.
     *
     * @param fields with a plain kind
     * @param onIdentity conditions on columns of the identity
     */
    SqlFragment select(Window window, Set<String> fields, List<SqlFragment> onIdentity);

    /** {@code WHERE} and conditions, or nothing. */
    static SqlFragment where(List<SqlFragment> conditions) {
        return conditions.isEmpty()
                ? SqlFragment.of("")
                : SqlFragment.join(" AND ", conditions).wrap(" WHERE ", "");
    }
}
