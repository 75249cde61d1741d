package io.ontologia.cli.internal.query;

import static io.ontologia.cli.Workspace.product;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the console says about commits of a clock that was ahead. */
@ParameterizedClass
@EnumSource(Backend.class)
class WrongClockTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private OntoRun onto(Instant at, String... args) {
        Workspace shop = new Workspace(folder, backend);
        List<String> all = Stream.concat(Stream.of(args), Stream.of("--storage-uri", shop.uri()))
                .toList();
        return OntoRun.in(Map.of()).with(new SettableClock(at)).run(all.toArray(String[]::new));
    }

    private OntoRun commit(Instant at, String name) {
        Workspace shop = new Workspace(folder, backend);
        Path models = shop.file("models.yaml", Workspace.SHOP_MODEL);
        Path input = shop.file("in.jsonl", product("p1", name) + "\n");
        return onto(
                at,
                "import",
                "--input",
                input.toString(),
                "--models",
                models.toString(),
                "--apply",
                "--on-conflict",
                "upsert");
    }

    @Test
    void writers_questions_by_time_and_checks_name_commits_ahead_of_the_clock() {
        commit(NOW.minusSeconds(60), "one").succeeded();
        commit(NOW.plus(Duration.ofDays(1)), "two").succeeded();

        OntoRun third = commit(NOW, "three");
        OntoRun question =
                onto(NOW.plusSeconds(1), "query", "entities", "Product", "--as-of", "2026-05-01T12:00:00Z", "--json");
        OntoRun check = onto(NOW.plusSeconds(1), "fsck", "--json");

        assertThat(third.exitCode()).isZero();
        assertThat(third.err())
                .isEqualTo("warning: commit 2 carries the time 2026-05-02T12:00:00.000000+00:00, which is ahead of this"
                        + " clock, and new commits carry it too until it has come. Check the clocks of all writers\n");
        assertThat(question.exitCode()).isZero();
        assertThat(question.at(0, "fields", "name")).isEqualTo("one");
        assertThat(question.err())
                .isEqualTo(
                        "warning: commits 2 to 3 are left out, and may have been made before: times up to"
                                + " 2026-05-02T12:00:00.000000+00:00 are ahead of this clock. Name the commit with --as-of 3\n");
        assertThat(check.exitCode()).isEqualTo(3);
        assertThat(check.at("findings", 0, "code")).isEqualTo("commit-time-ahead");
    }

    @Test
    void a_time_before_several_commits_of_one_time_is_ambiguous_also_later() {
        commit(NOW, "one").succeeded();
        commit(NOW.plus(Duration.ofDays(1)), "two").succeeded();
        assertThat(commit(NOW.plusSeconds(60), "three").exitCode()).isZero();
        Instant later = NOW.plus(Duration.ofDays(2));

        OntoRun before = onto(later, "query", "entities", "Product", "--as-of", "2026-05-01T13:00:00Z");
        OntoRun after = onto(later, "query", "entities", "Product", "--as-of", "2026-05-02T12:00:00Z");

        assertThat(before.err())
                .startsWith("warning: commits 2 to 3 are left out")
                .contains("they all carry the time");
        assertThat(after.succeeded().out()).contains("three");
        onto(later, "fsck").succeeded();
    }
}
