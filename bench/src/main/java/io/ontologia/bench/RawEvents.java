package io.ontologia.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The updates of an event's life by plain JDBC, on a file that has the tables: the floor. It knows what to claim. */
final class RawEvents implements AutoCloseable {
    private static final String NOW = "2026-01-01T00:00:00.000000+00:00";
    private static final String INSERT = """
            INSERT INTO events (id, namespace, type, payload, created_at, priority, root_event_id, chain_depth)
            VALUES (?, 'bench', 'order', ?, ?, 100, ?, 0)""";
    private static final String CLAIM = """
            INSERT INTO event_claims (event_id, handler_id, session_id, claimed_at, lease_until, attempts, available_at)
            VALUES (?, 'handler', 'worker', ?, ?, 0, ?)""";
    private static final String ACK =
            "UPDATE event_claims SET ack_at = ? WHERE event_id = ? AND handler_id = 'handler'";

    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement claim;
    private final PreparedStatement ack;

    RawEvents(Path file) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file + "?transaction_mode=IMMEDIATE");
        try (Statement statement = connection.createStatement()) {
            for (String pragma : new String[] {
                "journal_mode=WAL",
                "synchronous=FULL",
                "busy_timeout=30000",
                "cache_size=-65536",
                "mmap_size=2147483648"
            }) {
                statement.execute("PRAGMA " + pragma);
            }
        }
        connection.setAutoCommit(false);
        insert = connection.prepareStatement(INSERT);
        claim = connection.prepareStatement(CLAIM);
        ack = connection.prepareStatement(ACK);
    }

    /** Three transactions: enqueue, claim, acknowledge. */
    void batch(String name, int size) throws SQLException {
        for (int i = 0; i < size; i++) {
            String id = name + "-" + i;
            insert.setString(1, id);
            insert.setString(2, "{\"n\":" + i + "}");
            insert.setString(3, NOW);
            insert.setString(4, id);
            insert.addBatch();
        }
        insert.executeBatch();
        connection.commit();
        for (int i = 0; i < size; i++) {
            claim.setString(1, name + "-" + i);
            claim.setString(2, NOW);
            claim.setString(3, NOW);
            claim.setString(4, NOW);
            claim.addBatch();
        }
        claim.executeBatch();
        connection.commit();
        for (int i = 0; i < size; i++) {
            ack.setString(1, NOW);
            ack.setString(2, name + "-" + i);
            ack.addBatch();
        }
        ack.executeBatch();
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
