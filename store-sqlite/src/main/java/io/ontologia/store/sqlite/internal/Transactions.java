package io.ontologia.store.sqlite.internal;

import java.sql.SQLException;

/** Runs work on a connection and says what failed in our words. */
final class Transactions {
    /** Work on a connection. */
    interface Work<T> {
        T run(SqlConnection connection) throws SQLException;
    }

    /** Work inside a transaction. */
    interface Body<T> {
        T run() throws SQLException;
    }

    private Transactions() {}

    static <T> T onWriter(Connections connections, String what, Work<T> work) {
        return onWriter(connections, connections.startWriting(), what, work);
    }

    /** As {@link #onWriter}, for brief work that comes again and again. */
    static <T> T brieflyOnWriter(Connections connections, String what, Work<T> work) {
        return onWriter(connections, connections.startBriefWriting(), what, work);
    }

    private static <T> T onWriter(Connections connections, SqlConnection connection, String what, Work<T> work) {
        try {
            return work.run(connection);
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(what, e);
        } finally {
            connections.doneWriting();
        }
    }

    static <T> T onReader(Connections connections, String what, Work<T> work) {
        SqlConnection connection = connections.startReading();
        try {
            return work.run(connection);
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(what, e);
        } finally {
            connections.doneReading(connection);
        }
    }

    /** Commits the open transaction when the body succeeds, and rolls it back when it does not. */
    static <T> T finish(SqlConnection connection, Body<T> body) throws SQLException {
        try {
            T result = body.run();
            connection.commit();
            return result;
        } catch (SQLException e) {
            connection.failed(e);
            throw e;
        } finally {
            connection.rollback();
        }
    }
}
