package io.ontologia.cli.internal.ns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that go from one nameservice to another: export and import, pull and push. */
class NsTransferTest {
    @TempDir
    Path folder;

    private OntoRun ns(String place, String... arguments) {
        List<String> line = new ArrayList<>(List.of("ns"));
        line.addAll(Arrays.asList(arguments));
        return OntoRun.in(Map.of(
                        "ONTOLOGIA_NAMESERVICE_URI",
                        "file://" + folder.resolve(place),
                        "ONTOLOGIA_NAMESERVICE_UPSTREAM_URI",
                        "file://" + folder.resolve("upstream")))
                .with(new SettableClock(Workspace.START))
                .run(line.toArray(String[]::new));
    }

    private void legacy(String name, String rest) throws IOException {
        Path file = folder.resolve("old/ns@v2/" + name + "/main.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{\"ledger_alias\":\"" + name + ":main\"," + rest + "}");
    }

    @Test
    void records_of_version_1_are_imported_with_their_retraction_and_their_state() throws IOException {
        legacy("a", "\"status\":\"retracted\",\"commit_address\":\"c1\",\"commit_t\":1");
        legacy("b", "\"status\":\"indexing\"");
        legacy("c", "\"status\":\"ready\",\"commit_address\":\"c2\",\"commit_t\":2");
        String file = folder.resolve("names.jsonl").toString();
        ns("old", "migrate", "--apply").succeeded();
        ns("old", "export", "--output", file).succeeded();

        OntoRun dry = ns("new", "import", "--input", file, "--json").succeeded();
        OntoRun applied =
                ns("new", "import", "--input", file, "--apply", "--json").succeeded();
        OntoRun again =
                ns("new", "import", "--input", file, "--apply", "--json").succeeded();

        assertThat(outcomes(dry)).containsExactly("created", "created", "created");
        assertThat(outcomes(applied)).isEqualTo(outcomes(dry));
        assertThat(outcomes(again)).containsExactly("same", "same", "same");
        assertThat(ns("new", "show", "a", "--json").succeeded().at("retracted")).isEqualTo(true);
        assertThat(ns("new", "show", "a", "--json").at("head", "address")).isEqualTo("c1");
        assertThat(ns("new", "show", "b", "--json").at("status", "state")).isEqualTo("indexing");
        assertThat(ns("new", "show", "c", "--json").at("head_v")).isEqualTo(2L);
    }

    @Test
    void a_record_that_cannot_be_imported_is_reported_and_does_not_stop_the_others() throws IOException {
        ns("old", "create", "a").succeeded();
        ns("old", "create", "b").succeeded();
        ns("old", "push", "b", "head", "--payload", "{\"t\":2}").succeeded();
        Path file = folder.resolve("names.jsonl");
        ns("old", "export", "--output", file.toString()).succeeded();
        String odd = Files.readAllLines(file)
                .get(0)
                .replace("\"status_v\":1", "\"status_v\":7")
                .replace("\"state\"", "\"x\"");
        Files.writeString(file, odd + "\n" + Files.readAllLines(file).get(1) + "\n");

        OntoRun dry = ns("new", "import", "--input", file.toString(), "--json");
        OntoRun applied = ns("new", "import", "--input", file.toString(), "--apply", "--json");

        assertThat(outcomes(dry)).containsExactly("failed", "created");
        assertThat(outcomes(applied)).isEqualTo(outcomes(dry));
        assertThat(applied.exitCode()).isEqualTo(dry.exitCode()).isNotZero();
        assertThat(ns("new", "show", "b", "--json").succeeded().at("head_v")).isEqualTo(2L);
        assertThat(ns("new", "show", "a").exitCode()).isNotZero();
    }

    @Test
    void a_retraction_and_a_purge_upstream_are_seen_by_a_pull() {
        ns("upstream", "create", "a").succeeded();
        ns("upstream", "create", "b").succeeded();
        ns("here", "pull").succeeded();
        ns("upstream", "retract", "a").succeeded();
        ns("upstream", "retract", "b").succeeded();
        ns("upstream", "purge", "b", "--apply").succeeded();

        OntoRun pulled = ns("here", "pull", "--json");
        assertThat(pulled.exitCode()).isEqualTo(3);
        assertThat(pulled.out()).contains("purged upstream").contains("--theirs");
        assertThat(ns("here", "show", "a", "--json").succeeded().at("retracted"))
                .isEqualTo(true);
        assertThat(ns("here", "show", "b", "--json").succeeded().at("retracted"))
                .isEqualTo(false);

        ns("here", "pull", "--theirs").succeeded();
        assertThat(ns("here", "show", "b").exitCode()).isNotZero();
        ns("here", "pull").succeeded();
    }

    @Test
    void records_that_cannot_be_read_are_reported_by_pull_and_sync() throws IOException {
        ns("upstream", "create", "a").succeeded();
        Path bad = folder.resolve("upstream/ns@v2/bad/main.json");
        Files.createDirectories(bad.getParent());
        Files.writeString(bad, "{");

        OntoRun pulled = ns("here", "pull", "--json");
        OntoRun synced = ns("upstream", "sync", "--json");

        assertThat(pulled.exitCode()).isEqualTo(3);
        assertThat(pulled.out()).contains("unreadable").contains("bad");
        assertThat(synced.exitCode()).isEqualTo(3);
        assertThat(synced.out()).contains("unreadable");
        assertThat(ns("here", "show", "a").succeeded().out()).contains("a:main");
    }

    private static List<Object> outcomes(OntoRun run) {
        List<Object> outcomes = new ArrayList<>();
        for (Object line : (List<?>) java.util.Objects.requireNonNull(run.at("records"))) {
            outcomes.add(((Map<?, ?>) line).get("outcome"));
        }
        return outcomes;
    }
}
