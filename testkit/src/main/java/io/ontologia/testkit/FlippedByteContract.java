package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Outbox;
import io.ontologia.core.Progress;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * One byte of a store is changed: every answer is the same as before, or an error, or the check of the store finds a problem. Each run
 * changes bytes of every kind of part; the property {@code ontologia.flips} says how many of each kind.
 */
public abstract class FlippedByteContract extends OntologySuite {
    private static final int FLIPS = Integer.getInteger("ontologia.flips", 1);
    private static final List<TypeRef> TYPES =
            List.of(TypeRef.entity("Customer"), TypeRef.entity("Product"), TypeRef.relation("Subscription"));
    private static final String NAMESPACE = "shop";

    /** The files or objects whose bytes are changed, by kind. */
    protected abstract Map<String, List<String>> parts() throws IOException;

    /** The bytes of a part. */
    protected abstract byte[] read(String part) throws IOException;

    /** Replaces a part. Called with the original bytes after each change. */
    protected abstract void write(String part, byte[] bytes) throws IOException;

    /** Whether an answer that differs must be an error and may not only be found by the check. */
    protected abstract boolean readsAreChecked();

    /** Where the store is that is damaged; another one than {@link #uri} when {@link #filled} made a copy. */
    protected String damaged() {
        return uri();
    }

    /** Called when all commits are made, and their session is still open. */
    protected void filled() throws IOException {}

    /** Whether hashes cover the event bus and what is noted about schema versions, too. */
    protected boolean coversEverything() {
        return true;
    }

    private void fill() throws IOException {
        try (Session session = Ontologia.open(uri(), options(), Shop.TYPES)) {
            commit(session, 0, 3);
        }
        compact();
        try (Session session = Ontologia.open(uri(), options(), Shop.TYPES)) {
            commit(session, 3, 6);
            EventStore bus = session.storage().events(EventOptions.of(Map.of("event_max_attempts", "1")));
            bus.ack(claim(bus));
            bus.release(claim(bus).get(0), "broken");
            filled();
        }
    }

    private void commit(Session session, int from, int to) {
        for (int i = from; i < to; i++) {
            session.ensure(Customer.of("c" + i % 3, "Gold", i), new Product("p" + i, "Pen", i));
            session.ensure(new Subscription("c" + i % 3, "p" + i, i, true));
            session.commit(
                    Map.of("by", "test " + i),
                    Outbox.of(NewEvent.of(NAMESPACE, "order", Map.of("n", i)).identity("e" + i, clock.now())));
            tick();
        }
    }

    private static List<Claim> claim(EventStore bus) {
        return bus.claim(new ClaimRequest(
                NAMESPACE, "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 1))));
    }

    private void compact() {
        try (Maintenance maintenance = Ontologia.maintain(uri(), options())) {
            maintenance
                    .storage()
                    .upkeep()
                    .ifPresent(upkeep -> upkeep.compact(Optional.empty(), "operator", Progress.none()));
        }
    }

    private SessionOptions readOnly() {
        return options().storage(options().storage().mode(StorageOptions.Mode.READ_ONLY));
    }

    /** Everything that is asked, as text; what fails is the text "error". */
    private List<String> answers() {
        List<String> answers = new ArrayList<>();
        try (Maintenance maintenance = Ontologia.maintain(damaged(), readOnly())) {
            Storage storage = maintenance.storage();
            for (TypeRef type : TYPES) {
                answers.add(answer(() -> schemas(storage, type)));
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
            if (coversEverything()) {
                answers.addAll(events(storage.events(EventOptions.defaults())));
            }
        } catch (OntologiaException e) {
            return List.of(ERROR);
        }
        return answers;
    }

    private String schemas(Storage storage, TypeRef type) {
        List<SchemaVersion> versions = storage.schemaVersions(type);
        return coversEverything()
                ? versions.toString()
                : versions.stream()
                        .map(version -> version.version() + version.schemaJson())
                        .toList()
                        .toString();
    }

    private static List<String> events(EventStore bus) {
        List<String> answers = new ArrayList<>();
        answers.add(answer(() -> lines(bus.list(NAMESPACE, 100))));
        answers.add(answer(() -> lines(bus.deadLetters(NAMESPACE, 100))));
        for (int i = 0; i < 6; i++) {
            String event = "e" + i;
            answers.add(answer(() -> bus.inspect(NAMESPACE, event).toString()));
        }
        return answers;
    }

    private static String lines(List<?> listed) {
        return listed.stream().map(Object::toString).collect(Collectors.joining("\n", LISTED, ""));
    }

    private static final String ERROR = "error";
    private static final String LISTED = "listed\n";

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
        try (Maintenance maintenance = Ontologia.maintain(damaged(), readOnly())) {
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
        Map<String, List<String>> parts = parts();
        Seeds.forEach("Flipped bytes", FLIPS, random -> {
            for (Map.Entry<String, List<String>> kind : parts.entrySet()) {
                flip(kind.getValue().get(random.nextInt(kind.getValue().size())), random, expected);
            }
        });
    }

    private void flip(String part, RandomGenerator random, List<String> expected) throws IOException {
        byte[] original = read(part);
        byte[] changed = original.clone();
        int at = random.nextInt(changed.length);
        changed[at] ^= (byte) (1 << random.nextInt(8));
        write(part, changed);
        try {
            List<String> seen = answers();
            boolean same = seen.equals(expected);
            boolean differs = !same && seen.size() == expected.size() && differs(seen, expected);
            String where = part + " byte " + at;
            assertThat(same || isFound()).as("found by the check: " + where).isTrue();
            assertThat(differs && readsAreChecked())
                    .as("another answer without an error: " + where)
                    .isFalse();
        } finally {
            write(part, original);
        }
    }

    private static boolean differs(List<String> seen, List<String> expected) {
        for (int i = 0; i < seen.size(); i++) {
            if (!seen.get(i).equals(ERROR) && !isPartOf(seen.get(i), expected.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Listings of the event bus leave out what cannot be read, with a warning in the log; what they show is as it was. */
    private static boolean isPartOf(String seen, String expected) {
        return seen.startsWith(LISTED)
                ? expected.lines().toList().containsAll(seen.lines().toList())
                : seen.equals(expected);
    }
}
