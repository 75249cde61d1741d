package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;

/**
 * One step of a {@link Traversal}: the relation type to follow, in which direction, how far, and which relations and entities
 * count.
 *
 * @param most how many relations of the type the step may follow one after the other; {@link #UNBOUNDED} for all
 * @param relations only relations that pass; their ends can be tested with {@code left.} and {@code right.} paths
 * @param targets only relations that lead to a stored entity which passes
 */
public record Step(
        String relation, Direction direction, int most, Optional<Filter> relations, Optional<Filter> targets) {
    /** As far as there are relations. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    /** Which end of the relation a step starts at. */
    public enum Direction {
        /** The end whose type the path has reached; the left one where both ends have that type. */
        FROM_REACHED_END,
        /** From the left end to the right one. */
        FORWARD,
        /** From the right end to the left one. */
        BACKWARD
    }

    public Step {
        if (most < 1) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid step along " + relation,
                    "it may follow " + most + " relations",
                    "use 1 or more");
        }
    }

    /** One relation of this type. */
    public static Step along(String relation) {
        return new Step(relation, Direction.FROM_REACHED_END, 1, Optional.empty(), Optional.empty());
    }

    /** The same from left to right. */
    public Step forward() {
        return new Step(relation, Direction.FORWARD, most, relations, targets);
    }

    /** The same from right to left. */
    public Step backward() {
        return new Step(relation, Direction.BACKWARD, most, relations, targets);
    }

    /**
     * The same along up to so many relations, one after the other. The type must have the same entity type at both ends. From
     * each entity the step leads once to each entity within that distance, by a shortest path; where a cycle leads back, also to
     * the entity where it started.
     */
    public Step upTo(int relationsInARow) {
        return new Step(relation, direction, relationsInARow, relations, targets);
    }

    /** As {@link #upTo}, as far as there are relations: the transitive closure. */
    public Step toTheEnd() {
        return upTo(UNBOUNDED);
    }

    /** The same along relations that pass the filter, and those given before. */
    public Step where(Filter filter) {
        return new Step(relation, direction, most, Optional.of(both(relations, filter)), targets);
    }

    /** The same to stored entities that pass the filter, and those given before. */
    public Step whereTarget(Filter filter) {
        return new Step(relation, direction, most, relations, Optional.of(both(targets, filter)));
    }

    /** Whether it may follow more than one relation. */
    public boolean isRepeated() {
        return most > 1;
    }

    private static Filter both(Optional<Filter> before, Filter filter) {
        return before.map(one -> one.and(filter)).orElse(filter);
    }
}
