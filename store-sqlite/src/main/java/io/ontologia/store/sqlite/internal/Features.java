package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a file uses beyond the specified format. Each feature is declared by a trigger {@code onto_requires_<feature>} on our state
 * table, which never runs. Versions that do not know it refuse to write to the file, because they refuse every trigger that they
 * do not know; later versions refuse to open it at all.
 */
final class Features {
    private static final String PREFIX = "onto_requires_";

    /** Rows can end: a payload {@code null} in the history. */
    private static final String RETRACTIONS = "retractions";

    private static final Set<String> KNOWN = Set.of(RETRACTIONS);

    private static final String DECLARE_RETRACTIONS =
            "CREATE TRIGGER IF NOT EXISTS onto_requires_retractions BEFORE DELETE ON onto_latest_state"
                    + " BEGIN SELECT 1; END";

    /** Finds relations that ended, which the table of latest versions does not have, by their right key. */
    private static final String ENDED_RELATIONS =
            "CREATE INDEX IF NOT EXISTS onto_relation_ended ON relation_history(relation_type, right_key)"
                    + " WHERE fields_json = 'null'";

    private static final String FIND =
            "SELECT name FROM main.sqlite_schema WHERE type = 'trigger' AND name GLOB '" + PREFIX + "*'";

    private Features() {}

    /** Every statement that defines something. */
    static Stream<String> definitions() {
        return Stream.of(DECLARE_RETRACTIONS, ENDED_RELATIONS);
    }

    /** Notes that rows of the file can end. Inside the transaction that ends the first one. */
    static void declareRetractions(SqlConnection connection) throws SQLException {
        if (!hasRetractions(connection)) {
            connection.execute(DECLARE_RETRACTIONS, ENDED_RELATIONS);
        }
    }

    /** Whether rows of the file can have ended. */
    static boolean hasRetractions(SqlConnection connection) throws SQLException {
        return connection
                .number("SELECT 1 FROM main.sqlite_schema WHERE name = '" + PREFIX + RETRACTIONS + "'")
                .isPresent();
    }

    /**
     * Refuses a file that uses what this version does not know.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} naming the feature
     */
    static void requireKnown(SqlConnection connection, Path file) throws SQLException {
        try (ResultSet rows = connection.prepare(FIND).executeQuery()) {
            while (rows.next()) {
                String feature = SqlErrors.present(rows.getString(1))
                        .substring(PREFIX.length())
                        .toLowerCase(Locale.ROOT);
                if (!KNOWN.contains(feature)) {
                    throw new OntologiaException(
                            ErrorKind.CONFLICT,
                            "cannot open " + file,
                            "the store uses the feature '" + feature + "', which this version does not know",
                            "open it with a newer version of Ontologia");
                }
            }
        }
    }
}
