package io.ontologia.core;

import io.ontologia.core.internal.records.TextForms;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which rows a query returns. Filters mean the same on every backend:
 *
 * <ul>
 *   <li>Logic has three values, as in SQL: a comparison with a missing or null value is neither true nor false, and
 *       neither is its negation.
 *   <li>Numbers compare as numbers, integers and doubles with each other and exactly; texts compare by code point;
 *       booleans are not numbers.
 *   <li>Values of different JSON types are never equal and never ordered.
 *   <li>Prefix, suffix and substring tests respect case and know no wildcards; they are false for what is not a text.
 *   <li>{@code in} an empty list is false.
 *   <li>Moments, dates and UUIDs compare as the texts that they are stored as, whose order is that of the values.
 * </ul>
 *
 * <p>A filter has at most 500 tests and nests at most 100 levels deep; a larger one is refused when it is made. A list of
 * {@code in} counts as one test and may hold far more values.
 */
public sealed interface Filter {

    /** A comparison operator. */
    enum Op {
        /** Equal. */
        EQ,
        /** Not equal. */
        NE,
        /** Greater. */
        GT,
        /** Greater or equal. */
        GTE,
        /** Less. */
        LT,
        /** Less or equal. */
        LTE
    }

    /** A test of a text. */
    enum TextOp {
        /** Begins with. */
        STARTS_WITH,
        /** Ends with. */
        ENDS_WITH,
        /** Has inside. */
        CONTAINS
    }

    /** A test of one value. */
    sealed interface Test {}

    /**
     * Compares with a text, number or boolean. An enum constant, {@code Instant}, {@code OffsetDateTime}, {@code
     * ZonedDateTime}, {@code LocalDate} or {@code UUID} is taken as the text that it is stored as.
     *
     * @param value a {@code String}, {@code Long}, {@code BigInteger}, {@code Double} or {@code Boolean}
     */
    record Compare(Op op, Object value) implements Test {
        public Compare {
            value = scalar(value);
            if (value instanceof Boolean && op != Op.EQ && op != Op.NE) {
                throw invalid("true and false have no order", "use eq or ne");
            }
        }
    }

    /** Equal to one of several values. */
    record In(List<Object> values) implements Test {
        public In {
            values = values instanceof ValueList
                    ? values
                    : new ValueList(values.stream().map(Filter::scalar).toList());
        }

        /** Whether a JSON value other than null equals one of them. */
        public boolean has(Object json) {
            return ((ValueList) values).has(json);
        }
    }

    /** Missing or null. Never unknown. */
    record IsNull() implements Test {}

    /** There and not null. Never unknown. */
    record IsNotNull() implements Test {}

    /** Tests a text for a part of it. */
    record Text(TextOp op, String part) implements Test {
        public Text {
            scalar(part);
        }
    }

    /** The value at a path passes a test. */
    record At(FieldPath path, Test test) implements Filter {}

    /**
     * Some item of a list passes a test. False when the value is no list, null, missing or empty; never unknown.
     *
     * @param item the path inside each item; empty for the item itself
     */
    record Any(FieldPath list, List<String> item, Test test) implements Filter {
        public Any {
            item = item.isEmpty()
                    ? List.of()
                    : FieldPath.of(item.toArray(String[]::new)).segments();
            if (list.scope() != FieldPath.Scope.SELF) {
                throw invalid(
                        "a test of list items cannot look into the ends of a relation", "query the entities instead");
            }
        }
    }

    /** All of several; true when there are none. */
    record And(List<Filter> parts) implements Filter {
        public And {
            parts = List.copyOf(parts);
            FilterSize.require(parts);
        }
    }

    /** At least one of several; false when there are none. */
    record Or(List<Filter> parts) implements Filter {
        public Or {
            parts = List.copyOf(parts);
            FilterSize.require(parts);
        }
    }

    /** Not so; unknown stays unknown. */
    record Not(Filter part) implements Filter {
        public Not {
            FilterSize.require(List.of(part));
        }
    }

    /** This and the other. A chain of them is one {@link And}. */
    default Filter and(Filter other) {
        return new And(Stream.of(this, other)
                .flatMap(part -> part instanceof And and ? and.parts().stream() : Stream.of(part))
                .toList());
    }

    /** This or the other. A chain of them is one {@link Or}. */
    default Filter or(Filter other) {
        return new Or(Stream.of(this, other)
                .flatMap(part -> part instanceof Or or ? or.parts().stream() : Stream.of(part))
                .toList());
    }

    /** Not this; of a negation, what it negates. */
    default Filter not() {
        return this instanceof Not not ? not.part() : new Not(this);
    }

    /** Every path that it looks at, each once. */
    default Set<FieldPath> paths() {
        Set<FieldPath> paths = new LinkedHashSet<>();
        Deque<Filter> left = new ArrayDeque<>(List.of(this));
        while (!left.isEmpty()) {
            Filter next = left.pop();
            if (next instanceof At at) {
                paths.add(at.path());
            } else if (next instanceof Any any) {
                paths.add(any.list());
            } else if (next instanceof Not not) {
                left.push(not.part());
            } else {
                List<Filter> parts = next instanceof And and ? and.parts() : ((Or) next).parts();
                for (int i = parts.size() - 1; i >= 0; i--) {
                    left.push(parts.get(i));
                }
            }
        }
        return paths;
    }

    /** Whether it looks at a value in this document. */
    default boolean looksAt(FieldPath.Scope scope) {
        return paths().stream().anyMatch(path -> path.scope() == scope);
    }

    private static Object scalar(@Nullable Object value) {
        if (value == null) {
            throw invalid("nothing equals null", "use isNull or isNotNull");
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Float single) {
            return scalar(single.doubleValue());
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof Instant
                || value instanceof OffsetDateTime
                || value instanceof ZonedDateTime
                || value instanceof LocalDate
                || value instanceof UUID) {
            return TextForms.of(value);
        }
        if (value instanceof BigInteger big && big.bitLength() < Long.SIZE) {
            return big.longValueExact();
        }
        if (value instanceof Double number && !Double.isFinite(number)) {
            throw invalid(number + " is no JSON number", "compare with a finite number");
        }
        if (value instanceof String text && text.indexOf('\0') >= 0) {
            throw invalid("a text with a NUL character is never stored", "leave it out");
        }
        if (value instanceof String
                || value instanceof Long
                || value instanceof BigInteger
                || value instanceof Double
                || value instanceof Boolean) {
            return value;
        }
        throw invalid(
                "a " + value.getClass().getSimpleName() + " cannot be compared with",
                "use a text, number, boolean, enum constant, Instant, LocalDate or UUID");
    }

    private static OntologiaException invalid(String cause, String remedy) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "invalid filter", cause, remedy);
    }
}
