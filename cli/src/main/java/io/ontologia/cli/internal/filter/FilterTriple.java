package io.ontologia.cli.internal.filter;

import io.ontologia.core.Filter;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One {@code --filter PATH OP JSON}. */
final class FilterTriple {
    private static final String ANY = "any_";

    /** The operators; each also exists with {@code any_} in front, for some item of a list. */
    private enum Operator {
        EQ,
        NE,
        GT,
        GTE,
        LT,
        LTE,
        IN,
        IS_NULL,
        IS_NOT_NULL,
        STARTS_WITH,
        ENDS_WITH,
        CONTAINS
    }

    private FilterTriple() {}

    static Filter parse(String path, String operator, String json) {
        boolean any = operator.startsWith(ANY);
        Operator op = operator(any ? operator.substring(ANY.length()) : operator, operator);
        Object value = value(json);
        if (any) {
            ItemPath items = ItemPath.parse(path);
            return new Filter.Any(items.list(), items.item(), test(op, operator, value));
        }
        return new Filter.At(Paths.parse(path), test(op, operator, value));
    }

    private static @Nullable Object value(String json) {
        try {
            return Json.parse(json);
        } catch (OntologiaException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid --filter",
                    "'" + json + "' is no JSON value",
                    "a text needs quotes inside those of the shell: '\"Gold\"'",
                    e);
        }
    }

    private static Operator operator(String name, String written) {
        return Arrays.stream(Operator.values())
                .filter(op -> op.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid --filter",
                        "there is no operator '" + written + "'",
                        "use "
                                + Arrays.stream(Operator.values())
                                        .map(op -> op.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(", "))
                                + ", or one of them with any_ in front"));
    }

    private static Filter.Test test(Operator op, String written, @Nullable Object value) {
        return switch (op) {
            case EQ, NE, GT, GTE, LT, LTE -> new Filter.Compare(Filter.Op.valueOf(op.name()), scalar(written, value));
            case IN -> new Filter.In(values(written, value));
            case IS_NULL -> bool(written, value) ? new Filter.IsNull() : new Filter.IsNotNull();
            case IS_NOT_NULL -> bool(written, value) ? new Filter.IsNotNull() : new Filter.IsNull();
            case STARTS_WITH, ENDS_WITH, CONTAINS ->
                new Filter.Text(Filter.TextOp.valueOf(op.name()), text(written, value));
        };
    }

    private static Object scalar(String operator, @Nullable Object value) {
        if (value == null) {
            throw refused(operator + " null: nothing equals null", "use is_null true");
        }
        if (value instanceof List || value instanceof Map) {
            throw refused(operator + " takes a text, number or boolean", "use in for a list");
        }
        return value;
    }

    private static List<Object> values(String operator, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(item -> scalar(operator, item)).toList();
        }
        throw refused(operator + " takes a list", "write it like [\"a\",\"b\"]");
    }

    private static boolean bool(String operator, @Nullable Object value) {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw refused(operator + " takes true or false", "write: " + operator + " true");
    }

    private static String text(String operator, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw refused(operator + " takes a text", "write it like '\"abc\"'");
    }

    private static OntologiaException refused(String cause, String remedy) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "invalid --filter", cause, remedy);
    }
}
