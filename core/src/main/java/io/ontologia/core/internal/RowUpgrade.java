package io.ontologia.core.internal;

import io.ontologia.core.OntologyType;
import io.ontologia.core.UpgradeFailedException;
import io.ontologia.core.Upgraders;
import io.ontologia.core.internal.validation.RowValues;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Brings stored rows of any version to one version of their type. */
public final class RowUpgrade {
    private final Upgraders upgraders;
    private final OntologyType type;
    private final long toVersion;

    /** @param type the type at that version, with its defaults */
    public RowUpgrade(Upgraders upgraders, OntologyType type, long toVersion) {
        this.upgraders = upgraders;
        this.type = type;
        this.toVersion = toVersion;
    }

    /**
     * The payload of a row at the new version, validated and with defaults filled in, as canonical JSON. A version that ends a
     * row has no fields and stays so.
     *
     * @throws UpgradeFailedException naming the row, whatever went wrong
     */
    public String upgrade(StoredRow row) {
        if (row.fieldsJson().equals("null")) {
            return row.fieldsJson();
        }
        try {
            Map<String, @Nullable Object> fields =
                    JsonObject.parse("its fields", row.fieldsJson()).fields();
            Map<String, @Nullable Object> upgraded =
                    upgraders.upgrade(type.ref(), row.schemaVersion(), toVersion, fields);
            return CanonicalJson.write(
                    RowValues.normalize(type, RowValues.rowOf(type.ref(), row.identity(), upgraded)));
        } catch (RuntimeException e) {
            throw new UpgradeFailedException(
                    type.ref(), row.identity(), row.schemaVersion(), toVersion, row.fieldsJson(), e);
        }
    }
}
