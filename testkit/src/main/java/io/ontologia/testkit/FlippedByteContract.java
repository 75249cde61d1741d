package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * One byte of a store is changed: every answer is the same as before, or an error, or the check of the store finds a problem. The
 * property {@code ontologia.flips} says how many bytes are tried.
 */
public abstract class FlippedByteContract extends OntologySuite {
    private static final int FLIPS = Integer.getInteger("ontologia.flips", 12);
    private static final List<TypeRef> TYPES =
            List.of(TypeRef.entity("Customer"), TypeRef.entity("Product"), TypeRef.relation("Subscription"));

    /** The files whose bytes are changed. */
    protected abstract List<Path> files() throws IOException;

    /** Whether an answer that differs must be an error and may not only be found by the check. */
    protected abstract boolean readsAreChecked();

    private void fill() {
        try (Session session = Ontologia.open(uri(), options(), Shop.TYPES)) {
            for (int i = 0; i < 6; i++) {
                session.ensure(Customer.of("c" + i % 3, "Gold", i), new Product("p" + i, "Pen", i));
                session.ensure(new Subscription("c" + i % 3, "p" + i, i, true));
                session.commit(Map.of("by", "test " + i));
            }
        }
    }

    private SessionOptions readOnly() {
        return options().storage(options().storage().mode(StorageOptions.Mode.READ_ONLY));
    }

    /** Everything that is asked, as text; what fails is the text "error". */
    private List<String> answers() {
        List<String> answers = new ArrayList<>();
        try (Maintenance maintenance = Ontologia.maintain(uri(), readOnly())) {
            Storage storage = maintenance.storage();
            for (TypeRef type : TYPES) {
                answers.add(answer(() -> storage.schemaVersions(type).toString()));
                answers.add(answer(() -> rows(storage, RowQuery.of(type, new Window.Latest()))));
                answers.add(answer(() -> rows(storage, RowQuery.of(type, new Window.History(0)))));
            }
            answers.add(answer(() -> {
                try (Stream<CommitInfo> commits = storage.commits(0, OptionalLong.empty())) {
                    return commits.toList().toString();
                }
            }));
            for (long id = 1; id <= 6; id++) {
                long commit = id;
                answers.add(answer(() -> {
                    try (var changes = storage.changes(commit)) {
                        return changes.toList().toString();
                    }
                }));
            }
        } catch (OntologiaException e) {
            return List.of(ERROR);
        }
        return answers;
    }

    private static final String ERROR = "error";

    private interface Question {
        String ask();
    }

    private static String answer(Question question) {
        try {
            return question.ask();
        } catch (OntologiaException e) {
            return ERROR;
        }
    }

    private static String rows(Storage storage, RowQuery query) {
        try (Stream<StoredRow> rows = storage.rows(query)) {
            return rows.map(StoredRow::toString).sorted().toList().toString();
        }
    }

    private boolean isFound() {
        try (Maintenance maintenance = Ontologia.maintain(uri(), readOnly())) {
            return maintenance.check(Progress.none()).stream().anyMatch(Finding::isProblem);
        } catch (OntologiaException e) {
            return true;
        }
    }

    @Test
    void a_flipped_byte_changes_no_answer_without_being_noticed() throws IOException {
        fill();
        List<String> expected = answers();
        assertThat(expected).doesNotContain(ERROR);
        assertThat(isFound()).isFalse();
        List<Path> files = files();
        Seeds.forEach("Flipped bytes", FLIPS, random -> {
            Path file = files.get(random.nextInt(files.size()));
            byte[] original = Files.readAllBytes(file);
            byte[] changed = original.clone();
            int at = random.nextInt(changed.length);
            changed[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, changed);
            try {
                List<String> seen = answers();
                boolean same = seen.equals(expected);
                boolean differs = !same && seen.size() == expected.size() && differs(seen, expected);
                String where = file.getFileName() + " byte " + at;
                assertThat(same || isFound()).as("found by the check: " + where).isTrue();
                assertThat(differs && readsAreChecked())
                        .as("another answer without an error: " + where)
                        .isFalse();
            } finally {
                Files.write(file, original);
            }
        });
    }

    private static boolean differs(List<String> seen, List<String> expected) {
        for (int i = 0; i < seen.size(); i++) {
            if (!seen.get(i).equals(ERROR) && !seen.get(i).equals(expected.get(i))) {
                return true;
            }
        }
        return false;
    }
}
