package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the rows of a kind are kept: the same in everything but the columns of their identity. */
enum RowTable {
    ENTITIES(TypeKind.ENTITY),
    RELATIONS(TypeKind.RELATION);

    private final TypeKind kind;

    RowTable(TypeKind kind) {
        this.kind = kind;
    }

    static RowTable of(TypeKind kind) {
        return kind == TypeKind.ENTITY ? ENTITIES : RELATIONS;
    }

    TypeKind kind() {
        return kind;
    }

    String typeColumn() {
        return kind.wireName() + "_type";
    }

    String history() {
        return kind.wireName() + "_history";
    }

    String latest() {
        return "onto_" + kind.wireName() + "_latest";
    }

    /** The columns of the identity, the type aside. */
    List<String> identity() {
        return kind == TypeKind.ENTITY ? List.of("entity_key") : List.of("left_key", "right_key", "instance_key");
    }

    /** Type and identity columns, comma separated. */
    String keyColumns() {
        return typeColumn() + ", " + String.join(", ", identity());
    }

    /** Identity columns, each behind an alias, comma separated. */
    String identityOf(String alias) {
        return identity().stream().map(column -> alias + "." + column).collect(Collectors.joining(", "));
    }

    /** A template with the names of this kind's tables and columns filled in. */
    String sql(String template) {
        return template.replace("{history}", history())
                .replace("{latest}", latest())
                .replace("{type}", typeColumn())
                .replace("{keys}", keyColumns())
                .replace("{identity}", String.join(", ", identity()));
    }

    /** {@code left.column = right.column} for type and identity. */
    String sameKey(String left, String right) {
        return Stream.concat(Stream.of(typeColumn()), identity().stream())
                .map(column -> left + "." + column + " = " + right + "." + column)
                .collect(Collectors.joining(" AND "));
    }

    /** The identity in a result row, from the given column on. */
    Identity read(ResultSet rows, int column) throws SQLException {
        return kind == TypeKind.ENTITY
                ? new Identity.OfEntity(rows.getString(column))
                : new Identity.OfRelation(
                        rows.getString(column), rows.getString(column + 1), rows.getString(column + 2));
    }

    List<String> values(Identity value) {
        if (value instanceof Identity.OfEntity entity) {
            return List.of(entity.key());
        }
        Identity.OfRelation relation = (Identity.OfRelation) value;
        return List.of(relation.leftKey(), relation.rightKey(), relation.instanceKey());
    }

    /** Fields, whether they are canonical, and schema version, of the latest version of a type and identity. */
    String latestOfKeySql() {
        return this == ENTITIES
                ? "SELECT fields_json, canonical, coalesce(schema_version_id, 1) FROM onto_entity_latest WHERE entity_type = ? AND entity_key = ?"
                : "SELECT fields_json, canonical, coalesce(schema_version_id, 1) FROM onto_relation_latest"
                        + " WHERE relation_type = ? AND left_key = ? AND right_key = ? AND instance_key = ?";
    }

    /** Appends a version: type, identity, commit, schema version, fields. */
    String appendSql() {
        return this == ENTITIES
                ? "INSERT INTO entity_history (entity_type, entity_key, commit_id, schema_version_id, fields_json)"
                        + " VALUES (?, ?, ?, ?, ?)"
                : "INSERT INTO relation_history (relation_type, left_key, right_key, instance_key, commit_id,"
                        + " schema_version_id, fields_json) VALUES (?, ?, ?, ?, ?, ?, ?)";
    }

    /** Makes a version that we wrote the latest: type, identity, commit, schema version, fields. */
    String setLatestSql() {
        return this == ENTITIES
                ? "INSERT OR REPLACE INTO onto_entity_latest (entity_type, entity_key, commit_id, schema_version_id,"
                        + " fields_json, canonical) VALUES (?, ?, ?, ?, ?, 1)"
                : "INSERT OR REPLACE INTO onto_relation_latest (relation_type, left_key, right_key, instance_key,"
                        + " commit_id, schema_version_id, fields_json, canonical) VALUES (?, ?, ?, ?, ?, ?, ?, 1)";
    }
}
