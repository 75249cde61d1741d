package io.ontologia.core.internal.evolution;

import io.ontologia.core.TypeSpec;
import io.ontologia.core.TypeSpec.Primitive;
import java.util.List;
import java.util.stream.Stream;

/** Whether every value of one type is a value of another one. */
final class Widening {
    /** What becomes of the values. */
    enum Result {
        /** They stay as they are. */
        SAME,
        /** Integers become doubles. */
        TO_FLOAT,
        /** Some have no obvious new form. */
        NONE
    }

    private Widening() {}

    static Result of(TypeSpec before, TypeSpec after) {
        if (fits(before, after)) {
            return Result.SAME;
        }
        List<TypeSpec> old =
                members(before).filter(member -> member != Primitive.NONE).toList();
        List<TypeSpec> now =
                members(after).filter(member -> member != Primitive.NONE).toList();
        boolean numbers = old.equals(List.of(Primitive.INT)) && now.equals(List.of(Primitive.FLOAT));
        return numbers && (after.nullable() || !before.nullable()) ? Result.TO_FLOAT : Result.NONE;
    }

    private static boolean fits(TypeSpec before, TypeSpec after) {
        if (before.equals(after) || after == Primitive.ANY) {
            return true;
        }
        if (before instanceof TypeSpec.ListOf old && after instanceof TypeSpec.ListOf now) {
            return fits(old.item(), now.item());
        }
        if (before instanceof TypeSpec.DictOf old && after instanceof TypeSpec.DictOf now) {
            return fits(old.value(), now.value());
        }
        if (after instanceof TypeSpec.Union) {
            return members(before)
                    .allMatch(member -> members(after)
                            .anyMatch(other -> !(other instanceof TypeSpec.Union) && fits(member, other)));
        }
        return false;
    }

    private static Stream<TypeSpec> members(TypeSpec spec) {
        return spec instanceof TypeSpec.Union union ? union.members().stream() : Stream.of(spec);
    }
}
