package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * JSON trees as DynamoDB's values and back, without loss. What DynamoDB cannot hold (numbers beyond 38 digits or 10^125, whole
 * floating-point numbers beyond 2^53, empty field names, deep nesting) stands there as a map with the one field {@code $json}
 * and its canonical text; so does a map that looks like one.
 */
final class AttributeValues {
    static final AttributeValue NULL = AttributeValue.fromNul(true);

    private static final String ESCAPE = "$json";
    /** DynamoDB nests 32 levels deep. */
    private static final int MAX_DEPTH = 24;

    private static final int MAX_DIGITS = 38;
    private static final double SMALLEST = 1e-128;

    private AttributeValues() {}

    /** The value of a JSON tree; equal trees have equal values. */
    static AttributeValue of(@Nullable Object tree) {
        return of(tree, 1);
    }

    private static AttributeValue of(@Nullable Object tree, int depth) {
        if (tree == null) {
            return NULL;
        }
        if (tree instanceof String text) {
            return AttributeValue.fromS(text);
        }
        if (tree instanceof Boolean truth) {
            return AttributeValue.fromBool(truth);
        }
        if (tree instanceof Map<?, ?> map) {
            return depth > MAX_DEPTH || map.containsKey("") || (map.size() == 1 && map.containsKey(ESCAPE))
                    ? escaped(tree)
                    : map(map, depth);
        }
        if (tree instanceof List<?> list) {
            return depth > MAX_DEPTH
                    ? escaped(tree)
                    : AttributeValue.fromL(
                            list.stream().map(item -> of(item, depth + 1)).toList());
        }
        return number((Number) tree);
    }

    private static AttributeValue map(Map<?, ?> map, int depth) {
        Map<String, AttributeValue> values = new LinkedHashMap<>();
        map.forEach((key, value) -> values.put((String) key, of(value, depth + 1)));
        return AttributeValue.fromM(values);
    }

    private static AttributeValue number(Number number) {
        if (number instanceof Long) {
            return AttributeValue.fromN(number.toString());
        }
        if (number instanceof BigInteger big) {
            return big.abs().toString().length() <= MAX_DIGITS ? AttributeValue.fromN(big.toString()) : escaped(number);
        }
        double real = number.doubleValue();
        // A whole number would come back as an integer, which is another JSON text once it is large.
        return real == Math.rint(real) || Math.abs(real) < SMALLEST
                ? escaped(number)
                : AttributeValue.fromN(BigDecimal.valueOf(real).toString());
    }

    private static AttributeValue escaped(Object tree) {
        return AttributeValue.fromM(Map.of(ESCAPE, AttributeValue.fromS(CanonicalJson.write(tree))));
    }

    /** The tree of all attributes of an item. */
    static Map<String, @Nullable Object> tree(Map<String, AttributeValue> item) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        item.forEach((name, value) -> tree.put(name, tree(value)));
        return tree;
    }

    private static @Nullable Object tree(AttributeValue value) {
        return switch (value.type()) {
            case S -> value.s();
            case N -> number(value.n());
            case BOOL -> value.bool();
            case NUL -> null;
            case L -> {
                List<@Nullable Object> list = new ArrayList<>();
                value.l().forEach(item -> list.add(tree(item)));
                yield list;
            }
            case M -> {
                AttributeValue text = value.m().size() == 1 ? value.m().get(ESCAPE) : null;
                yield text != null && text.s() != null ? Json.parse(text.s()) : tree(value.m());
            }
            default ->
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot read an attribute",
                        "it is a set or binary, which JSON has not",
                        "write it as JSON");
        };
    }

    private static Number number(String text) {
        BigDecimal decimal = new BigDecimal(text);
        if (decimal.stripTrailingZeros().scale() > 0) {
            return decimal.doubleValue();
        }
        BigInteger integer = decimal.toBigIntegerExact();
        return integer.bitLength() < Long.SIZE ? (Number) integer.longValue() : integer;
    }
}
