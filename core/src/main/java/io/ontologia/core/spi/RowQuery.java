package io.ontologia.core.spi;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.Order;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

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

    public RowQuery {
        if (after.isPresent() && (!order.isEmpty() || offset > 0 || window instanceof Window.History)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot continue after a row",
                    "the query has an order, an offset or a history",
                    "use it on queries in identity order, or page with offset");
        }
    }

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

    /** The same over rows of one schema version, or of every one. */
    public RowQuery ofVersion(OptionalLong version) {
        return new RowQuery(
                type, window, filter, leftType, rightType, version, restriction, order, limit, offset, after);
    }

    /** Every row of the same type and window, with the same restriction, in its natural order. */
    public RowQuery unfiltered() {
        return new RowQuery(
                type,
                window,
                Optional.empty(),
                leftType,
                rightType,
                schemaVersion,
                restriction,
                List.of(),
                OptionalLong.empty(),
                0,
                Optional.empty());
    }

    /** Every path that the filter or the order looks at, each once. */
    public Set<FieldPath> paths() {
        Set<FieldPath> paths = new LinkedHashSet<>();
        filter.ifPresent(tests -> collect(tests, paths));
        order.forEach(part -> paths.add(part.path()));
        return paths;
    }

    private static void collect(Filter filter, Set<FieldPath> paths) {
        if (filter instanceof Filter.At at) {
            paths.add(at.path());
        } else if (filter instanceof Filter.Any any) {
            paths.add(any.list());
        } else if (filter instanceof Filter.And and) {
            and.parts().forEach(part -> collect(part, paths));
        } else if (filter instanceof Filter.Or or) {
            or.parts().forEach(part -> collect(part, paths));
        } else if (filter instanceof Filter.Not not) {
            collect(not.part(), paths);
        }
    }

    /** Whether the filter or the order looks into the entity at an end. */
    public boolean looksAt(FieldPath.Scope scope) {
        return order.stream().anyMatch(part -> part.path().scope() == scope)
                || filter.filter(tests -> tests.looksAt(scope)).isPresent();
    }
}
