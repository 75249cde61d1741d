package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A value computed over many rows. Over no rows a count is 0 and everything else is null.
 *
 * @param name what the result is called
 * @param path the field it is computed from; empty for counts
 * @param filter for {@link Function#COUNT_WHERE}, which rows count
 */
public record Aggregate(String name, Function function, Optional<FieldPath> path, Optional<Filter> filter) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

    /** What is computed. */
    public enum Function {
        /** How many rows. */
        COUNT,
        /** How many rows pass a filter. */
        COUNT_WHERE,
        /**
         * The sum of a number field; what is not a number does not count. The sum of integers is their exact sum, a {@code
         * Long} or, beyond 64 bits, a {@code BigInteger}. Where the field is of type float, or one of the numbers is
         * written with a point or an exponent, it is a double.
         */
        SUM,
        /** The mean of a number field; what is not a number does not count. */
        AVG,
        /** The smallest number, or the smallest text when there is no number. */
        MIN,
        /** The largest text, or the largest number when there is no text. */
        MAX,
        /** The mean length of a list field; what is not a list does not count. */
        AVG_LEN
    }

    /**
     * A condition on a group's result.
     *
     * @param name an aggregate's name, or the path of what is grouped by
     * @param value a text or number, in the form that {@link Filter.Compare} gives it
     */
    public record Having(String name, Filter.Op op, Object value) {
        public Having {
            value = new Filter.Compare(op, value).value();
            if (value instanceof Boolean) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid condition on '" + name + "'",
                        "groups are compared with numbers and texts",
                        "use a filter on rows for true and false");
            }
        }
    }

    public Aggregate {
        boolean wantsPath = function != Function.COUNT && function != Function.COUNT_WHERE;
        if (!NAME.matcher(name).matches()
                || wantsPath != path.isPresent()
                || (function == Function.COUNT_WHERE) != filter.isPresent()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid aggregate '" + name + "'",
                    "it needs a plain name, a field for sum, avg, min, max and avg_len, and a filter for count_where",
                    "write it like sum(\"total\", field(Order::amount))");
        }
    }

    /** How many rows. */
    public static Aggregate count(String name) {
        return new Aggregate(name, Function.COUNT, Optional.empty(), Optional.empty());
    }

    /** How many rows pass a filter. */
    public static Aggregate countWhere(String name, Filter filter) {
        return new Aggregate(name, Function.COUNT_WHERE, Optional.empty(), Optional.of(filter));
    }

    /** The sum of a field: exact for integers, a double otherwise. */
    public static Aggregate sum(String name, FieldExpression<?> field) {
        return over(name, Function.SUM, field);
    }

    /** The mean of a field, as a double. */
    public static Aggregate avg(String name, FieldExpression<?> field) {
        return over(name, Function.AVG, field);
    }

    /** The smallest value of a field, exactly; a number is smaller than a text. */
    public static Aggregate min(String name, FieldExpression<?> field) {
        return over(name, Function.MIN, field);
    }

    /** The largest value of a field, exactly; a text is larger than a number. */
    public static Aggregate max(String name, FieldExpression<?> field) {
        return over(name, Function.MAX, field);
    }

    /** The mean length of a list field. */
    public static Aggregate avgLen(String name, FieldExpression<?> field) {
        return over(name, Function.AVG_LEN, field);
    }

    private static Aggregate over(String name, Function function, FieldExpression<?> field) {
        return new Aggregate(name, function, Optional.of(field.path()), Optional.empty());
    }
}
