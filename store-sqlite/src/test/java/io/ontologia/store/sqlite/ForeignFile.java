package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.testkit.PlainSqlite;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store's file as other programs see it: by plain SQL, and only that of the specification unless a test says so. */
final class ForeignFile implements AutoCloseable {
    private final PlainSqlite file;

    ForeignFile(Path path) throws SQLException {
        file = new PlainSqlite(path.toString());
    }

    /** Runs statements of the specification's write protocol. */
    long commit(String createdAt, @Nullable String metadata, Object[]... rows) throws SQLException {
        execute("BEGIN IMMEDIATE");
        try {
            execute("INSERT INTO commits (created_at, metadata_json) VALUES (?, ?)", createdAt, metadata);
            long id = number("SELECT last_insert_rowid()");
            for (Object[] row : rows) {
                append(id, row);
            }
            execute("COMMIT");
            return id;
        } catch (SQLException e) {
            execute("ROLLBACK");
            throw e;
        }
    }

    private void append(long commit, Object[] row) throws SQLException {
        if (row.length == 3) {
            execute(
                    "INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id, schema_version_id)"
                            + " VALUES (?, ?, ?, ?, 1)",
                    row[0],
                    row[1],
                    row[2],
                    commit);
        } else {
            execute(
                    "INSERT INTO relation_history (relation_type, left_key, right_key, instance_key, fields_json,"
                            + " commit_id, schema_version_id) VALUES (?, ?, ?, ?, ?, ?, 1)",
                    row[0],
                    row[1],
                    row[2],
                    row[3],
                    row[4],
                    commit);
        }
    }

    static Object[] entity(String type, String key, String json) {
        return new Object[] {type, key, json.replace('\'', '"')};
    }

    static Object[] relation(String type, String left, String right, String instance, String json) {
        return new Object[] {type, left, right, instance, json.replace('\'', '"')};
    }

    void execute(String sql, @Nullable Object... parameters) throws SQLException {
        file.execute(sql, parameters);
    }

    long number(String sql, @Nullable Object... parameters) throws SQLException {
        return file.number(sql, parameters);
    }

    /** Every row, its columns joined by a bar. */
    List<String> rows(String sql, @Nullable Object... parameters) throws SQLException {
        return file.joined("|", sql, parameters);
    }

    /** Checks that commits have no gap, that rows belong to commits, and that the copies of latest rows are exact. */
    void assertSound() throws SQLException {
        assertThat(rows("PRAGMA integrity_check")).containsExactly("ok");
        assertThat(rows("PRAGMA foreign_key_check")).isEmpty();
        assertThat(number("SELECT count(*) FROM commits"))
                .as("commits without gaps")
                .isEqualTo(number("SELECT coalesce(max(id), 0) FROM commits"));
        assertThat(rows("SELECT c.id, c.created_at FROM commits c JOIN commits d ON d.id = c.id + 1"
                        + " WHERE c.created_at > d.created_at"))
                .as("commits whose successor is older")
                .isEmpty();
        assertThat(rows(
                        "SELECT id FROM commits c WHERE NOT EXISTS (SELECT 1 FROM entity_history WHERE commit_id = c.id)"
                                + " AND NOT EXISTS (SELECT 1 FROM relation_history WHERE commit_id = c.id)"))
                .as("commits without rows")
                .isEmpty();
        assertLatestIsHistory();
    }

    /** Checks that the copies of latest rows are level with the history, and exactly what its self-join finds. */
    void assertLatestIsHistory() throws SQLException {
        assertThat(rows("SELECT dirty, entity_upto, relation_upto FROM onto_latest_state"))
                .containsExactly("0|" + number("SELECT coalesce(max(id), 0) FROM entity_history") + "|"
                        + number("SELECT coalesce(max(id), 0) FROM relation_history"));
        assertSame(
                "SELECT entity_type, entity_key, commit_id, schema_version_id, fields_json FROM onto_entity_latest",
                """
                SELECT h.entity_type, h.entity_key, h.commit_id, h.schema_version_id, h.fields_json
                FROM entity_history h JOIN (SELECT entity_type t, entity_key k, max(commit_id) m FROM entity_history
                    GROUP BY entity_type, entity_key) ON h.entity_type = t AND h.entity_key = k AND h.commit_id = m""");
        assertSame("""
                SELECT relation_type, left_key, right_key, instance_key, commit_id, schema_version_id, fields_json
                FROM onto_relation_latest""", """
                SELECT h.relation_type, h.left_key, h.right_key, h.instance_key, h.commit_id, h.schema_version_id,
                    h.fields_json
                FROM relation_history h JOIN (SELECT relation_type t, left_key l, right_key r, instance_key i,
                    max(commit_id) m FROM relation_history GROUP BY relation_type, left_key, right_key, instance_key)
                  ON h.relation_type = t AND h.left_key = l AND h.right_key = r AND h.instance_key = i
                    AND h.commit_id = m""");
    }

    private void assertSame(String one, String other) throws SQLException {
        assertThat(rows(one + " EXCEPT " + other)).isEmpty();
        assertThat(rows(other + " EXCEPT " + one)).isEmpty();
    }

    @Override
    public void close() throws SQLException {
        file.close();
    }
}
