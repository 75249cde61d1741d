package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.filter.TypeScope;
import io.ontologia.core.Cascade;
import io.ontologia.core.Query;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What an import says it has all of: the rows of types, or those of them that pass a filter. Rows of the store that are among
 * these and not in the input end.
 *
 * @param scopes which rows; empty for an import that adds to what is there
 * @param allowed how many rows may end; empty for the guard's own limit
 */
record CompleteState(List<TypeScope> scopes, OptionalLong allowed) {
    /** More than this part of the rows, in percent, ends only when the user says so. */
    static final int SHARE = 20;

    /**
     * How many rows of the store are meant, and how many of them end.
     *
     * @param limit how many may end
     */
    record Missing(long present, long retracted, long limit) {
        static final Missing NONE = new Missing(0, 0, 0);

        boolean isTooMany() {
            return retracted > limit;
        }

        /** What to throw when too many would end. */
        OntologiaException refusal() {
            return new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot import",
                    "the import is said to be complete, and " + retracted + " of " + present
                            + " rows that the store has are not in it; " + limit + " may end",
                    "check that the input is complete; if it is, add --allow-retract " + retracted
                            + "; nothing was written",
                    Map.of("present", present, "retractions", retracted, "limit", limit),
                    null);
        }
    }

    boolean isEmpty() {
        return scopes.isEmpty();
    }

    /** Asks a session to end the rows that are not in the input. Reads their identities, one after the other. */
    Missing retract(Session store, Predicate<RowRef> isInInput, Cascade cascade) {
        long present = 0;
        long retracted = 0;
        for (TypeScope scope : scopes) {
            for (TypeRef type : scope.types(store)) {
                Query<Row> all =
                        type.kind() == TypeKind.ENTITY ? store.entities(type.name()) : store.relations(type.name());
                Query<Row> meant = scope.filter().map(all::where).orElse(all);
                try (Stream<RowRef> rows = meant.refs()) {
                    for (RowRef row : (Iterable<RowRef>) rows::iterator) {
                        present++;
                        if (!isInInput.test(row)) {
                            retracted++;
                            store.retract(cascade, row);
                        }
                    }
                }
            }
        }
        return new Missing(present, retracted, allowed.orElse(present * SHARE / 100));
    }
}
