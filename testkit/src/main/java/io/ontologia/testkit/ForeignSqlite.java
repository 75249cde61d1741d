package io.ontologia.testkit;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The specification of the store on SQLite by plain JDBC: its tables and its statements, and no others. */
public final class ForeignSqlite implements ForeignWriter {
    private static final String OWNER = "foreign";
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Connection connection;
    private final Clock clock;

    /** Opens a file; the driver of SQLite must be on the class path. */
    public ForeignSqlite(String file, Clock clock) throws SQLException {
        this.clock = clock;
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        execute("PRAGMA journal_mode=WAL");
        execute("PRAGMA foreign_keys=ON");
        execute("PRAGMA busy_timeout=60000");
    }

    private String now() {
        return UtcTimestamp.format(clock.now());
    }

    @Override
    public Optional<Long> commit(Map<String, String> names, Map<String, Long> numbers) throws SQLException {
        if (!acquireLock()) {
            return Optional.empty();
        }
        execute("BEGIN IMMEDIATE");
        execute("INSERT INTO commits (created_at, metadata_json) VALUES (?, ?)", now(), "{\"by\": \"foreign\"}");
        long id = number("SELECT last_insert_rowid()");
        for (Map.Entry<String, String> row : names.entrySet()) {
            execute(
                    "INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id, schema_version_id)"
                            + " VALUES (?, ?, ?, ?, ?)",
                    "Customer",
                    row.getKey(),
                    "{\"name\": " + CanonicalJson.writeAscii(row.getValue()) + ", \"id\": \"" + row.getKey() + "\"}",
                    id,
                    version("entity", "Customer"));
        }
        for (Map.Entry<String, Long> row : numbers.entrySet()) {
            String[] ends = row.getKey().split(">", -1);
            execute(
                    "INSERT INTO relation_history (relation_type, left_key, right_key, instance_key, fields_json,"
                            + " commit_id, schema_version_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    "Knows",
                    ends[0],
                    ends[1],
                    "",
                    "{\"n\": " + row.getValue() + "}",
                    id,
                    version("relation", "Knows"));
        }
        execute("COMMIT");
        execute("DELETE FROM locks WHERE lock_name = ? AND owner_id = ?", "ontology_write", OWNER);
        return Optional.of(id);
    }

    private boolean acquireLock() throws SQLException {
        execute("DELETE FROM locks WHERE lock_name = ? AND expires_at < ?", "ontology_write", now());
        return execute(
                        "INSERT OR IGNORE INTO locks (lock_name, owner_id, acquired_at, expires_at) VALUES (?, ?, ?, ?)",
                        "ontology_write",
                        OWNER,
                        now(),
                        UtcTimestamp.format(clock.now().plus(LEASE)))
                == 1;
    }

    private long version(String kind, String type) throws SQLException {
        return number(
                "SELECT max(schema_version_id) FROM schema_versions WHERE type_kind = ? AND type_name = ?", kind, type);
    }

    @Override
    public long head() throws SQLException {
        return number("SELECT coalesce(max(id), 0) FROM commits");
    }

    @Override
    public Map<String, String> names(long commitId) throws SQLException {
        Map<String, String> found = new TreeMap<>();
        for (List<String> row : rows("""
                SELECT eh.entity_key, eh.fields_json, eh.commit_id
                FROM entity_history eh
                INNER JOIN (
                    SELECT entity_key, MAX(commit_id) as max_cid
                    FROM entity_history
                    WHERE entity_type = ? AND commit_id <= ?
                    GROUP BY entity_key
                ) latest ON eh.entity_key = latest.entity_key
                    AND eh.commit_id = latest.max_cid
                WHERE eh.entity_type = ?""", "Customer", commitId, "Customer")) {
            found.put(row.get(0), JsonObject.parse("fields", row.get(1)).text("name"));
        }
        return found;
    }

    @Override
    public Map<String, Long> numbers() throws SQLException {
        Map<String, Long> found = new TreeMap<>();
        for (List<String> row : rows("""
                SELECT rh.left_key, rh.right_key, rh.instance_key, rh.fields_json, rh.commit_id
                FROM relation_history rh
                INNER JOIN (
                    SELECT left_key, right_key, instance_key, MAX(commit_id) as max_cid
                    FROM relation_history
                    WHERE relation_type = ?
                    GROUP BY left_key, right_key, instance_key
                ) latest ON rh.left_key = latest.left_key
                    AND rh.right_key = latest.right_key
                    AND rh.instance_key = latest.instance_key
                    AND rh.commit_id = latest.max_cid
                WHERE rh.relation_type = ?""", "Knows", "Knows")) {
            found.put(
                    row.get(0) + ">" + row.get(1),
                    JsonObject.parse("fields", row.get(3)).integer("n"));
        }
        return found;
    }

    @Override
    public List<String> history() throws SQLException {
        return rows("""
                        SELECT eh.entity_key, eh.fields_json, eh.commit_id FROM entity_history eh
                        WHERE eh.entity_type = ? ORDER BY eh.commit_id ASC, eh.entity_key""", "Customer").stream()
                .map(row -> row.get(2) + " " + row.get(0) + " "
                        + JsonObject.parse("fields", row.get(1)).text("name"))
                .toList();
    }

    @Override
    public void enqueue(String namespace, String id, String type) throws SQLException {
        execute(
                "INSERT INTO events (id, namespace, type, payload, created_at, priority, root_event_id, chain_depth)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                id,
                namespace,
                type,
                "{\"by\": \"foreign\"}",
                now(),
                100,
                id,
                0);
    }

    @Override
    public Optional<String> claim(String namespace, String handlerId, String type) throws SQLException {
        execute("BEGIN IMMEDIATE");
        List<List<String>> found = rows("""
                SELECT e.id FROM events e LEFT JOIN event_claims c ON c.event_id = e.id AND c.handler_id = ?
                WHERE e.namespace = ? AND e.type = ? AND (c.event_id IS NULL OR (c.ack_at IS NULL
                    AND c.dead_lettered_at IS NULL AND c.lease_until <= ? AND c.available_at <= ?))
                ORDER BY e.priority DESC, e.created_at ASC, e.id ASC LIMIT 1""", handlerId, namespace, type, now(), now());
        for (List<String> event : found) {
            execute(
                    """
                    INSERT INTO event_claims (event_id, handler_id, session_id, claimed_at, lease_until, ack_at, attempts,
                        available_at, last_error, dead_lettered_at) VALUES (?, ?, ?, ?, ?, NULL, 0, ?, NULL, NULL)
                    ON CONFLICT (event_id, handler_id) DO UPDATE SET session_id = excluded.session_id,
                        claimed_at = excluded.claimed_at, lease_until = excluded.lease_until""",
                    event.get(0),
                    handlerId,
                    OWNER,
                    now(),
                    UtcTimestamp.format(clock.now().plus(LEASE)),
                    now());
        }
        execute("COMMIT");
        return found.stream().findFirst().map(event -> event.get(0));
    }

    @Override
    public void ack(String namespace, String handlerId, String eventId) throws SQLException {
        execute("UPDATE event_claims SET ack_at = ? WHERE event_id = ? AND handler_id = ?", now(), eventId, handlerId);
    }

    @Override
    public List<String> events(String namespace) throws SQLException {
        return rows("""
                        SELECT e.id, CASE
                            WHEN EXISTS (SELECT 1 FROM event_claims c WHERE c.event_id = e.id
                                AND c.dead_lettered_at IS NOT NULL) THEN 'dead_lettered'
                            WHEN EXISTS (SELECT 1 FROM event_claims c WHERE c.event_id = e.id AND c.ack_at IS NOT NULL)
                                THEN 'acked'
                            WHEN EXISTS (SELECT 1 FROM event_claims c WHERE c.event_id = e.id AND c.lease_until > ?)
                                THEN 'claimed'
                            ELSE 'pending' END
                        FROM events e WHERE e.namespace = ?
                        ORDER BY e.priority DESC, e.created_at ASC, e.id ASC""", now(), namespace).stream()
                .map(row -> row.get(0) + " " + row.get(1))
                .toList();
    }

    private int execute(String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(sql, parameters)) {
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }

    private long number(String sql, @Nullable Object... parameters) throws SQLException {
        return Long.parseLong(rows(sql, parameters).get(0).get(0));
    }

    private List<List<String>> rows(String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<List<String>> all = new ArrayList<>();
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    row.add(String.valueOf(rows.getString(column)));
                }
                all.add(row);
            }
            return all;
        }
    }

    private PreparedStatement prepared(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
