package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.internal.output.PlainText;
import io.ontologia.core.Claim;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.HostileObjects;
import io.ontologia.testkit.HostileSqlite;
import io.ontologia.testkit.HostileStore;
import io.ontologia.testkit.HostileValues;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.WatchedFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Commands on a store in which one text, number or list was replaced by a hostile one. Each command ends as on the good store, with
 * the exit code of a damaged store, or as a check that found something; its output has no stack trace and nothing that steers a
 * terminal, and no file outside of the store and the cache is written or shown.
 *
 * <p>The property {@code ontologia.hostile.console} says how many of all combinations are tried, the same ones each time.
 */
@ParameterizedClass
@EnumSource(Backend.class)
class HostileConsoleTest {
    private static final int PLANTED = Integer.getInteger("ontologia.hostile.console", 3);

    private static final int DAMAGED = 5;
    private static final int MISMATCH = 3;

    private static final List<String> READING = List.of(
            "info --stats --schema",
            "verify --models MODELS --diff",
            "schema export --kind entity --type Customer",
            "schema history --kind entity --type Customer",
            "schema drop entity Customer --cascade-relations --purge-history",
            "migrate --models OTHER",
            "query entities Customer --with-history",
            "query relations Subscription",
            "query traverse Customer --via Subscription",
            "explain entities Customer",
            "aggregate entities Customer --agg n=count() --group-by $.tier",
            "commits",
            "commits examine --id 2",
            "diff 0 4",
            "digest",
            "export --output EXPORT --with-metadata",
            "events list-namespaces",
            "events sessions --namespace shop",
            "events show --namespace shop",
            "events dead-letters --namespace shop",
            "events inspect --event-id e1",
            "events cleanup --namespace shop --before 1s",
            "lock show",
            "import --input LINES --models MODELS --dry-run",
            "fsck");

    private static final List<String> OF_OBJECTS = List.of(
            "index verify",
            "compact",
            "gc",
            "gc --covered",
            "export views --engine duckdb",
            "index repair --apply",
            "compact --apply",
            "gc --apply",
            "gc --covered --apply");

    private static final List<String> WRITING = List.of(
            "events replay --namespace shop --event-id e1",
            "import --input LINES --models MODELS --apply --on-conflict upsert",
            "migrate --models OTHER --apply --force",
            "events cleanup --namespace shop --before 1s --apply");

    /** Commands that compare something, and report by their exit code that it differs. */
    private static final Set<String> CHECKS = Set.of("fsck", "verify", "index", "lock", "migrate", "import");

    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private final SettableClock clock = new SettableClock(Workspace.START);

    private Path storeFolder() {
        return folder.resolve("store");
    }

    private String uri() {
        return backend.uri(storeFolder(), "onto.db");
    }

    private OntoRun onto(String command) {
        List<String> words = new ArrayList<>();
        for (String word : command.split(" ", -1)) {
            words.add(
                    switch (word) {
                        case "MODELS" -> folder.resolve("models.yaml").toString();
                        case "OTHER" -> folder.resolve("other.yaml").toString();
                        case "LINES" -> folder.resolve("lines.jsonl").toString();
                        case "EXPORT" -> folder.resolve("export").toString();
                        default -> word;
                    });
        }
        words.addAll(List.of(
                "--storage-uri", uri(), "--config", folder.resolve("onto.yaml").toString()));
        return OntoRun.in(Map.of()).with(clock).run(words.toArray(String[]::new));
    }

    private void fill() throws Exception {
        Files.createDirectories(storeFolder());
        Files.writeString(folder.resolve("onto.yaml"), "cache_dir: " + folder.resolve("cache") + "\n");
        Files.writeString(folder.resolve("models.yaml"), Workspace.SHOP_MODEL);
        Files.writeString(
                folder.resolve("other.yaml"),
                Workspace.SHOP_MODEL.replaceFirst("(sku:.*\\n *name:) str", "$1 {type: str, index: true}"));
        for (String line : List.of(
                Workspace.customer("c1", "Alice", "Gold", "32", "[\"vip\"]"),
                Workspace.product("p1", "Analytics"),
                Workspace.subscription("c1", "p1", 5, true),
                Workspace.customer("c1", "Alice", "Silver", "33", "[]"))) {
            Files.writeString(folder.resolve("lines.jsonl"), line + "\n");
            assertThat(onto("import --input LINES --models MODELS --apply --on-conflict upsert")
                            .exitCode())
                    .isZero();
        }
        SessionOptions options = SessionOptions.defaults();
        options = options.storage(options.storage()
                .clock(clock)
                .settings(Map.of("cache_dir", folder.resolve("cache").toString())));
        try (Session session = Ontologia.openStored(uri(), options)) {
            EventStore bus = session.storage().events(EventOptions.of(Map.of("event_max_attempts", "1")));
            bus.enqueue(List.of(
                    NewEvent.of("shop", "order", Map.of("n", 1L)).identity("e1", clock.now()),
                    NewEvent.of("shop", "order", Map.of("n", 2L)).identity("e2", clock.now())));
            bus.registerSession("shop", "worker", Map.of("host", "here"));
            List<Claim> claims = bus.claim(new ClaimRequest(
                    "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 10))));
            var unused = bus.release(claims.get(1), "it failed");
        }
        if (backend == Backend.FOLDER) {
            assertThat(onto("compact --apply").exitCode()).isZero();
        }
        Files.writeString(folder.resolve("lines.jsonl"), Workspace.product("p2", "Backup") + "\n");
        clock.advance(Duration.ofDays(10));
    }

    private HostileStore content() throws Exception {
        return backend == Backend.SQLITE
                ? new HostileSqlite(storeFolder().resolve("onto.db"))
                : new HostileObjects(
                        ObjectStores.open(uri(), ObjectStoreOptions.defaults()),
                        Files.createDirectories(folder.resolve("scratch")));
    }

    private Map<String, OntoRun> walk() {
        List<String> commands = new ArrayList<>(READING);
        if (backend == Backend.FOLDER) {
            commands.addAll(OF_OBJECTS);
        }
        commands.addAll(WRITING);
        Map<String, OntoRun> runs = new LinkedHashMap<>();
        commands.forEach(command -> runs.put(command, onto(command)));
        return runs;
    }

    @Test
    void what_is_planted_in_a_store_does_no_harm() throws Exception {
        HostileValues values = new HostileValues(Files.createDirectories(folder.resolve("outside")));
        Files.writeString(values.outside().resolve("secret.json"), "{\"secret\": \"" + HostileValues.SECRET + "\"}");
        clock.setWallClock(Files.getLastModifiedTime(values.outside()).toInstant());
        fill();
        try (HostileStore content = content()) {
            List<HostileStore.Place> places = content.places();
            Map<String, OntoRun> good = walk();
            good.forEach((command, run) ->
                    assertThat(run.exitCode()).as(command + "\n" + run.err()).isZero());
            content.restore();
            WatchedFolder watched = new WatchedFolder(
                    folder,
                    Set.of(
                            storeFolder(),
                            folder.resolve("cache"),
                            folder.resolve("export"),
                            folder.resolve("scratch")));
            Seeds.forEachSame("Hostile content and the console", PLANTED, random -> {
                HostileStore.Place place = places.get(random.nextInt(places.size()));
                List<@Nullable Object> all = values.inPlaceOf(place.content());
                Object value = all.get(random.nextInt(all.size()));
                place.plant(value);
                try {
                    String planted = shortened(place.name() + " = " + value);
                    walk().forEach((command, run) -> check(command, run, planted));
                    watched.assertUntouched(planted);
                } finally {
                    content.restore();
                }
            });
        }
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(200, text.length()));
    }

    private static void check(String command, OntoRun run, String planted) {
        String what = "'" + command + "' with " + planted + "\n" + shortened(run.err());
        String first = command.split(" ", 2)[0];
        assertThat(run.exitCode())
                .as(what)
                .isIn(CHECKS.contains(first) ? List.of(0, MISMATCH, DAMAGED) : List.of(0, DAMAGED));
        assertThat(run.out() + run.err())
                .as(what)
                .doesNotContain(HostileValues.SECRET)
                .doesNotContain("\tat ")
                .isEqualTo(PlainText.escapedLines(run.out() + run.err()));
        if (run.exitCode() == DAMAGED) {
            assertThat(run.err()).as(what).contains("error: ");
        }
    }
}
