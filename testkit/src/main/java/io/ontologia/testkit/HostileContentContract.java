package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Maintenance;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Outbox;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.testkit.StoreOperations.Guest;
import io.ontologia.testkit.StoreOperations.Invitation;
import io.ontologia.testkit.StoreOperations.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One text, number or list of a store is replaced by one that an attacker could have written, and every operation that reads or
 * maintains a store is run: each ends as {@link HostileOutcomes} demands, and no file outside of the store and the cache is
 * written or shown.
 *
 * <p>The property {@code ontologia.hostile} says how many of all combinations are tried, the same ones each time; {@code places}
 * tries every place with one value, {@code all} every combination.
 */
public abstract class HostileContentContract extends OntologySuite {
    private static final System.Logger LOG = System.getLogger(HostileContentContract.class.getName());

    private static final String PLANTED = System.getProperty("ontologia.hostile", "6");
    private static final Duration OLD = Duration.ofDays(10);

    /** Holds the folder of the store, the cache, and the file that must not be read. */
    @TempDir
    Path folder;

    /** The folder for a store that consists of files. */
    protected final Path storeFolder() {
        return folder.resolve("store");
    }

    /** The content of the test's store, which no session has open. */
    protected abstract HostileStore content(Path scratch) throws Exception;

    @Override
    protected Map<String, String> settings() {
        return Map.of("cache_dir", folder.resolve("cache").toString());
    }

    private SessionOptions hurried() {
        return options()
                .storage(options().storage().lockTimeout(Duration.ofMillis(10)))
                .runtimeId("operator");
    }

    /** A place and what is put there. */
    private record Planting(
            HostileStore.Place place, @Nullable Object value) {
        @Override
        public String toString() {
            String text = value instanceof List<?> list ? "a list of " + list.size() : String.valueOf(value);
            return place.name() + " = " + text.substring(0, Math.min(60, text.length()));
        }
    }

    private void fill() {
        try (Session session = Ontologia.open(uri(), options(), StoreOperations.TYPES)) {
            for (int i = 0; i < 2; i++) {
                session.ensure(new Guest("g0", "Gold", i, List.of("a")), new Invitation("g0", "g" + i, i));
                session.commit(
                        Map.of("n", i),
                        Outbox.of(NewEvent.of("shop", "order", Map.of("n", i)).identity("e" + i, clock.now())));
                tick();
            }
            EventStore bus = session.storage().events(EventOptions.of(Map.of("event_max_attempts", "1")));
            bus.registerSession("shop", "worker", Map.of("host", "here"));
            List<Claim> claims = bus.claim(new ClaimRequest(
                    "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 10))));
            var unused = bus.release(claims.get(0), "it failed");
        }
        try (Maintenance maintenance = Ontologia.maintain(uri(), options())) {
            maintenance.storage().upkeep().ifPresent(upkeep -> {
                var unused = upkeep.compact(Optional.empty(), "operator", Progress.none());
            });
        }
        clock.advance(OLD);
    }

    @Test
    void what_is_planted_in_a_store_does_no_harm() throws Exception {
        Files.createDirectories(storeFolder());
        Path scratch = Files.createDirectories(folder.resolve("scratch"));
        HostileValues values = new HostileValues(Files.createDirectories(folder.resolve("outside")));
        Files.writeString(values.outside().resolve("secret.json"), "{\"secret\": \"" + HostileValues.SECRET + "\"}");
        // The file system's clock, so that files are as old as the collector of garbage wants them.
        clock.setWallClock(Files.getLastModifiedTime(values.outside()).toInstant());
        fill();
        try (HostileStore content = content(scratch)) {
            List<Planting> all = new ArrayList<>();
            for (HostileStore.Place place : content.places()) {
                values.inPlaceOf(place.content()).forEach(value -> all.add(new Planting(place, value)));
            }
            assertThat(all).hasSizeGreaterThan(100);
            HostileOutcomes expected = new HostileOutcomes(StoreOperations.readAndMaintain(uri(), hurried()));
            expected.assertOfGoodStore();
            content.restore();
            WatchedFolder watched = new WatchedFolder(folder, Set.of(storeFolder(), folder.resolve("cache"), scratch));
            check(all, content, expected, watched);
        }
    }

    private void check(List<Planting> all, HostileStore content, HostileOutcomes expected, WatchedFolder watched) {
        if (!PLANTED.equals("all") && !PLANTED.equals("places")) {
            Seeds.forEachSame("Hostile content", Integer.parseInt(PLANTED), random -> {
                Planting planting = all.get(random.nextInt(all.size()));
                assertThat(wrong(planting, content, expected, watched)).isEmpty();
            });
            return;
        }
        List<Planting> chosen = PLANTED.equals("all") ? all : oneForEachPlace(all);
        LOG.log(System.Logger.Level.INFO, "{0} of {1} plantings", chosen.size(), all.size());
        List<String> wrong = new ArrayList<>();
        chosen.forEach(planting -> wrong.addAll(wrong(planting, content, expected, watched)));
        assertThat(wrong).isEmpty();
    }

    /** Each place once, with the values by turns. */
    private static List<Planting> oneForEachPlace(List<Planting> all) {
        Map<HostileStore.Place, List<Planting>> byPlace = new LinkedHashMap<>();
        all.forEach(planting -> byPlace.computeIfAbsent(planting.place(), unused -> new ArrayList<>())
                .add(planting));
        List<Planting> chosen = new ArrayList<>();
        byPlace.values().forEach(of -> chosen.add(of.get(chosen.size() % of.size())));
        return chosen;
    }

    private List<String> wrong(
            Planting planting, HostileStore content, HostileOutcomes expected, WatchedFolder watched) {
        try {
            planting.place().plant(planting.value());
            clock.advance(OLD);
            Map<String, Outcome> seen = StoreOperations.readAndMaintain(uri(), hurried());
            watched.assertUntouched(planting.toString());
            List<String> wrong = expected.wrong(planting.place().name(), seen);
            wrong.replaceAll(text -> planting + ": " + text);
            return wrong;
        } catch (Exception e) {
            throw new IllegalStateException(planting.toString(), e);
        } finally {
            restore(content);
        }
    }

    private static void restore(HostileStore content) {
        try {
            content.restore();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
