package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Filter;
import io.ontologia.core.spi.ExactSum;
import io.ontologia.core.spi.FilterDialect.JsonValue;
import io.ontologia.core.spi.SqlFragment;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How numbers are added up: integers exactly, and as doubles where one of the numbers is not an integer. A sum has three
 * columns: the sum of integers, the sum of all numbers as doubles where one is no integer, and the digits of integers that are
 * not part of the first, separated by commas.
 */
enum Sums {
    /** By DuckDB's own sum, which fails when integers, or their sum, need more than 128 bits. */
    OF_128_BITS,
    /** Of any size. The digits of large integers leave the engine; so groups can be neither chosen nor sorted there. */
    OF_ANY_SIZE;

    private static final String NO_INTEGER = "CAST(NULL AS HUGEINT)";
    private static final String NO_REAL = "CAST(NULL AS DOUBLE)";
    private static final String NO_DIGITS = "CAST(NULL AS VARCHAR)";

    static String integers(int aggregate) {
        return "a" + aggregate;
    }

    static String reals(int aggregate) {
        return "d" + aggregate;
    }

    static String digits(int aggregate) {
        return "b" + aggregate;
    }

    /** The columns of a sum. */
    List<SqlFragment> columns(int aggregate, JsonValue value, DuckDbDialect dialect) {
        FieldKind kind = dialect.kindOf(value).orElse(FieldKind.JSON);
        return switch (kind) {
            case INT -> columns(aggregate, "sum(" + value.value() + ")", NO_REAL, NO_DIGITS);
            // Sums that keep what rounding takes away, so that they hardly depend on the order of rows.
            case FLOAT -> columns(aggregate, NO_INTEGER, "fsum(" + value.value() + ")", NO_DIGITS);
            case STR, BOOL, NONE -> columns(aggregate, NO_INTEGER, NO_REAL, NO_DIGITS);
            case JSON -> ofJson(aggregate, value, dialect);
        };
    }

    private List<SqlFragment> ofJson(int aggregate, JsonValue value, DuckDbDialect dialect) {
        String isInteger = dialect.isNumber(value) + " AND " + DuckDbDialect.isDigits(value);
        String isReal = dialect.isNumber(value) + " AND NOT " + DuckDbDialect.isDigits(value);
        String real = "CASE WHEN count(CASE WHEN " + isReal + " THEN 1 END) > 0 THEN fsum(CASE WHEN "
                + dialect.isNumber(value) + " THEN TRY_CAST(" + value.value() + " AS DOUBLE) END) END";
        if (this == OF_128_BITS) {
            return columns(
                    aggregate,
                    "sum(CASE WHEN " + isInteger + " THEN CAST(" + value.value() + " AS HUGEINT) END)",
                    real,
                    NO_DIGITS);
        }
        String small = "TRY_CAST(" + value.value() + " AS BIGINT)";
        return columns(
                aggregate,
                "sum(CASE WHEN " + isInteger + " THEN " + small + " END)",
                real,
                "string_agg(CASE WHEN " + isInteger + " AND " + small + " IS NULL THEN " + value.value()
                        + " END, ',')");
    }

    private static List<SqlFragment> columns(int aggregate, String integers, String reals, String digits) {
        return List.of(
                SqlFragment.of("CAST(" + integers + " AS HUGEINT) AS " + integers(aggregate)),
                SqlFragment.of(reals + " AS " + reals(aggregate)),
                SqlFragment.of(digits + " AS " + digits(aggregate)));
    }

    /** Whether this fails for a statement that another way of adding up can answer. */
    boolean isExceededBy(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return this == OF_128_BITS && (message.contains("Conversion Error") || message.contains("Out of Range"));
    }

    /** A condition on a sum. */
    static SqlFragment compared(int aggregate, Filter.Op op, Number number) {
        return SqlFragment.of("CASE WHEN " + reals(aggregate) + " IS NOT NULL THEN "
                + NumberTests.ofDouble(reals(aggregate), op, number) + " WHEN " + integers(aggregate)
                + " IS NOT NULL THEN "
                + NumberTests.ofDigits("CAST(" + integers(aggregate) + " AS VARCHAR)", op, number)
                + " ELSE false END");
    }

    /** What sorts groups by a sum: its double, and what that leaves out of an integer. Null where there is no sum. */
    static List<String> sortKeys(int aggregate) {
        String rounded = "CAST(" + integers(aggregate) + " AS DOUBLE)";
        return List.of(
                "coalesce(" + reals(aggregate) + ", " + rounded + ")",
                "CASE WHEN " + reals(aggregate) + " IS NULL THEN coalesce(" + integers(aggregate) + " - TRY_CAST("
                        + rounded + " AS HUGEINT), 0) ELSE 0 END");
    }

    /** A sum from its columns. */
    static @Nullable Number value(@Nullable Object integers, @Nullable Object reals, @Nullable String digits) {
        if (reals != null) {
            return (Number) reals;
        }
        if (integers == null && digits == null) {
            return null;
        }
        ExactSum sum = new ExactSum();
        if (integers != null) {
            sum.add(new BigInteger(integers.toString()));
        }
        if (digits != null) {
            for (String integer : digits.split(",", -1)) {
                sum.add(new BigInteger(integer));
            }
        }
        return sum.value();
    }
}
