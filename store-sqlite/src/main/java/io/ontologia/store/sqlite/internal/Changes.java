package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Change;
import io.ontologia.core.CommitResult;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.kernel.Clock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What commits did, and what one would do. */
final class Changes {
    /** Where the rows of commit {@code ?1} are: in its extent, or among those that the copies are not level with yet. */
    private static final String EXTENT = """
             AND (h.id BETWEEN (SELECT first_id FROM {commits} WHERE commit_id = ?1)
                    AND (SELECT last_id FROM {commits} WHERE commit_id = ?1)
                OR h.id > (SELECT iif(dirty, 0, {upto}) FROM onto_latest_state))""";

    private Changes() {}

    /**
     * Type, identity, fields, and the fields of the version before, of every row that a commit wrote.
     *
     * @param hasLatest whether the file has our copies beside the history
     */
    static String ofCommit(RowTable table, boolean hasLatest) {
        return table.sql("""
                SELECT h.{type}, %s, h.fields_json,
                    (SELECT p.fields_json FROM {history} p WHERE %s AND p.commit_id < h.commit_id
                     ORDER BY p.commit_id DESC LIMIT 1)
                FROM {history} h WHERE h.commit_id = ?1%s ORDER BY h.{type}, %s""".formatted(
                table.identityOf("h"), table.sameKey("p", "h"), hasLatest ? EXTENT : "", table.identityOf("h")));
    }

    static Change read(RowTable table, ResultSet rows) throws SQLException {
        int afterIdentity = table.identity().size() + 2;
        TypeRef type = StoredText.type(table.history(), table.kind(), SqlErrors.present(rows.getString(1)));
        String after = SqlErrors.present(rows.getString(afterIdentity));
        return Change.of(type, table.read(rows, 2), rows.getString(afterIdentity + 1), after);
    }

    /** What a commit would change. Inside a transaction that the caller rolls back. */
    static List<Change> preview(SqlConnection connection, CommitRequest request, Clock clock) throws SQLException {
        List<Change> changes = new ArrayList<>();
        if (new CommitWriter(connection, clock, new Upkeep()).write(request)
                instanceof CommitResult.Committed committed) {
            for (RowTable table : RowTable.values()) {
                try (ResultSet rows = connection
                        .prepare(ofCommit(table, true), committed.commitId())
                        .executeQuery()) {
                    while (rows.next()) {
                        changes.add(read(table, rows));
                    }
                }
            }
        }
        return changes;
    }
}
