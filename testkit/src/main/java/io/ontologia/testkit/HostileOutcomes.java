package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.StoreOperations.Answer;
import io.ontologia.testkit.StoreOperations.Defect;
import io.ontologia.testkit.StoreOperations.Outcome;
import io.ontologia.testkit.StoreOperations.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * How operations may end on a store with hostile content:
 *
 * <ul>
 *   <li>with an answer. What it says of rows, schemas and commits is as before, or the check of the store reports a problem. What
 *       it says of events may differ: nothing but the events themselves says what they were;
 *   <li>with an error of kind {@link ErrorKind#CORRUPT} that names what is damaged;
 *   <li>with one of the errors in {@link #EXCEPTIONS}.
 * </ul>
 */
final class HostileOutcomes {
    /**
     * What an error names: an object, a table, a file, or a part of the store by its number or name. Where SQLite refuses a
     * statement because tables contradict each other, it does not name the table.
     */
    private static final Pattern NAMED = Pattern.compile(
            "(meta|commits|snapshots|events|claims|sessions|dead_letters)/|\\.json|\\.parquet|\\.db\\b|table |column "
                    + "|commit -?\\d|entity |relation |event |schema|data file|row|lock|not the same in both|contradicts itself");

    /** Who registered a schema, and why. Any text may be there, and no digest covers it. */
    private static final Pattern FREE = Pattern.compile("\\b(runtime_id|reason)\\b");

    /** An error of another kind that is right, because the store is valid and says something else than before. */
    private record RightError(ErrorKind kind, Pattern place, Pattern message) {}

    private static final Pattern ANY = Pattern.compile("");
    private static final Pattern SCHEMAS = Pattern.compile("schema|manifest\\.json|entity_history|relation_history");

    private static final List<RightError> EXCEPTIONS = List.of(
            // The fields of a row are not those that the program's record has. The error names the row.
            exception(ErrorKind.INVALID_INPUT, ANY, "^cannot read (entity|relation) \\w+ '"),
            // The row of the data file or of the table has no fields that the new schema takes. The error names the
            // row.
            exception(ErrorKind.INVALID_INPUT, ANY, "^cannot upgrade (entity|relation) \\w+"),
            // A row says that it has a schema version that its type does not have. The error names row and commit.
            exception(ErrorKind.CONFLICT, ANY, "^cannot read (entity|relation) \\w+ '.*wrote it with version"),
            // The stored schema is valid and is not the one of the program.
            exception(ErrorKind.CONFLICT, SCHEMAS, "^schema mismatch for "),
            // The type has another name now, or is no type any more.
            exception(ErrorKind.NOT_FOUND, SCHEMAS, "^cannot drop (entity|relation) \\w+: the store does not know it"),
            // The event has another id, or is in another namespace now.
            exception(
                    ErrorKind.NOT_FOUND,
                    Pattern.compile("events"),
                    "^cannot replay event e1: namespace 'shop' has no such"),
            // The lock says that another writer holds it.
            exception(ErrorKind.BUSY, Pattern.compile("lock"), "lock"));

    private static RightError exception(ErrorKind kind, Pattern place, String message) {
        return new RightError(kind, place, Pattern.compile(message, Pattern.DOTALL));
    }

    private final Map<String, Outcome> expected;

    /** @param expected of the store without hostile content */
    HostileOutcomes(Map<String, Outcome> expected) {
        this.expected = expected;
    }

    /** Fails when something is wrong with the store before anything is planted. */
    void assertOfGoodStore() {
        expected.forEach(
                (operation, outcome) -> assertThat(outcome).as(operation).isInstanceOf(Answer.class));
        assertThat(expected.get("check")).hasToString("Answer[text=[]]");
    }

    /** Whether the check reports something that it does not report of the good store. */
    private boolean isReported(Map<String, Outcome> outcomes) {
        return !Objects.equals(outcomes.get("check"), expected.get("check"));
    }

    /** What is wrong with the outcomes of a store with something planted in a place. */
    List<String> wrong(String place, Map<String, Outcome> seen) {
        List<String> wrong = new ArrayList<>();
        boolean reported = isReported(seen);
        seen.forEach((operation, outcome) -> {
            if (outcome instanceof Defect defect) {
                wrong.add(operation + " fails: " + shortened(defect.error().toString()));
            } else if (outcome instanceof Refusal refusal) {
                if (!isClear(place, refusal.error())) {
                    wrong.add(operation + " ends with " + refusal.error().kind() + ": "
                            + shortened(refusal.error().getMessage()));
                }
                if (refusal.error().getMessage().contains(HostileValues.SECRET)) {
                    wrong.add(operation + " shows a file outside of the store in its error");
                }
            } else if (outcome instanceof Answer answer) {
                if (answer.text().contains(HostileValues.SECRET)) {
                    wrong.add(operation + " shows a file outside of the store");
                }
                if (!reported
                        && !FREE.matcher(place).find()
                        && StoreOperations.saysWhatIsStored(operation)
                        && !outcome.equals(expected.get(operation))) {
                    wrong.add(operation + " gives another answer, and the check finds nothing: "
                            + shortened(answer.text()));
                }
            }
        });
        return wrong;
    }

    private static boolean isClear(String place, OntologiaException error) {
        String message = error.getMessage();
        return error.kind() == ErrorKind.CORRUPT
                ? NAMED.matcher(message).find()
                : EXCEPTIONS.stream()
                        .anyMatch(one -> one.kind() == error.kind()
                                && one.place().matcher(place).find()
                                && one.message().matcher(message).find());
    }

    private static String shortened(String text) {
        return text.length() <= 300 ? text : text.substring(0, 300) + "…";
    }
}
