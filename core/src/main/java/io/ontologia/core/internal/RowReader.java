package io.ontologia.core.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.TypeRef;
import io.ontologia.core.internal.records.RecordBinding;
import io.ontologia.core.internal.validation.RowValues;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;

/**
 * Makes values out of stored rows.
 *
 * @param <T> the values
 */
public interface RowReader<T> {
    /** The value of a row that a query found. */
    T read(FoundRow row);

    /** The value of one stored version, which has the schema version of the session. */
    default T read(StoredRow row) {
        return read(FoundRow.of(row));
    }

    /** One stored version with what the store knows about it. */
    default Result<T> result(FoundRow row) {
        return row.isEnd()
                ? Result.ended(row.identity(), row.commitId())
                : new Result<>(read(row), row.identity(), row.commitId());
    }

    /** Values of a record class. */
    static <T> RowReader<T> of(RecordBinding<T> binding) {
        return row -> {
            try {
                return binding.hydrate(row.identity(), row.fields());
            } catch (OntologiaException e) {
                throw unreadable(binding.type().ref(), row.row(), e);
            }
        };
    }

    private static OntologiaException unreadable(TypeRef type, StoredRow row, OntologiaException cause) {
        boolean entity = row.identity() instanceof Identity.OfEntity;
        String others = entity
                ? "where(key().ne(\"" + row.identity() + "\")) leaves it out"
                : "a filter on left_key and right_key leaves it out";
        return new OntologiaException(
                cause.kind(),
                "cannot read " + type + " '" + row.identity() + "' of commit " + row.commitId(),
                cause.getMessage(),
                "correct the row or the record. To read the others, " + others + "; "
                        + (entity ? "entities" : "relations") + "(\"" + type.name()
                        + "\") reads every row without the record",
                Map.of("type", type.toString(), "identity", row.identity().toString(), "commit_id", row.commitId()),
                cause);
    }

    /** Values without a Java class. */
    static RowReader<Row> of(TypeRef type) {
        return row -> RowValues.rowOf(type, row.identity(), row.fields());
    }
}
