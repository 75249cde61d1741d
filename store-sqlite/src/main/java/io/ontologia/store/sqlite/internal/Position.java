package io.ontologia.store.sqlite.internal;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Where the copies beside the history are. Row ids of history only grow, and so does each number here, unless the copies
 * are dirty; so equal numbers mean that nothing happened in between.
 *
 * @param dirty whether the copies cannot be trusted
 * @param level the row ids of both histories that they are level with, added
 * @param rowsBehind how many row ids come after
 */
record Position(boolean dirty, long level, long rowsBehind) {
    /** The columns, to be selected from the state row. */
    static final String COLUMNS = """
            dirty, entity_upto + relation_upto AS l,
            coalesce((SELECT max(id) FROM entity_history), 0) - entity_upto
                + coalesce((SELECT max(id) FROM relation_history), 0) - relation_upto AS b""";

    private static final String SELECT = "SELECT " + COLUMNS + " FROM onto_latest_state";

    static Position of(SqlConnection connection) throws SQLException {
        try (ResultSet rows = connection.prepare(SELECT).executeQuery()) {
            return rows.next() ? read(rows, 1) : new Position(true, 0, 0);
        }
    }

    static Position read(ResultSet rows, int column) throws SQLException {
        return new Position(rows.getLong(column) != 0, rows.getLong(column + 1), rows.getLong(column + 2));
    }

    /** After so many more rows of history. */
    Position behindBy(long more) {
        return new Position(dirty, level, rowsBehind + more);
    }

    boolean isLevel() {
        return !dirty && rowsBehind == 0;
    }
}
