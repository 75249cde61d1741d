package io.ontologia.core.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.internal.evolution.Ways;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Current rows that another program wrote with another version of their type's schema. They are shown where a way leads to the
 * version of the session, and reported where none does. A migration leaves none behind.
 */
final class OtherVersions {
    private static final System.Logger LOG = System.getLogger(OtherVersions.class.getName());

    private final Storage storage;
    private final SessionWays ways;
    private final Map<TypeRef, Long> counted = new ConcurrentHashMap<>();
    private final Set<TypeRef> mixed = ConcurrentHashMap.newKeySet();

    OtherVersions(Storage storage, SessionWays ways) {
        this.storage = storage;
        this.ways = ways;
    }

    /** Whether current rows of a type are known to have other versions from which a way leads to that of the session. */
    boolean areShown(TypeRef type) {
        return mixed.contains(type);
    }

    /**
     * Counts current rows of other versions with the first query of each type, and again once the storage saw other programs
     * write such rows. Warns of those that cannot be shown.
     *
     * @return whether there are now rows to show that the query, made before, left out
     */
    boolean found(RowQuery query) {
        if (!(query.window() instanceof Window.Latest) || query.schemaVersion().isEmpty()) {
            return false;
        }
        TypeRef type = query.type();
        long alerts = storage.versionAlerts();
        Long before = counted.put(type, alerts);
        if (before != null && before == alerts) {
            return false;
        }
        RowQuery all = RowQuery.of(type, new Window.Latest());
        long ours = query.schemaVersion().getAsLong();
        long others = storage.rowsOfOtherVersions(type, ours);
        if (others == 0) {
            return false;
        }
        Ways known = ways.of(type);
        long shown = 0;
        for (long version : known.others()) {
            shown += known.from(version).isPresent() ? storage.count(all.ofVersion(OptionalLong.of(version))) : 0;
        }
        if (others > shown) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    others - shown + " current rows of " + type + " are not shown: another program wrote them with"
                            + " another schema version than " + ours
                            + ". Query.omitted() counts them, and 'onto fsck' names one");
        }
        return shown > 0 && mixed.add(type);
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
