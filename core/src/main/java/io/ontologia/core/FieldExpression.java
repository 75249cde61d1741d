package io.ontologia.core;

import io.ontologia.core.internal.records.FieldNames;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field to build filters and orders from.
 *
 * @param <V> the Java type of its values
 */
public final class FieldExpression<V> {
    private final FieldPath path;

    FieldExpression(FieldPath path) {
        this.path = path;
    }

    /** Where the field is. */
    public FieldPath path() {
        return path;
    }

    /** A field inside this one, by the accessor of the nested record. */
    public <N, W> FieldExpression<W> at(FieldRef<N, W> nested) {
        return new FieldExpression<>(path.then(FieldNames.of(nested)));
    }

    /** A field inside this one, by name, for example {@code city} or {@code geo.lat}. */
    public FieldExpression<Object> at(String subPath) {
        FieldPath inner = path;
        for (String segment : subPath.split("\\.", -1)) {
            inner = inner.then(segment);
        }
        return new FieldExpression<>(inner);
    }

    /** Some item of this list, at a path inside the item. */
    public AnyItem anyPath(String itemPath) {
        return new AnyItem(path, List.of(itemPath.split("\\.", -1)));
    }

    /** Some item of this list. */
    public AnyItem any() {
        return new AnyItem(path, List.of());
    }

    /** Equal. Refuses null: use {@link #isNull()}. */
    public Filter eq(V value) {
        return compare(Filter.Op.EQ, value);
    }

    /** Not equal. Refuses null: use {@link #isNotNull()}. */
    public Filter ne(V value) {
        return compare(Filter.Op.NE, value);
    }

    /** Greater. */
    public Filter gt(V value) {
        return compare(Filter.Op.GT, value);
    }

    /** Greater or equal. */
    public Filter gte(V value) {
        return compare(Filter.Op.GTE, value);
    }

    /** Less. */
    public Filter lt(V value) {
        return compare(Filter.Op.LT, value);
    }

    /** Less or equal. */
    public Filter lte(V value) {
        return compare(Filter.Op.LTE, value);
    }

    /** Equal to one of them; false when there are none. */
    public Filter in(Collection<? extends V> values) {
        return new Filter.At(path, AnyItem.anyOf(values));
    }

    /** Missing or null. */
    public Filter isNull() {
        return new Filter.At(path, new Filter.IsNull());
    }

    /** There and not null. */
    public Filter isNotNull() {
        return new Filter.At(path, new Filter.IsNotNull());
    }

    /** True. */
    public Filter isTrue() {
        return new Filter.At(path, new Filter.Compare(Filter.Op.EQ, true));
    }

    /** False. */
    public Filter isFalse() {
        return new Filter.At(path, new Filter.Compare(Filter.Op.EQ, false));
    }

    /** A text that begins so. */
    public Filter startsWith(String prefix) {
        return new Filter.At(path, new Filter.Text(Filter.TextOp.STARTS_WITH, prefix));
    }

    /** A text that ends so. */
    public Filter endsWith(String suffix) {
        return new Filter.At(path, new Filter.Text(Filter.TextOp.ENDS_WITH, suffix));
    }

    /** A text that has this inside. */
    public Filter contains(String part) {
        return new Filter.At(path, new Filter.Text(Filter.TextOp.CONTAINS, part));
    }

    /** Ascending order; null and missing come last. */
    public Order ascending() {
        return new Order(path, Order.Direction.ASCENDING);
    }

    /** Descending order; null and missing come last. */
    public Order descending() {
        return new Order(path, Order.Direction.DESCENDING);
    }

    private Filter compare(Filter.Op op, @Nullable Object value) {
        return new Filter.At(path, AnyItem.comparison(op, value));
    }
}
