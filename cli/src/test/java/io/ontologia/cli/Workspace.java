package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Sha256;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A folder with a model and a store, in which a test runs commands one after the other; a minute passes before each. */
public final class Workspace {
    /** When the first command runs, to the minute. */
    public static final Instant START = Instant.parse("2026-03-01T09:00:00Z");

    private final Path folder;
    private final Backend backend;
    private final SettableClock clock = new SettableClock(START);
    private int lines;

    /** Nothing but an empty folder, for a SQLite file. */
    public Workspace(Path folder) {
        this(folder, Backend.SQLITE);
    }

    /** Nothing but an empty folder. */
    public Workspace(Path folder, Backend backend) {
        this.folder = folder;
        this.backend = backend;
    }

    /** {@link #shop(Path, Backend)} in a SQLite file. */
    public static Workspace shop(Path folder) {
        return shop(folder, Backend.SQLITE);
    }

    /** Three customers, two products and who subscribes to what: four commits, the last of which changes Bob and Cleo. */
    public static Workspace shop(Path folder, Backend backend) {
        Workspace shop = new Workspace(folder, backend);
        shop.file("models.yaml", SHOP_MODEL);
        shop.ensure("start", customer("c1", "Alice", "Gold", "32", "[\"vip\",\"eu\"]"));
        shop.ensure(
                "growth",
                customer("c2", "Bob", "Silver", "null", "[]"),
                customer("c3", "Cleo", "Gold", "51", "[\"us\"]"),
                product("p1", "Analytics"),
                product("p2", "Backup"));
        shop.ensure(
                "sales",
                subscription("c1", "p1", 5, true),
                subscription("c1", "p2", 1, false),
                subscription("c3", "p1", 20, true));
        shop.ensure(
                "review", customer("c2", "Bob", "Gold", "44", "[]"), customer("c3", "Cleo", "Gold", "52", "[\"us\"]"));
        return shop;
    }

    /** The model of {@link #shop}. */
    public static final String SHOP_MODEL = """
            entities:
              Customer:
                fields:
                  id: {type: str, primary_key: true}
                  name: str
                  tier: {type: str, index: true}
                  age: {type: "int?", default: null}
                  tags: {type: "list[str]", default: []}
              Product:
                fields:
                  sku: {type: str, primary_key: true}
                  name: str
            relations:
              Subscription:
                left: Customer
                right: Product
                fields:
                  seat_count: int
                  active: {type: bool, default: true}
            """;

    /** The line of a customer. */
    public static String customer(String key, String name, String tier, String age, String tags) {
        return """
                {"type_kind":"entity","type_name":"Customer","key":"%s","fields":{"name":"%s","tier":"%s","age":%s,"tags":%s}}""".formatted(key, name, tier, age, tags);
    }

    /** The line of a product. */
    public static String product(String key, String name) {
        return """
                {"type_kind":"entity","type_name":"Product","key":"%s","fields":{"name":"%s"}}""".formatted(key, name);
    }

    /** The line of a subscription. */
    public static String subscription(String left, String right, int seats, boolean active) {
        return """
                {"type_kind":"relation","type_name":"Subscription","left_key":"%s","right_key":"%s",\
                "fields":{"seat_count":%d,"active":%s}}""".formatted(left, right, seats, active);
    }

    /** Imports lines in one commit. */
    public void ensure(String why, String... rows) {
        Path input = file("lines-" + lines++ + ".jsonl", String.join("\n", rows) + "\n");
        OntoRun run = onto(
                "import",
                "--input",
                input.toString(),
                "--models",
                path("models.yaml").toString(),
                "--apply",
                "--on-conflict",
                "upsert",
                "--meta",
                "why=" + why);
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    /** Lets time pass before the next command. */
    public void letTimePass(Duration duration) {
        clock.advance(duration);
    }

    /** Runs a command on the store. */
    public OntoRun onto(String... args) {
        return on("onto.db", args);
    }

    /** Runs a command on another store of the folder, by its name. */
    public OntoRun on(String store, String... args) {
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.addAll(List.of("--storage-uri", uri(store)));
        return run(all.toArray(String[]::new));
    }

    /** Where the store is. */
    public String uri() {
        return uri("onto.db");
    }

    /** Where another store of the folder is, by its name. */
    public String uri(String store) {
        return backend.uri(folder, store);
    }

    /** Runs a command line as it is. */
    public OntoRun run(String... args) {
        return in(Map.of(), args);
    }

    /** Runs a command line as it is, in an environment; without an author where that names none. */
    public OntoRun in(Map<String, String> environment, String... args) {
        clock.advance(Duration.ofMinutes(1));
        Map<String, String> all = new HashMap<>(Map.of("ONTOLOGIA_AUTHOR", "none"));
        all.putAll(environment);
        return OntoRun.in(all).with(clock).run(args);
    }

    /** The SQLite file or the folder that is the store; it need not exist. */
    public Path database() {
        return path("onto.db");
    }

    /** A place in the folder. */
    public Path path(String name) {
        return folder.resolve(name);
    }

    /** Writes a file. */
    public Path file(String name, String text) {
        try {
            return Files.writeString(path(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything that the store holds, for commands that take the lock, and so write, before they refuse. */
    public String state() {
        return onto("commits", "--since", "0", "--json").out()
                + onto("info", "--stats", "--schema", "--json").at("types")
                + onto("diff", "0", String.valueOf(onto("info", "--json").at("head_commit_id")), "--json")
                        .out();
    }

    /** Every file of the folder with the hash of its content, to see that nothing changed. */
    public Map<String, String> content() {
        try (Stream<Path> files = Files.walk(folder)) {
            Map<String, String> content = new TreeMap<>();
            files.filter(Files::isRegularFile)
                    .forEach(file -> content.put(folder.relativize(file).toString(), Sha256.hex(file)));
            return content;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
