package io.ontologia.bench;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.RandomIds;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

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

    private final RandomGenerator random = new SecureRandom();
    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement insert;
    private final PreparedStatement claim;
    private final PreparedStatement ack;

    RawEvents(Path file) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
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
        begin = connection.prepareStatement("BEGIN IMMEDIATE");
        commit = connection.prepareStatement("COMMIT");
        insert = connection.prepareStatement(INSERT);
        claim = connection.prepareStatement(CLAIM);
        ack = connection.prepareStatement(ACK);
    }

    /** Three transactions: enqueue, claim, acknowledge. */
    void batch(int size) throws SQLException {
        List<String> ids = IntStream.range(0, size)
                .mapToObj(i -> RandomIds.uuid(Clock.system().now(), random))
                .toList();
        begin.execute();
        for (String id : ids) {
            insert.setString(1, id);
            insert.setString(2, "{\"n\":1}");
            insert.setString(3, NOW);
            insert.setString(4, id);
            insert.executeUpdate();
        }
        commit.execute();
        begin.execute();
        for (String id : ids) {
            claim.setString(1, id);
            claim.setString(2, NOW);
            claim.setString(3, NOW);
            claim.setString(4, NOW);
            claim.executeUpdate();
        }
        commit.execute();
        begin.execute();
        for (String id : ids) {
            ack.setString(1, NOW);
            ack.setString(2, id);
            ack.executeUpdate();
        }
        commit.execute();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
