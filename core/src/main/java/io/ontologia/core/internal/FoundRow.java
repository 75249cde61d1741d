package io.ontologia.core.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row that a query found, in the schema version of the session. Its JSON is parsed once, and only when it is asked for. */
public final class FoundRow {
    private final StoredRow row;
    private @Nullable Map<String, @Nullable Object> fields;

    private FoundRow(StoredRow row, @Nullable Map<String, @Nullable Object> fields) {
        this.row = row;
        this.fields = fields;
    }

    /** A row that is stored in the version of the session. */
    public static FoundRow of(StoredRow row) {
        return new FoundRow(row, null);
    }

    /** A row whose fields are known already. */
    static FoundRow of(StoredRow row, Map<String, @Nullable Object> fields) {
        return new FoundRow(row, fields);
    }

    /** The row as it is stored. */
    public StoredRow row() {
        return row;
    }

    /** The identity. */
    public Identity identity() {
        return row.identity();
    }

    /** The commit that wrote it. */
    public long commitId() {
        return row.commitId();
    }

    /** Whether this version is the end of the row. */
    public boolean isEnd() {
        return row.isEnd();
    }

    /** The payload; nothing for the end of a row. */
    public Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> known = fields;
        if (known == null && row.isEnd()) {
            known = Map.of();
            fields = known;
        }
        if (known == null) {
            known = JsonObject.parse("the fields of '" + row.identity() + "'", row.fieldsJson())
                    .fields();
            fields = known;
        }
        return known;
    }
}
