package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.Function;

/** What SQLite cannot do by itself. */
final class SqlFunctions {
    /** Whether two JSON texts hold the same value. */
    static final String SAME_JSON = "onto_same_json";

    /** Compares a stored JSON number with an exact decimal by value: negative, zero or positive. */
    static final String COMPARE_NUMBERS = "onto_compare_numbers";

    /** The hash of a schema document; empty when it is none. */
    static final String SCHEMA_HASH = "onto_schema_hash";

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
                        result(storedNumber(value_text(0)).compareTo(new BigDecimal(value_text(1))));
                    }
                },
                2,
                Function.FLAG_DETERMINISTIC);
        Function.create(
                connection,
                SCHEMA_HASH,
                new Function() {
                    @Override
                    protected void xFunc() throws SQLException {
                        result(schemaHash(value_text(0)));
                    }
                },
                1,
                Function.FLAG_DETERMINISTIC);
    }

    private static String schemaHash(String json) {
        try {
            return Sha256.hex(CanonicalJson.writeAscii(Json.parse(json)));
        } catch (OntologiaException e) {
            return "";
        }
    }

    /** What is written with a point or an exponent means the nearest double, not the decimal itself. */
    private static BigDecimal storedNumber(String json) {
        boolean integer = json.chars().allMatch(c -> c == '-' || Character.isDigit(c));
        return integer ? new BigDecimal(json) : new BigDecimal(Double.parseDouble(json));
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
