package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.Function;
import org.sqlite.core.Codes;

/** What SQLite cannot do by itself. */
final class SqlFunctions {
    /** Whether a stored payload of a type, given as JSON text, is the wanted one. */
    static final String SAME_PAYLOAD = "onto_same_payload";

    /** Compares a stored JSON number with an exact decimal by value: negative, zero or positive. */
    static final String COMPARE_NUMBERS = "onto_compare_numbers";

    /** The {@linkplain BigIntegers#key key} of a stored JSON number that has no fraction. */
    static final String NUMBER_KEY = "onto_number_key";

    /** The least of a plain value and of the big integer that has a key; numbers before texts. */
    static final String LEAST = "onto_least";

    /** The greatest of a plain value and of the big integer that has a key; texts after numbers. */
    static final String GREATEST = "onto_greatest";

    /** The {@linkplain Sums#exact exact sum} of integers, from three partial results; null without any integer. */
    static final String EXACT_SUM = "onto_exact_sum";

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
                        BigDecimal wanted = new BigDecimal(value_text(1));
                        result(
                                value_type(0) == Codes.SQLITE_FLOAT
                                        ? compare(value_double(0), wanted)
                                        : BigIntegers.exact(value_text(0)).compareTo(wanted));
                    }
                },
                2,
                Function.FLAG_DETERMINISTIC);
        Function.create(
                connection,
                NUMBER_KEY,
                new Function() {
                    @Override
                    protected void xFunc() throws SQLException {
                        result(
                                value_type(0) == Codes.SQLITE_FLOAT
                                        ? BigIntegers.keyOf(value_double(0))
                                        : BigIntegers.keyOf(value_text(0)));
                    }
                },
                1,
                Function.FLAG_DETERMINISTIC);
        Function.create(connection, LEAST, new Outermost(-1), 2, Function.FLAG_DETERMINISTIC);
        Function.create(connection, GREATEST, new Outermost(1), 2, Function.FLAG_DETERMINISTIC);
        Function.create(
                connection,
                EXACT_SUM,
                new Function() {
                    @Override
                    protected void xFunc() throws SQLException {
                        if (value_type(0) == Codes.SQLITE_NULL && value_type(2) == Codes.SQLITE_NULL) {
                            result();
                            return;
                        }
                        Number sum = Sums.exact(
                                value_long(0),
                                value_long(1),
                                value_type(2) == Codes.SQLITE_NULL ? null : value_text(2));
                        if (sum instanceof BigInteger big) {
                            result(BigIntegers.toBlob(big));
                        } else {
                            result(sum.longValue());
                        }
                    }
                },
                3,
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

    /** Chooses between a plain value, which may be null, and the big integer that has a key. */
    private static final class Outermost extends Function {
        private final int sign;

        /**
         * @param sign 1 for the greatest, -1 for the least
         */
        Outermost(int sign) {
            this.sign = sign;
        }

        @Override
        protected void xFunc() throws SQLException {
            BigInteger big = BigIntegers.ofKey(value_text(1));
            switch (value_type(0)) {
                case Codes.SQLITE_INTEGER -> {
                    if (sign * big.compareTo(BigInteger.valueOf(value_long(0))) > 0) {
                        result(BigIntegers.toBlob(big));
                    } else {
                        result(value_long(0));
                    }
                }
                case Codes.SQLITE_FLOAT -> {
                    if (sign * compare(value_double(0), new BigDecimal(big)) < 0) {
                        result(BigIntegers.toBlob(big));
                    } else {
                        result(value_double(0));
                    }
                }
                case Codes.SQLITE_TEXT -> {
                    if (sign < 0) {
                        result(BigIntegers.toBlob(big));
                    } else {
                        result(value_text(0));
                    }
                }
                default -> result(BigIntegers.toBlob(big));
            }
        }
    }

    private static int compare(double real, BigDecimal exact) {
        return Double.isFinite(real) ? new BigDecimal(real).compareTo(exact) : (int) Math.signum(real);
    }

    private static String schemaHash(String json) {
        try {
            return Sha256.hex(CanonicalJson.writeAscii(Json.parse(json)));
        } catch (OntologiaException e) {
            return "";
        }
    }
}
