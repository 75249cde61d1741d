package io.ontologia.core;

/**
 * Sorts the groups of an aggregation by one of their values, in the order that {@link Order} describes: a group without the
 * value comes last in either direction, and ties keep the order of the values grouped by.
 *
 * @param name an aggregate's name, or the path of what is grouped by
 */
public record GroupOrder(String name, Order.Direction direction) {
    /** The smallest value of an aggregate first. */
    public static GroupOrder ascending(String aggregate) {
        return new GroupOrder(aggregate, Order.Direction.ASCENDING);
    }

    /** The largest value of an aggregate first. */
    public static GroupOrder descending(String aggregate) {
        return new GroupOrder(aggregate, Order.Direction.DESCENDING);
    }

    /** The smallest value of a field that is grouped by first. */
    public static GroupOrder ascending(FieldExpression<?> groupedBy) {
        return ascending(groupedBy.path().toString());
    }

    /** The largest value of a field that is grouped by first. */
    public static GroupOrder descending(FieldExpression<?> groupedBy) {
        return descending(groupedBy.path().toString());
    }
}
