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

/** What records depend on, and options of single commands. */
class NsDependenciesTest {
    @TempDir
    Path folder;

    private OntoRun ns(String... arguments) {
        List<String> line = new ArrayList<>(List.of("ns"));
        line.addAll(Arrays.asList(arguments));
        return OntoRun.in(Map.of(
                        "ONTOLOGIA_NAMESERVICE_URI", "file://" + folder.resolve("names"),
                        "ONTOLOGIA_NAMESERVICE_UPSTREAM_URI", "file://" + folder.resolve("upstream")))
                .with(new SettableClock(Workspace.START))
                .run(line.toArray(String[]::new));
    }

    @Test
    void a_record_that_others_depend_on_is_retracted_and_purged_only_by_force() {
        ns("create", "mydb").succeeded();
        ns("create", "vg:search", "--type", "vg:bm25", "--dep", "mydb:main").succeeded();

        assertThat(ns("retract", "mydb").failedWith(4).err()).contains("vg:search:main", "--force");
        assertThat(ns("show", "mydb", "--json").succeeded().at("retracted")).isEqualTo(false);
        ns("retract", "mydb", "--force").succeeded();
        assertThat(ns("purge", "mydb", "--apply").failedWith(4).err()).contains("vg:search:main");
        ns("deps", "vg:search").succeeded();
        ns("purge", "mydb", "--apply").succeeded();
    }

    @Test
    void dependencies_are_changed_and_checked() {
        ns("create", "mydb").succeeded();
        ns("create", "vg:search", "--type", "vg:bm25").succeeded();

        assertThat(ns("deps", "vg:search", "--dep", "mydb", "--json")
                        .succeeded()
                        .at("deps"))
                .isEqualTo(List.of("mydb:main"));
        assertThat(ns("deps", "vg:search", "--dep", "none").failedWith(4).err()).contains("none:main");
        ns("deps", "vg:search", "--dep", "none", "--force").succeeded();
        ns("deps", "vg:search", "--dep", ":").failedWith(2);
        assertThat(ns("show", "vg:search", "--json").succeeded().at("deps")).isEqualTo(List.of("none:main"));
    }

    @Test
    void a_malformed_dependency_does_not_stop_the_doctor() throws IOException {
        ns("create", "mydb").succeeded();
        ns("create", "vg:a", "--type", "vg:bm25", "--dep", "mydb:main").succeeded();
        ns("create", "vg:b", "--type", "vg:bm25", "--dep", "gone:main").succeeded();
        Path file = folder.resolve("names/ns@v2/vg%3Aa/main.json");
        Files.writeString(file, Files.readString(file).replace("[\"mydb:main\"]", "[\":\"]"));

        OntoRun findings = ns("doctor", "--json");

        assertThat(findings.exitCode()).isEqualTo(3);
        assertThat(findings.out()).contains("malformed-dependency", "missing-dependency");
    }

    @Test
    void a_forwarded_push_changes_the_upstream_alone() {
        ns("create", "mydb").succeeded();
        ns("push-upstream").succeeded();

        assertThat(ns("forward", "mydb", "head", "--payload", "{\"t\":4}", "--json")
                        .succeeded()
                        .at("outcome"))
                .isEqualTo("updated");

        assertThat(ns("show", "mydb", "--json").succeeded().at("head_v")).isEqualTo(0L);
        ns("pull").succeeded();
        assertThat(ns("show", "mydb", "--json").succeeded().at("head_v")).isEqualTo(4L);
    }

    @Test
    void an_expected_payload_is_compared() {
        ns("create", "mydb").succeeded();
        ns("push", "mydb", "config", "--payload", "{\"k1\":1}").succeeded();

        String[] push = {"push", "mydb", "config", "--payload", "{\"k1\":2}", "--expect", "1", "--expect-payload"};
        assertThat(ns(with(push, "{\"k1\":7}")).failedWith(5).err()).contains("another payload");
        ns(with(push, "{\"k1\":1}")).succeeded();
        ns("push", "mydb", "config", "--payload", "{}", "--expect-payload", "{}")
                .failedWith(2);
    }

    @Test
    void a_port_that_is_none_is_a_usage_error() {
        ns("serve", "--port", "99999", "--for", "1s").failedWith(2);
        ns("serve", "--port", "-1", "--for", "1s").failedWith(2);
    }

    @Test
    void several_records_and_concerns_are_watched_at_once() {
        ns("create", "a").succeeded();
        ns("create", "b").succeeded();
        ns("create", "c").succeeded();

        OntoRun seen = ns("watch", "a", "b", "--concern", "head", "--concern", "index", "--for", "1s", "--json")
                .succeeded();

        assertThat(seen.out()).contains("a:main", "b:main").doesNotContain("c:main");
    }

    private static String[] with(String[] line, String last) {
        String[] all = Arrays.copyOf(line, line.length + 1);
        all[line.length] = last;
        return all;
    }
}
