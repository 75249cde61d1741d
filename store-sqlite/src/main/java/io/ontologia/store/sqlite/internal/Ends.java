package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.RowRef;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.RetractedEnds;
import io.ontologia.core.spi.RowQuery.Restriction.Part;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.CanonicalJson;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds what a commit with retractions or expectations depends on, inside its transaction. */
final class Ends {
    private static final String PRESENT = """
            SELECT entity_key FROM onto_entity_latest
            WHERE entity_type = ? AND entity_key IN (SELECT value FROM json_each(?))""";

    private static final String RELATIONS = """
            SELECT left_key, right_key, instance_key FROM onto_relation_latest
            WHERE relation_type = ? AND %s IN (SELECT value FROM json_each(?))""";

    private final SqlConnection connection;

    Ends(SqlConnection connection) {
        this.connection = connection;
    }

    /** The request with the relations that end with its entities. The copies of latest versions must be level. */
    CommitRequest settle(CommitRequest request) throws SQLException {
        Map<TypeRef, List<String>> keys = new LinkedHashMap<>();
        for (RowRef row : RetractedEnds.of(request)) {
            keys.computeIfAbsent(row.type(), type -> new ArrayList<>()).add(((Identity.OfEntity) row.identity()).key());
        }
        List<RowRef> existing = new ArrayList<>();
        for (Map.Entry<TypeRef, List<String>> type : keys.entrySet()) {
            String name = type.getKey().name();
            try (ResultSet rows = connection
                    .prepare(PRESENT, name, CanonicalJson.write(type.getValue()))
                    .executeQuery()) {
                while (rows.next()) {
                    existing.add(RowRef.entity(name, SqlErrors.present(rows.getString(1))));
                }
            }
        }
        return existing.isEmpty()
                ? request
                : RetractedEnds.settle(request, existing, Schemas.current(connection), this::relations);
    }

    private List<Identity> relations(TypeRef type, Part end, List<String> keys) throws SQLException {
        String sql = RELATIONS.formatted(end == Part.LEFT ? "left_key" : "right_key");
        List<Identity> found = new ArrayList<>();
        try (ResultSet rows =
                connection.prepare(sql, type.name(), CanonicalJson.write(keys)).executeQuery()) {
            while (rows.next()) {
                found.add(RowTable.RELATIONS.read(rows, 1));
            }
        }
        return found;
    }

    /** The version of a row that is in force after a commit, from the history. */
    Optional<StoredRow> version(RowRef row, long commitId) throws SQLException {
        RowTable table = RowTable.of(row.type().kind());
        String keys = row.type().kind() == TypeKind.ENTITY
                ? "entity_key = ?"
                : "left_key = ? AND right_key = ? AND instance_key = ?";
        List<Object> parameters = new ArrayList<>(List.of(row.type().name()));
        parameters.addAll(table.values(row.identity()));
        parameters.add(commitId);
        PreparedStatement statement = connection.prepare(
                table.sql(
                        "SELECT fields_json, commit_id, coalesce(schema_version_id, 1) FROM {history} WHERE {type} = ? AND "
                                + keys + " AND commit_id <= ? ORDER BY commit_id DESC LIMIT 1"),
                parameters.toArray());
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return Optional.empty();
            }
            return Optional.of(new StoredRow(
                            row.identity(), SqlErrors.present(rows.getString(1)), rows.getLong(2), rows.getLong(3)))
                    .filter(found -> !found.isEnd());
        }
    }
}
