package io.ontologia.core;

import io.ontologia.core.internal.evolution.ExpressionParser;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SchemaStep} computes from the old fields of a row: literals, fields, {@code + - * /} on numbers, {@code ||} on
 * texts, and a few functions. Where an operand is null, so is the result. Immutable.
 *
 * <p>The functions are {@code int}, {@code float}, {@code str}, {@code bool}, {@code round}, {@code lower}, {@code upper},
 * {@code trim}, {@code coalesce(a, b, …)} and {@code part(text, separator, number)}, which counts from 1.
 */
public final class StepExpression {
    private final String text;
    private final Node root;

    private StepExpression(String text, Node root) {
        this.text = text;
        this.root = root;
    }

    /**
     * Reads an expression.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} that names what is wrong, and where
     */
    public static StepExpression parse(String text) {
        return new StepExpression(text, ExpressionParser.parse(text));
    }

    /** A JSON value that does not depend on the row. */
    public static StepExpression constant(@Nullable Object json) {
        return new StepExpression(CanonicalJson.write(json), new Literal(json));
    }

    /** The expression as it was written; a constant as JSON. */
    public String text() {
        return text;
    }

    /** Whether it is a value that does not depend on the row. */
    public boolean isConstant() {
        return root instanceof Literal;
    }

    /** The fields that it looks at. */
    public Set<String> fields() {
        Set<String> names = new TreeSet<>();
        root.collect(names);
        return names;
    }

    /**
     * Its value for a row.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when an operand is of the wrong type
     */
    public @Nullable Object evaluate(Map<String, @Nullable Object> old) {
        return root.value(old);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StepExpression that && text.equals(that.text) && isConstant() == that.isConstant();
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }

    /** A part of an expression. */
    public sealed interface Node permits Literal, Field, Binary, Call {
        /** Its value for a row. */
        @Nullable Object value(Map<String, @Nullable Object> old);

        /** Adds the fields that it looks at. */
        void collect(Set<String> fields);
    }

    /** A JSON value. */
    public record Literal(@Nullable Object json) implements Node {
        @Override
        public @Nullable Object value(Map<String, @Nullable Object> old) {
            return json;
        }

        @Override
        public void collect(Set<String> fields) {}
    }

    /** A field, or a value inside of one. */
    public record Field(List<String> path) implements Node {
        @Override
        public @Nullable Object value(Map<String, @Nullable Object> old) {
            Object value = old;
            for (String segment : path) {
                value = value instanceof Map<?, ?> map ? map.get(segment) : null;
            }
            return value;
        }

        @Override
        public void collect(Set<String> fields) {
            fields.add(path.get(0));
        }
    }

    /** Two parts joined by {@code + - * /} or {@code ||}. */
    public record Binary(String operator, Node left, Node right) implements Node {
        @Override
        public @Nullable Object value(Map<String, @Nullable Object> old) {
            Object one = left.value(old);
            Object other = right.value(old);
            if (one == null || other == null) {
                return null;
            }
            if (operator.equals("||")) {
                return (String) Conversion.STR.of(one) + Conversion.STR.of(other);
            }
            if (!(one instanceof Number first) || !(other instanceof Number second)) {
                throw wrong("'" + operator + "' needs two numbers, not " + shown(one) + " and " + shown(other));
            }
            return arithmetic(operator, first, second);
        }

        @Override
        public void collect(Set<String> fields) {
            left.collect(fields);
            right.collect(fields);
        }
    }

    /** A function of the list in the class comment. */
    public record Call(String function, List<Node> arguments) implements Node {
        @Override
        public @Nullable Object value(Map<String, @Nullable Object> old) {
            if (function.equals("coalesce")) {
                for (Node argument : arguments) {
                    Object value = argument.value(old);
                    if (value != null) {
                        return value;
                    }
                }
                return null;
            }
            Object first = arguments.get(0).value(old);
            if (first == null) {
                return null;
            }
            return switch (function) {
                case "lower" -> text(first).toLowerCase(Locale.ROOT);
                case "upper" -> text(first).toUpperCase(Locale.ROOT);
                case "trim" -> text(first).trim();
                case "round" -> Conversion.INT.of(Math.rint(number(first).doubleValue()));
                case "part" ->
                    part(
                            text(first),
                            arguments.get(1).value(old),
                            arguments.get(2).value(old));
                default -> Conversion.named(function).of(first);
            };
        }

        private static @Nullable Object part(String text, @Nullable Object separator, @Nullable Object number) {
            if (!(separator instanceof String between) || between.isEmpty() || !(number instanceof Long index)) {
                throw wrong("part needs a text, a separator and a number");
            }
            String[] parts = text.split(Pattern.quote(between), -1);
            return index >= 1 && index <= parts.length ? parts[(int) (index - 1)] : null;
        }

        private static String text(Object value) {
            if (value instanceof String text) {
                return text;
            }
            throw wrong("a text is needed, not " + shown(value));
        }

        private static Number number(Object value) {
            if (value instanceof Number number) {
                return number;
            }
            throw wrong("a number is needed, not " + shown(value));
        }

        @Override
        public void collect(Set<String> fields) {
            arguments.forEach(argument -> argument.collect(fields));
        }
    }

    /** A type that values can be converted to. */
    public enum Conversion {
        /** An integer: of a text that is one, a number without fraction, or a truth value, which becomes 1 or 0. */
        INT,
        /** A double: of a number, or a text that is one. */
        FLOAT,
        /** A text: of a number, a truth value or a text. */
        STR,
        /** A truth value: of {@code true} and {@code false} as texts, 1 and 0. */
        BOOL;

        /** The name in expressions and documents. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * The conversion of this name.
         *
         * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there is none
         */
        public static Conversion named(String name) {
            return Stream.of(values())
                    .filter(one -> one.wireName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> wrong("there is no conversion to '" + name + "'"));
        }

        /**
         * A value as one of this type.
         *
         * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it has no such form
         */
        public Object of(@Nullable Object value) {
            try {
                return switch (this) {
                    case INT -> integer(value);
                    case FLOAT -> decimal(value);
                    case STR -> text(value);
                    case BOOL -> truth(value);
                };
            } catch (ArithmeticException | NumberFormatException e) {
                throw wrong(shown(value) + " is no " + wireName());
            }
        }

        private static Object integer(@Nullable Object value) {
            if (value instanceof Boolean truth) {
                return truth ? 1L : 0L;
            }
            if (value instanceof Long || value instanceof BigInteger || value instanceof Double) {
                return small(new BigDecimal(value.toString()).toBigIntegerExact());
            }
            if (value instanceof String text) {
                return small(new BigInteger(text.trim()));
            }
            throw new ArithmeticException();
        }

        private static Object decimal(@Nullable Object value) {
            double number = value instanceof Number given
                    ? given.doubleValue()
                    : value instanceof String text ? Double.parseDouble(text.trim()) : Double.NaN;
            if (!Double.isFinite(number)) {
                throw new ArithmeticException();
            }
            return number;
        }

        private static Object text(@Nullable Object value) {
            if (value instanceof String || value instanceof Number || value instanceof Boolean) {
                return value.toString();
            }
            throw new ArithmeticException();
        }

        private static Object truth(@Nullable Object value) {
            if (value instanceof Boolean) {
                return value;
            }
            String text = String.valueOf(value);
            if (text.equals("true") || text.equals("1")) {
                return true;
            }
            if (text.equals("false") || text.equals("0")) {
                return false;
            }
            throw new ArithmeticException();
        }
    }

    private static Object arithmetic(String operator, Number one, Number other) {
        boolean whole = !(one instanceof Double) && !(other instanceof Double) && !operator.equals("/");
        if (whole) {
            BigInteger left = new BigInteger(one.toString());
            BigInteger right = new BigInteger(other.toString());
            return small(
                    switch (operator) {
                        case "+" -> left.add(right);
                        case "-" -> left.subtract(right);
                        default -> left.multiply(right);
                    });
        }
        double left = one.doubleValue();
        double right = other.doubleValue();
        double result = switch (operator) {
            case "+" -> left + right;
            case "-" -> left - right;
            case "*" -> left * right;
            default -> left / right;
        };
        if (!Double.isFinite(result)) {
            throw wrong(one + " " + operator + " " + other + " is no finite number");
        }
        return result;
    }

    private static Object small(BigInteger number) {
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
    }

    private static String shown(@Nullable Object value) {
        String json = CanonicalJson.write(value);
        return json.length() <= 60 ? json : json.substring(0, 60) + "…";
    }

    private static OntologiaException wrong(String why) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "cannot compute a value", why, "correct the step or the row");
    }
}
