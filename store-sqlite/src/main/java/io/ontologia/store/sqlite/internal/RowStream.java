package io.ontologia.store.sqlite.internal;

import io.ontologia.core.spi.SqlFragment;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The rows of one statement as a stream that holds a connection of its own until it is closed or read to its end, and sees
 * one state of the file all the while.
 *
 * @param <T> what a row becomes
 */
final class RowStream<T> extends Spliterators.AbstractSpliterator<T> {
    /** Makes a value of the current row. */
    interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private final Connections connections;
    private final SqlConnection connection;
    private final String what;
    private final PreparedStatement statement;
    private final ResultSet rows;
    private final Reader<T> reader;
    private boolean closed;

    private RowStream(
            Connections connections,
            SqlConnection connection,
            String what,
            PreparedStatement statement,
            ResultSet rows,
            Reader<T> reader) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.connections = connections;
        this.connection = connection;
        this.what = what;
        this.statement = statement;
        this.rows = rows;
        this.reader = reader;
    }

    static <T> Stream<T> open(
            Connections connections, String what, Transactions.Work<SqlFragment> sql, Reader<T> reader) {
        SqlConnection connection = connections.startReading();
        boolean opened = false;
        try {
            // One transaction around the decision how to read and the reading itself.
            connection.begin("BEGIN");
            try {
                SqlFragment fragment = sql.run(connection);
                PreparedStatement statement =
                        connection.open(fragment.sql(), fragment.parameters().toArray());
                RowStream<T> stream =
                        new RowStream<>(connections, connection, what, statement, statement.executeQuery(), reader);
                opened = true;
                return StreamSupport.stream(stream, false).onClose(stream::close);
            } finally {
                if (!opened) {
                    connection.rollback();
                }
            }
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(what, e);
        } finally {
            if (!opened) {
                connections.doneReading(connection);
            }
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        if (closed) {
            return false;
        }
        T value;
        try {
            if (!rows.next()) {
                close();
                return false;
            }
            value = reader.read(rows);
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(what, e);
        }
        action.accept(value);
        return true;
    }

    private void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            rows.close();
            statement.close();
            connection.commit();
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(what, e);
        } finally {
            connections.doneReading(connection);
        }
    }
}
