package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Spares a commit the look at what it depends on when that can only be what the commit before it left: nobody else wrote to
 * the file since, and nothing else ran on the writing connection. SQLite tells the first at a seventh of the price of the
 * look. Used by who has the writing connection.
 */
final class Foresight {
    private static final String VERSION_BY_OTHERS = "PRAGMA data_version";

    private @Nullable Expected expected;
    private long versionByOthers;

    private record Expected(
            SqlConnection connection, TypeRef type, Situation situation, long transaction, long versionByOthers) {}

    /** What a commit depends on. Inside its transaction. */
    Situation look(SqlConnection connection, TypeRef type) throws SQLException {
        Expected known = expected;
        expected = null;
        versionByOthers = connection.number(VERSION_BY_OTHERS).orElse(0);
        if (known != null
                && known.connection() == connection
                && known.type().equals(type)
                && known.transaction() == connection.transactions()
                && known.versionByOthers() == versionByOthers) {
            return known.situation();
        }
        return Situation.of(connection, type);
    }

    /** Notes what the commit that looked last leaves, once it is stored. */
    void expect(SqlConnection connection, TypeRef type, Situation next) {
        expected = new Expected(connection, type, next, connection.transactions() + 1, versionByOthers);
    }
}
