package io.ontologia.store.sqlite.internal;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A connection with its functions registered and its statements kept. Used by one thread at a time. */
final class SqlConnection implements AutoCloseable {
    private static final int KEPT_STATEMENTS = 64;

    private final Connection connection;
    private final Map<String, PreparedStatement> kept = new LinkedHashMap<>(KEPT_STATEMENTS * 2, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PreparedStatement> eldest) {
            if (size() > KEPT_STATEMENTS) {
                closeQuietly(eldest.getValue());
                return true;
            }
            return false;
        }
    };

    private long transactions;
    private boolean inTransaction;
    private boolean broken;
    private @Nullable StepLimit limit;
    private SqlFunctions.SamePayload samePayload = (type, stored, wanted) -> stored.equals(wanted);

    SqlConnection(Connection connection) throws SQLException {
        this.connection = connection;
        SqlFunctions.register(connection, (type, stored, wanted) -> samePayload.test(type, stored, wanted));
    }

    /** From now on, statements that take more steps than the rows of the file can need are ended. */
    void limitSteps(Path file) throws SQLException {
        limit = StepLimit.on(connection, file);
    }

    private void limitTo(String sql) {
        if (limit != null) {
            limit.begin(sql);
        }
    }

    /** From now on, {@link SqlFunctions#SAME_PAYLOAD} answers so. */
    void compareBy(SqlFunctions.SamePayload comparison) {
        samePayload = comparison;
    }

    /** A kept statement with its parameters bound. Do not close it; its results end with its next use. */
    PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = kept.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            kept.put(sql, statement);
        }
        limitTo(sql);
        bind(statement, parameters);
        return statement;
    }

    /** A statement of its own with its parameters bound; the caller closes it. */
    PreparedStatement open(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        limitTo(sql);
        try {
            bind(statement, parameters);
            return statement;
        } catch (SQLException | RuntimeException e) {
            closeQuietly(statement);
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, @Nullable Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            Object parameter = parameters[i];
            if (parameter instanceof String text) {
                statement.setString(i + 1, text);
            } else if (parameter instanceof Long number) {
                statement.setLong(i + 1, number);
            } else if (parameter instanceof Double number) {
                statement.setDouble(i + 1, number);
            } else {
                statement.setObject(i + 1, parameter);
            }
        }
    }

    int update(String sql, @Nullable Object... parameters) throws SQLException {
        return prepare(sql, parameters).executeUpdate();
    }

    OptionalLong number(String sql, @Nullable Object... parameters) throws SQLException {
        try (ResultSet rows = prepare(sql, parameters).executeQuery()) {
            if (!rows.next()) {
                return OptionalLong.empty();
            }
            long value = rows.getLong(1);
            return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
        }
    }

    Optional<String> text(String sql, @Nullable Object... parameters) throws SQLException {
        try (ResultSet rows = prepare(sql, parameters).executeQuery()) {
            return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
        }
    }

    /** Runs statements that take no parameters and are not worth keeping, such as table definitions. */
    void execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    void begin(String how) throws SQLException {
        transactions++;
        prepare(how).execute();
        inTransaction = true;
    }

    /** How many transactions were begun so far. */
    long transactions() {
        return transactions;
    }

    void commit() throws SQLException {
        prepare("COMMIT").execute();
        inTransaction = false;
    }

    /**
     * Ends the open transaction, if there is one, without its changes. SQLite may have ended it already, after a full disk for
     * example. When it cannot be ended, the connection is not fit for further use, and to close it ends the transaction.
     */
    void rollback() {
        if (!inTransaction) {
            return;
        }
        inTransaction = false;
        try {
            prepare("ROLLBACK").execute();
        } catch (SQLException e) {
            broken = true;
        }
    }

    /** Notes an error. Only a file that is busy leaves a connection as it was before. */
    void failed(SQLException e) {
        broken |= !SqlErrors.isBusy(e);
    }

    /** Whether the connection can be used again: it has no open transaction, and nothing has failed on it. */
    boolean isFit() {
        return !broken && !inTransaction;
    }

    @Override
    public void close() {
        kept.values().forEach(SqlConnection::closeQuietly);
        kept.clear();
        closeQuietly(connection);
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception ignored) {
            // nothing depends on it: every write was committed or rolled back before
        }
    }
}
