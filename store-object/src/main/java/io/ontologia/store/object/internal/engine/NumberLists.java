package io.ontologia.store.object.internal.engine;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Which of many numbers a stored one of some kind can equal, as texts in the form of that kind. */
final class NumberLists {
    private NumberLists() {}

    /** As integers of 64 bits. */
    static List<String> longs(List<Number> numbers) {
        return texts(numbers, exact -> integer(exact).filter(whole -> whole.bitLength() < Long.SIZE));
    }

    /** As digits of integers of any size. */
    static List<String> digits(List<Number> numbers) {
        return texts(numbers, NumberLists::integer);
    }

    /** As doubles. */
    static List<String> doubles(List<Number> numbers) {
        return texts(numbers, exact -> {
            // Adding zero makes zero of minus zero.
            double nearest = exact.doubleValue() + 0.0;
            return Double.isFinite(nearest) && new BigDecimal(nearest).compareTo(exact) == 0
                    ? Optional.of(nearest)
                    : Optional.empty();
        });
    }

    private static <T> List<String> texts(List<Number> numbers, Function<BigDecimal, Optional<T>> form) {
        return numbers.stream()
                .map(NumberTests::exact)
                .map(form)
                .flatMap(Optional::stream)
                .map(Object::toString)
                .distinct()
                .toList();
    }

    private static Optional<BigInteger> integer(BigDecimal exact) {
        return exact.signum() == 0 || exact.stripTrailingZeros().scale() <= 0
                ? Optional.of(exact.toBigInteger())
                : Optional.empty();
    }
}
