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
import java.util.stream.Stream;

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
            RIGHT;

            /** Where the part is. */
            public FieldPath path() {
                return switch (this) {
                    case KEY -> FieldPath.KEY;
                    case LEFT -> FieldPath.LEFT_KEY;
                    case RIGHT -> FieldPath.RIGHT_KEY;
                };
            }
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

    /** The same with another filter, or none. */
    public RowQuery filteredBy(Optional<Filter> tests) {
        return new RowQuery(
                type, window, tests, leftType, rightType, schemaVersion, restriction, order, limit, offset, after);
    }

    /** The same in another window. */
    public RowQuery in(Window other) {
        return new RowQuery(
                type, other, filter, leftType, rightType, schemaVersion, restriction, order, limit, offset, after);
    }

    /** The parts of the filter, each of which must hold, that test nothing but the identity. */
    public List<Filter> identityTests() {
        return conjuncts().stream().filter(RowQuery::testsIdentity).toList();
    }

    /** The other parts of the filter, each of which must hold as well. */
    public List<Filter> otherTests() {
        return conjuncts().stream().filter(part -> !testsIdentity(part)).toList();
    }

    /** Whether the end of a row may be among the results of a history: not when fields are tested, for it has none. */
    public boolean showsEnds() {
        return window instanceof Window.History && otherTests().isEmpty();
    }

    /** Whether a version may be shown, its filter aside. */
    public boolean mayShow(StoredRow row) {
        return !row.isEnd() || showsEnds();
    }

    private static boolean testsIdentity(Filter part) {
        return part.paths().stream().allMatch(path -> path.scope() == FieldPath.Scope.IDENTITY);
    }

    /** The parts of the filter, each of which must hold. */
    public List<Filter> conjuncts() {
        return filter.stream().flatMap(RowQuery::conjuncts).toList();
    }

    private static Stream<Filter> conjuncts(Filter filter) {
        return filter instanceof Filter.And and ? and.parts().stream().flatMap(RowQuery::conjuncts) : Stream.of(filter);
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

    /** Every path that the restriction, the filter or the order looks at, each once. */
    public Set<FieldPath> paths() {
        Set<FieldPath> paths = new LinkedHashSet<>();
        restriction.ifPresent(keys -> paths.add(keys.part().path()));
        filter.ifPresent(tests -> paths.addAll(tests.paths()));
        order.forEach(part -> paths.add(part.path()));
        return paths;
    }

    /** Whether the filter or the order looks into the entity at an end. */
    public boolean looksAt(FieldPath.Scope scope) {
        return order.stream().anyMatch(part -> part.path().scope() == scope)
                || filter.filter(tests -> tests.looksAt(scope)).isPresent();
    }
}
