package io.ontologia.core;

import io.ontologia.core.spi.RowQuery.Restriction.Part;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/**
 * A step of a traversal that is known to lead on.
 *
 * @param from the end of the relation that it starts at, left or right
 */
record Leg(Step step, RelationType relation, Part from) {

    /**
     * A step from entities of a type.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the relation does not lead on from there
     */
    static Leg of(Step step, RelationType relation, String reached) {
        Part from = switch (step.direction()) {
            case FROM_REACHED_END -> relation.left().equals(reached) ? Part.LEFT : Part.RIGHT;
            case FORWARD -> Part.LEFT;
            case BACKWARD -> Part.RIGHT;
        };
        Leg leg = new Leg(step, relation, from);
        if (!leg.start().equals(reached)) {
            boolean other = leg.end().equals(reached);
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot go from " + reached + " via " + relation.name(),
                    "it leads from " + leg.start() + " to " + leg.end()
                            + (step.direction() == Step.Direction.BACKWARD ? " when followed backward" : ""),
                    other ? "follow it in the other direction" : "choose a relation with " + reached + " at one end");
        }
        if (step.isRepeated() && !leg.end().equals(reached)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot follow " + relation.name() + " several times in a row",
                    "it joins " + relation.left() + " and " + relation.right(),
                    "repeat only relations that have one entity type at both ends, or add a step for each relation");
        }
        return leg;
    }

    /** The entity type that it starts at. */
    String start() {
        return from == Part.LEFT ? relation.left() : relation.right();
    }

    /** The entity type that it leads to. */
    String end() {
        return from == Part.LEFT ? relation.right() : relation.left();
    }

    /** The end of the relation that it leads to. */
    Part to() {
        return from == Part.LEFT ? Part.RIGHT : Part.LEFT;
    }

    /** The key of a relation at the end that it starts at. */
    String startOf(Identity relationIdentity) {
        return key(relationIdentity, from);
    }

    /** The key of a relation at the end that it leads to. */
    String endOf(Identity relationIdentity) {
        return key(relationIdentity, to());
    }

    private static String key(Identity identity, Part part) {
        Identity.OfRelation ends = (Identity.OfRelation) identity;
        return part == Part.LEFT ? ends.leftKey() : ends.rightKey();
    }

    TypeRef relationRef() {
        return relation.ref();
    }

    TypeRef endRef() {
        return TypeRef.entity(end());
    }
}
