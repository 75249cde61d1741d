package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tests whether some item of a list passes; false for null, missing and empty lists. */
public final class AnyItem {
    private final FieldPath list;
    private final List<String> item;

    AnyItem(FieldPath list, List<String> item) {
        this.list = list;
        this.item = item;
    }

    /** Some item is equal. */
    public Filter eq(Object value) {
        return test(comparison(Filter.Op.EQ, value));
    }

    /** Some item is not equal. */
    public Filter ne(Object value) {
        return test(comparison(Filter.Op.NE, value));
    }

    /** Some item is greater. */
    public Filter gt(Object value) {
        return test(comparison(Filter.Op.GT, value));
    }

    /** Some item is greater or equal. */
    public Filter gte(Object value) {
        return test(comparison(Filter.Op.GTE, value));
    }

    /** Some item is less. */
    public Filter lt(Object value) {
        return test(comparison(Filter.Op.LT, value));
    }

    /** Some item is less or equal. */
    public Filter lte(Object value) {
        return test(comparison(Filter.Op.LTE, value));
    }

    /** Some item is one of these. */
    public Filter in(Collection<?> values) {
        return test(anyOf(values));
    }

    /** Some item is null or lacks the path. */
    public Filter isNull() {
        return test(new Filter.IsNull());
    }

    /** Some item is there and not null. */
    public Filter isNotNull() {
        return test(new Filter.IsNotNull());
    }

    /** Some item is a text that begins so. */
    public Filter startsWith(String prefix) {
        return test(new Filter.Text(Filter.TextOp.STARTS_WITH, prefix));
    }

    /** Some item is a text that ends so. */
    public Filter endsWith(String suffix) {
        return test(new Filter.Text(Filter.TextOp.ENDS_WITH, suffix));
    }

    /** Some item is a text that has this inside. */
    public Filter contains(String part) {
        return test(new Filter.Text(Filter.TextOp.CONTAINS, part));
    }

    static Filter.Test comparison(Filter.Op op, @Nullable Object value) {
        return new Filter.Compare(op, requireValue(value));
    }

    static Filter.Test anyOf(Collection<?> values) {
        List<Object> list = new ArrayList<>();
        for (Object value : values) {
            list.add(requireValue(value));
        }
        return new Filter.In(list);
    }

    private static Object requireValue(@Nullable Object value) {
        if (value == null) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid filter", "nothing equals null", "use isNull or isNotNull");
        }
        return value;
    }

    private Filter test(Filter.Test test) {
        return new Filter.Any(list, item, test);
    }
}
