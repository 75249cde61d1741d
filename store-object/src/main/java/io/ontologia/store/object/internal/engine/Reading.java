package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.SqlFragment;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.duckdb.DuckDBConnection;

/** A connection with a transaction that only reads: all of its statements see one state of every table. */
final class Reading implements AutoCloseable {
    private final Database database;
    private final DuckDBConnection connection;

    private Reading(Database database, DuckDBConnection connection) {
        this.database = database;
        this.connection = connection;
    }

    static Reading begin(Database database) {
        try {
            DuckDBConnection connection = database.connect();
            connection.setAutoCommit(false);
            return new Reading(database, connection);
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read rows", e);
        }
    }

    Database database() {
        return database;
    }

    DuckDBConnection connection() {
        return connection;
    }

    /**
     * Throws when a result that was fetched bit by bit did not come to its end: the driver then says that there are no more
     * rows, but the transaction is broken.
     */
    void requireWhole() {
        try (PreparedStatement probe = Database.prepare(connection, SqlFragment.of("SELECT 1"))) {
            probe.execute();
        } catch (SQLException e) {
            close();
            throw DuckErrors.cutShort("cannot read rows", e);
        }
    }

    @Override
    public void close() {
        try {
            if (!connection.isClosed()) {
                connection.close();
            }
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot finish reading", e);
        }
    }
}
