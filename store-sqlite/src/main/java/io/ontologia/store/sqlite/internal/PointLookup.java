package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Versions of one entity by its key: kept statements on the history's look-up index, which are right whichever program wrote
 * last, and as fast as any other way.
 */
final class PointLookup {
    private static final String VERSIONS_OF_KEY = """
            SELECT fields_json, commit_id, coalesce(schema_version_id, 1) AS v FROM entity_history
            WHERE entity_type = ? AND entity_key = ?""";
    private static final String LATEST_OF_KEY = VERSIONS_OF_KEY + " ORDER BY commit_id DESC LIMIT 1";
    private static final String KEY_AS_OF = VERSIONS_OF_KEY + " AND commit_id <= ? ORDER BY commit_id DESC LIMIT 1";
    private static final String HISTORY_OF_KEY =
            VERSIONS_OF_KEY + " AND commit_id > ? AND commit_id <= ? ORDER BY commit_id";

    private PointLookup() {}

    /** Whether a query asks for nothing but that. */
    static boolean answers(RowQuery query) {
        boolean history = query.window() instanceof Window.History;
        return query.restriction()
                        .filter(keys -> keys.part() == RowQuery.Restriction.Part.KEY
                                && keys.keys().size() == 1)
                        .isPresent()
                && query.filter().isEmpty()
                && query.after().isEmpty()
                && query.limit().orElse(1) > 0
                && query.offset() == 0
                && !(history && (query.limit().isPresent() || !query.order().isEmpty()));
    }

    static List<StoredRow> find(SqlConnection connection, RowQuery query) throws SQLException {
        String key = query.restriction().orElseThrow().keys().get(0);
        List<StoredRow> found = new ArrayList<>();
        try (ResultSet rows = statement(connection, query, key).executeQuery()) {
            while (rows.next()) {
                StoredRow row =
                        new StoredRow(new Identity.OfEntity(key), rows.getString(1), rows.getLong(2), rows.getLong(3));
                boolean shown = row.isEnd()
                        ? query.showsEnds()
                        : query.schemaVersion().orElse(row.schemaVersion()) == row.schemaVersion();
                if (shown) {
                    found.add(row);
                }
            }
        }
        return found;
    }

    private static PreparedStatement statement(SqlConnection connection, RowQuery query, String key)
            throws SQLException {
        String type = query.type().name();
        if (query.window() instanceof Window.AsOf asOf) {
            return connection.prepare(KEY_AS_OF, type, key, asOf.commitId());
        }
        return query.window() instanceof Window.History history
                ? connection.prepare(HISTORY_OF_KEY, type, key, history.afterCommitId(), history.upToCommitId())
                : connection.prepare(LATEST_OF_KEY, type, key);
    }
}
