package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Filter;
import io.ontologia.core.spi.FilterDialect;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Exact comparisons of numbers with a constant. DuckDB compares an integer with a double by rounding the integer; so the
 * constant is turned, before the query runs, into one of the kind that is stored, with an operator that means the same.
 */
final class NumberTests {
    private static final int LONG_BITS = 63;

    private NumberTests() {}

    /** A column or expression with doubles. */
    static String ofDouble(String value, Filter.Op op, Number constant) {
        if (op == Filter.Op.NE) {
            return "NOT (" + ofDouble(value, Filter.Op.EQ, constant) + ")";
        }
        // Adding zero makes zero of minus zero: the filters inside Parquet files tell the two apart.
        double nearest = constant.doubleValue() + 0.0;
        // Whatever is stored is itself a double: the nearest one decides, and whether it is above or below the
        // constant.
        int side = Double.isInfinite(nearest)
                ? (int) Math.signum(nearest)
                : new BigDecimal(nearest).compareTo(exact(constant));
        if (side != 0 && op == Filter.Op.EQ) {
            return "false";
        }
        String operator = side == 0
                ? FilterDialect.operator(op)
                : switch (op) {
                    case GT, GTE -> side > 0 ? ">=" : ">";
                    case LT, LTE -> side > 0 ? "<" : "<=";
                    case EQ, NE -> throw new IllegalStateException("decided above");
                };
        return value + " " + operator + " " + Literals.number(nearest);
    }

    /** A column with integers of 64 bits. */
    static String ofLong(String value, Filter.Op op, Number constant) {
        if (op == Filter.Op.NE) {
            return "NOT (" + ofLong(value, Filter.Op.EQ, constant) + ")";
        }
        if (op == Filter.Op.EQ && !isInteger(constant)) {
            return "false";
        }
        BigInteger bound = bound(op, constant);
        if (bound.bitLength() <= LONG_BITS) {
            return value + " " + FilterDialect.operator(op) + " " + Literals.number(bound.longValueExact());
        }
        boolean smaller = bound.signum() > 0;
        return switch (op) {
            case LT, LTE -> Boolean.toString(smaller);
            case GT, GTE -> Boolean.toString(!smaller);
            case EQ, NE -> "false";
        };
    }

    /** An expression with the digits of an integer of any size. */
    static String ofDigits(String digits, Filter.Op op, Number constant) {
        if (op == Filter.Op.NE) {
            return "NOT (" + ofDigits(digits, Filter.Op.EQ, constant) + ")";
        }
        if (op == Filter.Op.EQ && !isInteger(constant)) {
            return "false";
        }
        BigInteger bound = bound(op, constant);
        String negative = "starts_with(" + digits + ", '-')";
        if (bound.bitLength() <= LONG_BITS) {
            // What is too long for 64 bits is beyond the bound on the side that its sign says.
            String beyond = switch (op) {
                case LT, LTE -> negative;
                case GT, GTE -> "NOT " + negative;
                case EQ, NE -> "false";
            };
            return "coalesce(TRY_CAST(" + digits + " AS BIGINT) " + FilterDialect.operator(op) + " "
                    + Literals.number(bound.longValueExact()) + ", " + beyond + ")";
        }
        String text = Literals.text(bound.toString());
        String length = Integer.toString(bound.toString().length());
        String longer = "(length(" + digits + ") > " + length + " OR length(" + digits + ") = " + length + " AND "
                + digits + " > " + text + ")";
        String shorter = "(length(" + digits + ") < " + length + " OR length(" + digits + ") = " + length + " AND "
                + digits + " < " + text + ")";
        String greater = bound.signum() > 0
                ? "(NOT " + negative + " AND " + longer + ")"
                : "(NOT " + negative + " OR " + shorter + ")";
        String less =
                bound.signum() > 0 ? "(" + negative + " OR " + shorter + ")" : "(" + negative + " AND " + longer + ")";
        return switch (op) {
            case EQ, NE -> digits + " = " + text;
            case GT -> greater;
            case GTE -> "NOT " + less;
            case LT -> less;
            case LTE -> "NOT " + greater;
        };
    }

    /** The integer that integers are compared with in place of the constant. */
    private static BigInteger bound(Filter.Op op, Number constant) {
        RoundingMode rounding = op == Filter.Op.GTE || op == Filter.Op.LT ? RoundingMode.CEILING : RoundingMode.FLOOR;
        return exact(constant).setScale(0, rounding).toBigInteger();
    }

    private static boolean isInteger(Number constant) {
        return exact(constant).stripTrailingZeros().scale() <= 0;
    }

    static BigDecimal exact(Number number) {
        if (number instanceof BigInteger big) {
            return new BigDecimal(big);
        }
        return number instanceof Double real ? new BigDecimal(real) : BigDecimal.valueOf(number.longValue());
    }
}
