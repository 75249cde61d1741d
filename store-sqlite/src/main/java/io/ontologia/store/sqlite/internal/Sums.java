package io.ontologia.store.sqlite.internal;

import io.ontologia.core.spi.ExactSum;
import io.ontologia.core.spi.FilterDialect.JsonValue;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How numbers are added up: integers exactly, and as doubles where one of the numbers is not an integer. */
enum Sums {
    /** By SQLite's own sum, which fails when integers, or their sum, need more than 64 bits. */
    OF_64_BITS {
        @Override
        String expression(JsonValue value) {
            return "sum(CASE " + value.type() + " WHEN 'real' THEN " + value.value()
                    + " WHEN 'integer' THEN CASE typeof("
                    + value.value() + ") WHEN 'integer' THEN " + value.value() + " ELSE "
                    + OVERFLOW.formatted(value.value())
                    + " END END)";
        }
    },
    /** Of any size: the upper and lower halves of 64 bits by SQLite, and everything else by {@link SqlFunctions#EXACT_SUM}. */
    OF_ANY_SIZE {
        @Override
        String expression(JsonValue value) {
            String held = "CASE WHEN " + value.type() + " = 'integer' AND typeof(" + value.value()
                    + ") = 'integer' THEN " + value.value() + " END";
            String big = "CASE WHEN " + BigIntegers.isBig(value) + " THEN " + value.json() + " END";
            String real = "CASE WHEN " + value.type() + " IN ('integer', 'real') THEN CAST(" + value.value()
                    + " AS REAL) END";
            return "CASE WHEN max(" + value.type() + " = 'real') = 1 THEN sum(" + real + ") ELSE "
                    + SqlFunctions.EXACT_SUM
                    + "(sum(" + held + " >> " + Integer.SIZE + "), sum(" + held + " & " + LOWER_HALF
                    + "), group_concat("
                    + big + ", ',')) END";
        }
    };

    /** An expression that fails as a sum does. It names the value, so that SQLite does not compute it in advance. */
    private static final String OVERFLOW = "abs(-9223372036854775807 - (typeof(%s) = 'real'))";

    private static final long LOWER_HALF = 0xFFFF_FFFFL;

    /** An aggregate expression for the sum of the numbers among some values. */
    abstract String expression(JsonValue value);

    /**
     * Answers with the sums that SQLite computes fastest, and again with those of any size when they do not suffice.
     *
     * @param answer may fail with SQLite's error for integers that overflow
     */
    static <T> T fastest(Function<Sums, T> answer) {
        try {
            return answer.apply(OF_64_BITS);
        } catch (OntologiaException e) {
            if (e.getCause() != null
                    && String.valueOf(e.getCause().getMessage()).contains("integer overflow")) {
                return answer.apply(OF_ANY_SIZE);
            }
            throw e;
        }
    }

    /** The result of an aggregate as a JSON number: what is held as a blob is a big integer. */
    static JsonValue number(String result) {
        String digits = "CAST(" + result + " AS TEXT)";
        return new JsonValue(
                "typeof(" + result + ")",
                "CASE typeof(" + result + ") WHEN 'blob' THEN CAST(" + digits + " AS REAL) ELSE " + result + " END",
                "CASE typeof(" + result + ") WHEN 'blob' THEN " + digits + " ELSE " + result + " END");
    }

    /**
     * The sum of integers.
     *
     * @param upper the sum of the upper halves of those of 64 bits
     * @param lower the sum of their lower halves
     * @param big the digits of the others, separated by commas; null when there are none
     */
    static Number exact(long upper, long lower, @Nullable String big) {
        ExactSum sum = new ExactSum();
        sum.add(BigInteger.valueOf(upper).shiftLeft(Integer.SIZE).add(BigInteger.valueOf(lower)));
        if (big != null) {
            for (String digits : big.split(",", -1)) {
                sum.add(new BigInteger(digits));
            }
        }
        return sum.value();
    }
}
