package io.ontologia.store.sqlite.internal;

import io.ontologia.core.SchemaVersion;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a file a store when it is opened for writing: missing tables, indexes and copies are added. */
final class Preparation {
    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    private Preparation() {}

    static void run(Connections connections, Clock clock) {
        Transactions.onWriter(connections, "cannot prepare " + connections.file(), connection -> {
            try {
                prepare(connection, clock);
            } catch (SQLException e) {
                // Where many sessions open a new file at once, one of them prepares it, and the others need not wait.
                if (!SqlErrors.isBusy(e) || !isReady(connection)) {
                    throw e;
                }
            }
            refuseSpentNumbers(connections, connection);
            warnOfLostCommits(connections, connection);
            return true;
        });
    }

    private static boolean isReady(SqlConnection connection) throws SQLException {
        return EventTables.areReady(connection) && Digests.areReady(connection) && Tables.areReady(connection);
    }

    private static void prepare(SqlConnection connection, Clock clock) throws SQLException {
        if (!EventTables.areReady(connection) || !Digests.areReady(connection)) {
            connection.begin("BEGIN IMMEDIATE");
            Transactions.finish(connection, () -> {
                EventTables.prepare(connection);
                Digests.prepare(connection);
                return true;
            });
        }
        if (!Tables.areReady(connection)) {
            connection.begin("BEGIN IMMEDIATE");
            Transactions.finish(connection, () -> {
                // Another process may have prepared the file since it was looked at.
                if (!Tables.areReady(connection)) {
                    Tables.prepare(connection, clock);
                    Latest.catchUp(connection, Latest.Writer.OTHERS);
                    Schemas.indexFields(
                            connection,
                            Schemas.current(connection).stream()
                                    .map(SchemaVersion::describe)
                                    .toList());
                }
                return true;
            });
            // Without its log the file is then an empty store, and not an empty file.
            connection.number("PRAGMA wal_checkpoint(PASSIVE)");
        }
    }

    /** SQLite would report a full disk at the first commit. */
    private static void refuseSpentNumbers(Connections connections, SqlConnection connection) throws SQLException {
        try (ResultSet rows = connection.prepare(CheckRule.SPENT_NUMBERS).executeQuery()) {
            if (rows.next()) {
                throw new OntologiaException(
                        ErrorKind.CORRUPT,
                        "cannot write to " + connections.file(),
                        "there are no numbers left for new rows of " + rows.getString(1)
                                + ": its ids or the table sqlite_sequence are damaged",
                        "restore the file from a backup; 'onto fsck' tells what else is damaged");
            }
        }
    }

    private static void warnOfLostCommits(Connections connections, SqlConnection connection) throws SQLException {
        WriteAheadLog.lost(connections.file(), Log.head(connection))
                .ifPresent(finding ->
                        LOG.atWarn().addKeyValue("commits", finding.example()).log(finding.message()));
    }
}
