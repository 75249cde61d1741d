package io.ontologia.cli.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Times as options of commands: what they mean, and what is said about them. */
@ParameterizedClass
@EnumSource(Backend.class)
class AsOfTimesTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;

    /** Commits at 09:01 to 09:04 UTC of the first of March, which is 10:01 to 10:04 in Berlin. */
    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, backend);
    }

    private OntoRun inBerlin(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--storage-uri", shop.uri()));
        return shop.in(Map.of("TZ", "Europe/Berlin"), all.toArray(String[]::new));
    }

    private OntoRun asOf(String time) {
        return inBerlin("query", "entities", "Customer", "--as-of", time, "--json");
    }

    @Test
    void a_time_without_a_zone_is_read_in_the_zone_and_the_reading_is_printed_once() {
        OntoRun local = asOf("2026-03-01 10:01");
        OntoRun traversal =
                inBerlin("query", "traverse", "Customer", "--via", "Subscription", "--as-of", "2026-03-01 10:03");

        assertThat(local.exitCode()).isZero();
        assertThat(local.column("key")).containsExactly("c1");
        assertThat(local.err())
                .isEqualTo("note: --as-of '2026-03-01 10:01' is read as 2026-03-01T10:01:00+01:00 in Europe/Berlin\n");
        assertThat(traversal.err().lines()).hasSize(1);
        assertThat(traversal.out()).contains("c3");
    }

    @Test
    void a_time_with_an_offset_and_a_commit_are_read_without_a_word() {
        assertThat(asOf("2026-03-01T09:01:00Z").succeeded().column("key")).containsExactly("c1");
        assertThat(asOf("1").succeeded().column("key")).containsExactly("c1");
    }

    @Test
    void words_are_relative_to_the_clock() {
        shop.letTimePass(Duration.ofHours(24));

        assertThat(asOf("yesterday").column("key")).isEmpty();
        assertThat(asOf("today").column("key")).containsExactly("c1", "c2", "c3");
        assertThat(asOf("2 hours ago").column("key")).containsExactly("c1", "c2", "c3");
        assertThat(asOf("3 days ago").column("key")).isEmpty();
    }

    @Test
    void exports_histories_and_aggregates_take_the_same_forms() {
        OntoRun export =
                inBerlin("export", "--output", shop.path("out").toString(), "--as-of", "2026-03-01 10:01", "--json");
        OntoRun history = inBerlin("query", "entities", "Customer", "--history-since", "2026-03-01 10:04", "--json");
        OntoRun count = inBerlin(
                "aggregate", "entities", "Customer", "--agg", "n=count()", "--as-of", "2026-03-01 10:01", "--json");

        assertThat(export.at("rows")).isEqualTo(1L);
        assertThat(export.err()).startsWith("note: --as-of '2026-03-01 10:01' is read as");
        assertThat(export.at("as_of", "commit_id")).isEqualTo(1L);
        assertThat(export.at("as_of", "time")).isEqualTo("2026-03-01T09:01:00.000000+00:00");
        assertThat(history.column("key")).containsExactly("c2", "c3");
        assertThat(count.at(0, "n")).isEqualTo(1L);
    }

    @Test
    void what_is_no_time_is_refused_with_the_accepted_forms() {
        OntoRun run = inBerlin("query", "entities", "Customer", "--as-of", "soon");

        assertThat(run.failedWith(2).err())
                .contains("--as-of is 'soon', which is no time")
                .contains("yesterday", "'2 hours ago'", "2026-02-10T12:34:56Z");
    }
}
