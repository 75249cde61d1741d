package io.ontologia.core;

import io.ontologia.core.internal.JsonOrder;
import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.HashSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of an {@code in} test, which finds out without going through them whether a JSON value is among them. */
final class ValueList extends AbstractList<Object> implements RandomAccess {
    private final List<Object> values;
    private volatile @Nullable Set<Object> distinct;

    ValueList(List<Object> values) {
        this.values = List.copyOf(values);
    }

    @Override
    public Object get(int index) {
        return values.get(index);
    }

    @Override
    public int size() {
        return values.size();
    }

    /** Whether a JSON value equals one of them, numbers by their value. */
    boolean has(Object json) {
        Set<Object> all = distinct;
        if (all == null) {
            all = new HashSet<>(values.size() * 2);
            for (Object value : values) {
                all.add(normal(value));
            }
            distinct = all;
        }
        return all.contains(normal(json));
    }

    private static Object normal(Object value) {
        if (value instanceof Number number) {
            BigDecimal exact = JsonOrder.exact(number);
            return exact.signum() == 0 ? BigDecimal.ZERO : exact.stripTrailingZeros();
        }
        return value;
    }
}
