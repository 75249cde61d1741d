package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeKind;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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

    /** Where the rows of each commit are in the history. */
    String commits() {
        return "onto_" + kind.wireName() + "_commits";
    }

    /** The column of the state row that says up to which row of the history the copies are level. */
    String upTo() {
        return kind.wireName() + "_upto";
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
                .replace("{commits}", commits())
                .replace("{upto}", upTo())
                .replace("{type}", typeColumn())
                .replace("{keys}", keyColumns())
                .replace("{identity}", String.join(", ", identity()));
    }

    /** A template filled in for each kind. */
    static Map<RowTable, String> each(String template) {
        Map<RowTable, String> filled = new EnumMap<>(RowTable.class);
        for (RowTable table : values()) {
            filled.put(table, table.sql(template));
        }
        return filled;
    }

    /** {@code left.column = right.column} for type and identity. */
    String sameKey(String left, String right) {
        return left + "." + typeColumn() + " = " + right + "." + typeColumn() + " AND " + sameIdentity(left, right);
    }

    /** {@code left.column = right.column} for the identity. */
    String sameIdentity(String left, String right) {
        return identity().stream()
                .map(column -> left + "." + column + " = " + right + "." + column)
                .collect(Collectors.joining(" AND "));
    }

    /** Reads a text of the current row. */
    interface Texts {
        String read(ResultSet rows, int column) throws SQLException;
    }

    /** A row of {@link RowSql#select}. */
    StoredRow readRow(Texts texts, ResultSet rows) throws SQLException {
        int afterIdentity = identity().size() + 1;
        return new StoredRow(
                read(texts, rows, 1),
                texts.read(rows, afterIdentity),
                rows.getLong(afterIdentity + 1),
                rows.getLong(afterIdentity + 2));
    }

    /** The identity in a result row, from the given column on. */
    Identity read(ResultSet rows, int column) throws SQLException {
        return read((row, number) -> SqlErrors.present(row.getString(number)), rows, column);
    }

    Identity read(Texts texts, ResultSet rows, int column) throws SQLException {
        try {
            return kind == TypeKind.ENTITY
                    ? new Identity.OfEntity(texts.read(rows, column))
                    : new Identity.OfRelation(
                            texts.read(rows, column), texts.read(rows, column + 1), texts.read(rows, column + 2));
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.INVALID_INPUT) {
                throw e;
            }
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read the key of a row",
                    e.getMessage(),
                    "run 'onto fsck', and restore the file from a backup",
                    e);
        }
    }

    List<String> values(Identity value) {
        if (value instanceof Identity.OfEntity entity) {
            return List.of(entity.key());
        }
        Identity.OfRelation relation = (Identity.OfRelation) value;
        return List.of(relation.leftKey(), relation.rightKey(), relation.instanceKey());
    }

    /** Fields and schema version of the latest version of a type and identity, whoever wrote it. */
    String newestOfKeySql() {
        return this == ENTITIES
                ? "SELECT fields_json, coalesce(schema_version_id, 1) AS v FROM entity_history"
                        + " WHERE entity_type = ? AND entity_key = ? ORDER BY commit_id DESC LIMIT 1"
                : "SELECT fields_json, coalesce(schema_version_id, 1) AS v FROM relation_history"
                        + " WHERE relation_type = ? AND left_key = ? AND right_key = ? AND instance_key = ?"
                        + " ORDER BY commit_id DESC LIMIT 1";
    }

    /** Appends a version: type, identity, commit, schema version, fields. */
    String appendSql() {
        return this == ENTITIES
                ? "INSERT INTO entity_history (entity_type, entity_key, commit_id, schema_version_id, fields_json)"
                        + " VALUES (?, ?, ?, ?, ?)"
                : "INSERT INTO relation_history (relation_type, left_key, right_key, instance_key, commit_id,"
                        + " schema_version_id, fields_json) VALUES (?, ?, ?, ?, ?, ?, ?)";
    }
}
