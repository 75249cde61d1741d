package io.ontologia.core.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reports current rows that a session cannot show, because another program wrote them with another version of their type's
 * schema. A migration leaves none behind.
 */
final class OtherVersions {
    private static final System.Logger LOG = System.getLogger(OtherVersions.class.getName());

    private final Storage storage;
    private final Map<TypeRef, Long> counted = new ConcurrentHashMap<>();

    OtherVersions(Storage storage) {
        this.storage = storage;
    }

    /**
     * Warns when a query of the present leaves rows out. They are counted with the first query of each type, and again once
     * the storage saw other programs write such rows.
     */
    void warn(RowQuery query) {
        if (!(query.window() instanceof Window.Latest) || query.schemaVersion().isEmpty()) {
            return;
        }
        long alerts = storage.versionAlerts();
        Long before = counted.put(query.type(), alerts);
        if (before != null && before == alerts) {
            return;
        }
        long omitted =
                storage.rowsOfOtherVersions(query.type(), query.schemaVersion().getAsLong());
        if (omitted > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    omitted + " current rows of " + query.type() + " are not shown: another program wrote them with"
                            + " another schema version than "
                            + query.schemaVersion().getAsLong()
                            + ". Query.omitted() counts them, and 'onto fsck' names one");
        }
    }

    /** The error for an entity that exists and cannot be shown. */
    static OntologiaException unreadable(TypeRef type, StoredRow row, long version) {
        return new OntologiaException(
                ErrorKind.CONFLICT,
                "cannot read " + type + " '" + row.identity() + "'",
                "commit " + row.commitId() + " wrote it with version " + row.schemaVersion()
                        + " of its schema, and the type has version " + version,
                "write it again with the current schema",
                Map.of(
                        "type",
                        type.toString(),
                        "identity",
                        row.identity().toString(),
                        "commit_id",
                        row.commitId(),
                        "schema_version_id",
                        row.schemaVersion()),
                null);
    }
}
