package io.ontologia.core.spi;

import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.Order;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which rows to read, and in which order.
 *
 * @param leftType the entity type at the left end, when the filter or order looks there
 * @param rightType the entity type at the right end, when the filter or order looks there
 * @param schemaVersion only rows of this schema version; rows without one (of old files) count as version 1
 * @param restriction only rows with certain keys
 * @param order before ties are broken by identity; when empty, identity alone (after the commit, in a history)
 * @param after only rows that come after this one, in identity order; only without order, offset and history
 */
public record RowQuery(
        TypeRef type,
        Window window,
        Optional<Filter> filter,
        Optional<String> leftType,
        Optional<String> rightType,
        OptionalLong schemaVersion,
        Optional<Restriction> restriction,
        List<Order> order,
        OptionalLong limit,
        long offset,
        Optional<Identity> after) {

    /** Which keys to look at, many at once. */
    public record Restriction(Part part, List<String> keys) {
        /** The part of the identity that is restricted. */
        public enum Part {
            /** An entity's key. */
            KEY,
            /** A relation's left key. */
            LEFT,
            /** A relation's right key. */
            RIGHT
        }
    }

    /** Every row of a type in a window. */
    public static RowQuery of(TypeRef type, Window window) {
        return new RowQuery(
                type,
                window,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                List.of(),
                OptionalLong.empty(),
                0,
                Optional.empty());
    }

    /** The same, restricted to keys. */
    public RowQuery restrictedTo(Restriction keys) {
        return new RowQuery(
                type,
                window,
                filter,
                leftType,
                rightType,
                schemaVersion,
                Optional.of(keys),
                order,
                limit,
                offset,
                after);
    }
}
