package io.ontologia.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A SQLite file as another program opens it, by plain JDBC. Used by one thread. */
public final class PlainSqlite implements AutoCloseable {
    private final Connection connection;

    /** Opens a file with the settings of the specification; the driver of SQLite must be on the class path. */
    public PlainSqlite(String file) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        execute("PRAGMA foreign_keys=ON");
        execute("PRAGMA busy_timeout=60000");
    }

    /** Runs a statement and returns how many rows it changed. */
    public int execute(String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(sql, parameters)) {
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }

    /** The number that a query finds; 0 when it finds none. */
    public long number(String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /** The rows that a query finds, every value as text, {@code null} for a missing one. */
    public List<List<String>> rows(String sql, @Nullable Object... parameters) throws SQLException {
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

    /** The rows that a query finds, their values joined. */
    public List<String> joined(String separator, String sql, @Nullable Object... parameters) throws SQLException {
        return rows(sql, parameters).stream()
                .map(row -> String.join(separator, row))
                .toList();
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
