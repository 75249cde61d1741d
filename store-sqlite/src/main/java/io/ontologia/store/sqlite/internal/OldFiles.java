package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Lets files be read that lack columns or tables and must not be written to. Views that live in the connection alone stand
 * in front of such tables and add what {@link Tables#prepare} would.
 */
final class OldFiles {
    private static final String ESSENTIAL_TABLES = """
            SELECT count(*) FROM sqlite_master WHERE type = 'table'
                AND name IN ('commits', 'entity_history', 'relation_history', 'schema_registry')""";

    private static final String VERSIONS = """
            CREATE TEMP VIEW schema_versions AS
            SELECT rowid AS id, type_kind, type_name, %s AS schema_version_id, schema_json, %s(schema_json) AS schema_hash,
                '%s' AS created_at, NULL AS runtime_id, 'bootstrap' AS reason
            FROM main.schema_registry""";

    private static final String LOCKS = """
            CREATE TEMP VIEW locks AS
            SELECT '' AS lock_name, '' AS owner_id, '' AS acquired_at, '' AS expires_at WHERE 0""";

    private OldFiles() {}

    /**
     * Makes a connection see everything that queries expect.
     *
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when the file holds no store
     */
    static void complete(SqlConnection connection, Path file, Clock clock) throws SQLException {
        if (!Tables.areReady(connection)) {
            completeHistory(connection, file, clock);
        }
        if (!EventTables.areReady(connection)) {
            EventTables.standIn(connection);
        }
        if (!Digests.areReady(connection)) {
            Digests.standIn(connection);
        }
    }

    private static void completeHistory(SqlConnection connection, Path file, Clock clock) throws SQLException {
        if (connection.number(ESSENTIAL_TABLES).orElse(0) != 4) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "cannot open " + file,
                    "it is a SQLite file but holds no store",
                    "create one with 'onto init', or name another file with --db");
        }
        addColumns(connection, "entity_history", List.of("schema_version_id"));
        addColumns(connection, "relation_history", List.of("instance_key", "schema_version_id"));
        if (Tables.columns(connection, "schema_versions").isEmpty()
                || connection.number("SELECT 1 FROM schema_versions LIMIT 1").isEmpty()) {
            connection.execute(VERSIONS.formatted(
                    Tables.BOOTSTRAP_VERSION, SqlFunctions.SCHEMA_HASH, UtcTimestamp.format(clock.now())));
        }
        if (Tables.columns(connection, "locks").isEmpty()) {
            connection.execute(LOCKS);
        }
    }

    private static void addColumns(SqlConnection connection, String table, List<String> wanted) throws SQLException {
        Set<String> columns = Tables.columns(connection, table);
        List<String> missing = new ArrayList<>();
        for (String column : wanted) {
            if (!columns.contains(column)) {
                missing.add((column.equals("instance_key") ? "''" : "NULL") + " AS " + column);
            }
        }
        if (!missing.isEmpty()) {
            connection.execute("CREATE TEMP VIEW " + table + " AS SELECT *, " + String.join(", ", missing)
                    + " FROM main." + table);
        }
    }
}
