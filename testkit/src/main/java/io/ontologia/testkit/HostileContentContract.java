package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Maintenance;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One text, number or list of a store is replaced by one that an attacker could have written, and everything that reads or
 * maintains a store is done: each operation succeeds or ends with a clear error, nothing outside the store and the cache is
 * written, and nothing outside is read.
 *
 * <p>The property {@code ontologia.hostile} says how many of all combinations are tried, the same ones each time; {@code all} tries every one.
 */
public abstract class HostileContentContract extends OntologySuite {
    private static final String PLANTED = System.getProperty("ontologia.hostile", "8");

    /** Errors that say what is wrong with the store, or with what the planted value asks for. */
    private static final Set<ErrorKind> CLEAR =
            Set.of(ErrorKind.CORRUPT, ErrorKind.NOT_FOUND, ErrorKind.CONFLICT, ErrorKind.BUSY);

    private static final String SECRET = "this text must not appear in an answer";

    @TempDir
    Path outside;

    /** One text, number or list in the store. */
    public interface Place {
        /** Where it is, for people. */
        String name();

        /** What is there: a String, a Number or a List. */
        Object content();

        /** Puts something else there. */
        void plant(@Nullable Object value) throws Exception;
    }

    /** Every text, number and list of the store. */
    protected abstract List<Place> places() throws Exception;

    /** Makes the store what it was when {@link #places} was called. */
    protected abstract void restore() throws Exception;

    /** A place and what is put there. */
    private record Planting(Place place, @Nullable Object value) {
        @Override
        public String toString() {
            String text = value instanceof List<?> list ? "a list of " + list.size() : String.valueOf(value);
            return place.name() + " = " + text.substring(0, Math.min(120, text.length()));
        }
    }

    private SessionOptions hurried() {
        return options().runtimeId("operator");
    }

    private void fill() {
        try (Session session = Ontologia.open(uri(), options(), Shop.TYPES)) {
            for (int i = 0; i < 3; i++) {
                session.ensure(Customer.of("c" + i, "Gold", i).tagged("a", "b"), new Product("p" + i, "Pen", i + 0.5));
                session.ensure(new Subscription("c" + i, "p" + i, i, true));
                session.commit(Map.of("by", "test", "n", i));
            }
            EventStore bus = session.storage().events(EventOptions.of(Map.of("event_max_attempts", "1")));
            bus.enqueue(List.of(
                    NewEvent.of("shop", "order", Map.of("n", 1L, "items", List.of("x"))),
                    NewEvent.of("shop", "order", Map.of("n", 2L))));
            bus.registerSession("shop", "worker", Map.of("host", "here"));
            List<Claim> claims = bus.claim(new ClaimRequest(
                    "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 10))));
            var unused = bus.release(claims.get(0), "it failed");
        }
        try (Maintenance maintenance = Ontologia.maintain(uri(), options())) {
            compact(maintenance.storage());
        }
    }

    private static void compact(Storage storage) {
        storage.upkeep().ifPresent(upkeep -> {
            var unused = upkeep.compact(Optional.empty(), "operator", Progress.none());
        });
    }

    private List<@Nullable Object> hostileTexts() {
        String evil = outside.resolve("evil.csv").toString();
        return List.of(
                "'; COPY (SELECT 1) TO '" + evil + "' (FORMAT csv); SELECT '",
                "\"; COPY (SELECT 1) TO '" + evil + "'; --",
                "a\nb\r\n\u0007\u202e",
                "../../../../../../" + outside.resolve("secret.json"),
                outside.resolve("secret.json").toString(),
                "a\u0000b",
                "",
                "x".repeat(10_000));
    }

    private static List<@Nullable Object> hostileNumbers() {
        return List.of(
                -1L, 0L, Long.MAX_VALUE, Long.MIN_VALUE, Double.MAX_VALUE, "NaN", new BigInteger("9".repeat(400)));
    }

    private static List<@Nullable Object> hostileLists() {
        return List.of(List.of(), Collections.nCopies(1_000_000, 1L), List.of(Map.of("a", List.of())));
    }

    private List<Planting> plantings() throws Exception {
        List<Planting> all = new ArrayList<>();
        for (Place place : places()) {
            List<@Nullable Object> values = place.content() instanceof String
                    ? hostileTexts()
                    : place.content() instanceof Number ? hostileNumbers() : hostileLists();
            values.forEach(value -> all.add(new Planting(place, value)));
        }
        return all;
    }

    @Test
    void what_is_planted_in_a_store_does_no_harm() throws Exception {
        fill();
        Files.writeString(outside.resolve("secret.json"), "{\"secret\": \"" + SECRET + "\"}");
        List<Planting> all = plantings();
        assertThat(all).hasSizeGreaterThan(100);
        if (PLANTED.equals("all")) {
            checkAll(all);
            return;
        }
        Seeds.forEachSame(
                "Hostile content", Integer.parseInt(PLANTED), random -> check(all.get(random.nextInt(all.size()))));
    }

    private void checkAll(List<Planting> all) throws Exception {
        List<String> failures = new ArrayList<>();
        for (Planting planting : all) {
            try {
                check(planting);
            } catch (AssertionError e) {
                String message = String.valueOf(e.getMessage());
                failures.add(message.substring(0, Math.min(400, message.length())));
            }
        }
        assertThat(failures).as("of " + all.size()).isEmpty();
    }

    private void check(Planting planting) throws Exception {
        try {
            planting.place().plant(planting.value());
            for (Map.Entry<String, StoreOperations.Operation> operation : StoreOperations.all(uri(), hurried())) {
                String what = operation.getKey() + " with " + planting;
                try {
                    assertThat(operation.getValue().run()).as(what).doesNotContain(SECRET);
                } catch (OntologiaException e) {
                    assertThat(CLEAR).as(what + ": " + e.getMessage()).contains(e.kind());
                    assertThat(e.getMessage()).as(what).doesNotContain(SECRET);
                } catch (RuntimeException | StackOverflowError e) {
                    throw new AssertionError(what + ": " + e, e);
                }
            }
            assertUntouched(planting);
        } finally {
            restore();
        }
    }

    private void assertUntouched(Planting planting) throws IOException {
        try (Stream<Path> files = Files.walk(outside)) {
            assertThat(files.filter(Files::isRegularFile))
                    .as("files outside of the store after " + planting)
                    .containsExactly(outside.resolve("secret.json"));
        }
    }
}
