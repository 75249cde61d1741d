package io.ontologia.core.internal.validation;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Gathers everything that is wrong with one thing, so that it can be told at once. */
public final class Problems {
    private static final String DETAIL = "problems";

    private final List<String> found = new ArrayList<>();

    /** One more. */
    public void add(String problem) {
        found.add(problem);
    }

    /** Whether nothing is wrong so far. */
    public boolean none() {
        return found.isEmpty();
    }

    /** The result of a step; empty when it is refused, and then all its problems are gathered, each behind a prefix. */
    public <T> Optional<T> attempt(String prefix, Supplier<T> step) {
        try {
            return Optional.of(step.get());
        } catch (OntologiaException e) {
            of(e).forEach(problem -> found.add(prefix + problem));
            return Optional.empty();
        }
    }

    private static List<String> of(OntologiaException e) {
        return e.details().get(DETAIL) instanceof List<?> several
                ? several.stream().map(String::valueOf).toList()
                : List.of(e.getMessage());
    }

    /**
     * Refuses the thing when something is wrong with it.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} with every problem in its message and details
     */
    public void refuseIfAny(String what) {
        if (!found.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    what,
                    String.join("; ", found),
                    "",
                    Map.of(DETAIL, List.copyOf(found)),
                    null);
        }
    }
}
