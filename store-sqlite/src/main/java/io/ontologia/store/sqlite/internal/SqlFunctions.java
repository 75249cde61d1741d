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
    /** Whether a stored payload of a type, given as JSON text, is the wanted one. */
    static final String SAME_PAYLOAD = "onto_same_payload";

    /** Compares a stored JSON number with an exact decimal by value: negative, zero or positive. */
    static final String COMPARE_NUMBERS = "onto_compare_numbers";

    /** The hash of a schema document; empty when it is none. */
    static final String SCHEMA_HASH = "onto_schema_hash";

    private SqlFunctions() {}

    /** Answers {@link #SAME_PAYLOAD}. */
    interface SamePayload {
        boolean test(String type, String stored, String wanted);
    }

    static void register(Connection connection, SamePayload samePayload) throws SQLException {
        Function.create(
                connection,
                SAME_PAYLOAD,
                new Function() {
                    @Override
                    protected void xFunc() throws SQLException {
                        result(samePayload.test(value_text(0), value_text(1), value_text(2)) ? 1 : 0);
                    }
                },
                3,
                0);
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
}
