package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.Function;

/** What SQLite cannot do by itself. */
final class SqlFunctions {
    /** Whether two JSON texts hold the same value. */
    static final String SAME_JSON = "onto_same_json";

    /** Compares two numbers of any size by value: negative, zero or positive. */
    static final String COMPARE_NUMBERS = "onto_compare_numbers";

    private SqlFunctions() {}

    static void register(Connection connection) throws SQLException {
        Function.create(
                connection,
                SAME_JSON,
                new Function() {
                    @Override
                    protected void xFunc() throws SQLException {
                        result(sameJson(value_text(0), value_text(1)) ? 1 : 0);
                    }
                },
                2,
                Function.FLAG_DETERMINISTIC);
        Function.create(
                connection,
                COMPARE_NUMBERS,
                new Function() {
                    @Override
                    protected void xFunc() throws SQLException {
                        result(new BigDecimal(value_text(0)).compareTo(new BigDecimal(value_text(1))));
                    }
                },
                2,
                Function.FLAG_DETERMINISTIC);
    }

    static boolean sameJson(String stored, String canonical) {
        try {
            return CanonicalJson.write(Json.parse(stored)).equals(canonical);
        } catch (OntologiaException e) {
            // What cannot be read cannot be what is wanted: a good version goes on top of it.
            return false;
        }
    }
}
