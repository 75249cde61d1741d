package io.ontologia.cli.internal.transfer;

import static io.ontologia.cli.Workspace.product;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.WriteLease;
import io.ontologia.kernel.Clock;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that are not as an import wants them. */
@ParameterizedClass
@EnumSource(Backend.class)
class ImportConflictTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, backend);
    }

    @Test
    void at_most_20_conflicts_are_listed_and_all_are_counted() {
        String[] rows =
                IntStream.range(0, 30).mapToObj(i -> product("q" + i, "old")).toArray(String[]::new);
        shop.ensure("many", rows);
        Path input = shop.file("in.jsonl", lines(rows).replace("old", "new"));

        OntoRun text = importing(input, "--apply", "--on-conflict", "abort");
        OntoRun json = importing(input, "--apply", "--on-conflict", "abort", "--json");

        assertThat(text.err().lines()).hasSize(22).contains("conflict: and 10 more; --all lists them");
        assertThat(json.at("conflicts")).isEqualTo(30L);
        assertThat((List<?>) json.at("problems")).hasSize(20);
    }

    @Test
    void what_is_so_already_is_no_conflict_and_makes_no_commit() {
        Path input = shop.file("in.jsonl", lines(product("p1", "Analytics"), product("p2", "Backup")));

        OntoRun run = importing(input, "--apply", "--on-conflict", "abort", "--json");

        assertThat(run.succeeded().at("skipped")).isEqualTo(2L);
        assertThat(run.namesAt()).doesNotContain("commit_id");
        assertThat(shop.onto("commits", "--last", "1", "--json").at(0, "commit_id"))
                .isEqualTo(4L);
    }

    @Test
    void abort_refuses_the_whole_import_when_a_row_has_other_values() {
        Path input = shop.file("in.jsonl", lines(product("p3", "Cloud"), product("p1", "Analytics Plus")));
        Map<String, String> before = shop.content();

        OntoRun text = importing(input, "--apply", "--on-conflict", "abort");
        OntoRun json = importing(input, "--apply", "--on-conflict", "abort", "--json");
        OntoRun dry = importing(input, "--on-conflict", "abort", "--json");

        assertThat(text).returns(6, OntoRun::exitCode).returns("", OntoRun::out);
        assertThat(text.err().lines())
                .containsExactly(
                        "conflict: " + input
                                + ":2: entity Product 'p1': it exists with other values, written by commit 2",
                        "error: cannot import " + input
                                + ": 1 row is not as the import wants it, and nothing was written. Look at the lines above,"
                                + " or choose another --on-conflict or --precondition");
        assertThat(json).returns(6, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(json.at("status")).isEqualTo("conflict");
        assertThat(json.at("conflicts")).isEqualTo(1L);
        assertThat(json.at("problems", 0, "line")).isEqualTo(2L);
        assertThat(dry).returns(6, OntoRun::exitCode);
        assertThat(shop.content()).isEqualTo(before);
    }

    @Test
    void skip_keeps_what_the_store_has() {
        Path input = shop.file("in.jsonl", lines(product("p3", "Cloud"), product("p1", "Analytics Plus")));

        OntoRun run = importing(input, "--apply", "--on-conflict", "skip", "--json");

        assertThat(run.succeeded().at("inserts")).isEqualTo(1L);
        assertThat(run.at("skipped")).isEqualTo(1L);
        assertThat(shop.onto("query", "entities", "Product", "--json").column("fields"))
                .contains(Map.of("sku", "p1", "name", "Analytics"), Map.of("sku", "p3", "name", "Cloud"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "must_exist      | p3 | it does not exist",
                "must_not_exist  | p1 | it exists already",
                "if_commit_id:1  | p1 | commit 2 wrote it last, not commit 1",
                "if_commit_id:2  | p3 | it does not exist",
            })
    void a_precondition_that_does_not_hold_refuses_the_import(String precondition, String key, String reason) {
        Path input = shop.file("in.jsonl", lines(product(key, "New Name")));
        Map<String, String> before = shop.content();

        OntoRun run = importing(input, "--apply", "--on-conflict", "upsert", "--precondition", precondition);
        OntoRun dry = importing(input, "--precondition", precondition);

        assertThat(run).returns(6, OntoRun::exitCode);
        assertThat(run.err()).contains(reason);
        assertThat(dry).returns(6, OntoRun::exitCode);
        assertThat(shop.content()).isEqualTo(before);
    }

    @Test
    void a_precondition_that_holds_lets_the_import_through() {
        Path change = shop.file("change.jsonl", lines(product("p1", "New Name")));
        Path addition = shop.file("addition.jsonl", lines(product("p3", "Cloud")));

        importing(change, "--apply", "--on-conflict", "upsert", "--precondition", "must_exist")
                .succeeded();
        importing(change, "--apply", "--on-conflict", "upsert", "--precondition", "if_commit_id:5")
                .succeeded();
        importing(addition, "--apply", "--on-conflict", "abort", "--precondition", "must_not_exist")
                .succeeded();

        assertThat(shop.onto("query", "entities", "Product", "--json").column("commit_id"))
                .containsExactly(5L, 2L, 6L);
    }

    @Test
    void rows_that_others_write_while_the_import_waits_for_them_are_conflicts_too() {
        Path input = shop.file("in.jsonl", lines(product("p3", "Cloud")));
        SettableClock time = new SettableClock(Workspace.START.plus(Duration.ofMinutes(10)));
        SessionOptions options = SessionOptions.defaults();
        try (Maintenance other =
                Ontologia.maintain(shop.uri(), options.storage(options.storage().clock(time)))) {
            WriteLease lease = other.lock().acquire();
            Clock waiting = new WaitingClock(time, () -> {
                lease.close();
                shop.ensure("meanwhile", product("p3", "Another Cloud"));
            });

            OntoRun run = OntoRun.in(Map.of())
                    .with(waiting)
                    .run(
                            "import",
                            "--input",
                            input.toString(),
                            "--apply",
                            "--on-conflict",
                            "abort",
                            "--storage-uri",
                            shop.uri());

            assertThat(run).returns(6, OntoRun::exitCode);
            assertThat(run.err()).contains("entity Product 'p3': it exists with other values, written by commit 5");
        }
    }

    /** Lets something happen when it is waited on for the first time. */
    private static final class WaitingClock implements Clock {
        private final Clock time;
        private final Runnable meanwhile;
        private boolean happened;

        WaitingClock(Clock time, Runnable meanwhile) {
            this.time = time;
            this.meanwhile = meanwhile;
        }

        @Override
        public Instant now() {
            return time.now();
        }

        @Override
        public long monotonicNanos() {
            return time.monotonicNanos();
        }

        @Override
        public void sleep(Duration duration) {
            if (!happened) {
                happened = true;
                meanwhile.run();
            }
            time.sleep(duration);
        }
    }

    private OntoRun importing(Path input, String... options) {
        List<String> args = new ArrayList<>(List.of("import", "--input", input.toString()));
        args.addAll(List.of("--models", shop.path("models.yaml").toString()));
        args.addAll(Arrays.asList(options));
        return shop.onto(args.toArray(String[]::new));
    }

    private static String lines(String... lines) {
        return String.join("\n", lines) + "\n";
    }
}
