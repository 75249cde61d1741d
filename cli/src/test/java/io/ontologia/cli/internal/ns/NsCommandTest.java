package io.ontologia.cli.internal.ns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Onto;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.kernel.Clock;
import io.ontologia.testkit.SettableClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NsCommandTest {
    @TempDir
    Path folder;

    private String uri = "";

    @BeforeEach
    void choose() {
        uri = "file://" + folder.resolve("names");
    }

    private OntoRun ns(String... arguments) {
        List<String> line = new ArrayList<>(List.of("ns"));
        line.addAll(Arrays.asList(arguments));
        return OntoRun.in(Map.of("ONTOLOGIA_NAMESERVICE_URI", uri))
                .with(new SettableClock(Workspace.START))
                .run(line.toArray(String[]::new));
    }

    @Test
    void a_record_is_created_pushed_to_and_shown() {
        OntoRun created = ns("create", "mydb", "--json").succeeded();

        assertThat(created.at("pk")).isEqualTo("mydb:main");
        assertThat(created.namesAt()).hasSize(16);
        assertThat(ns("push", "mydb", "head", "--payload", "{\"address\":\"s3://b/t42\",\"t\":42}")
                        .succeeded()
                        .out())
                .isEqualTo("head of mydb:main is at 42\n");
        assertThat(ns("push", "mydb:main", "status", "--payload", "{\"state\":\"indexing\"}", "--json")
                        .succeeded()
                        .at("value", "v"))
                .isEqualTo(2L);
        OntoRun shown = ns("show", "mydb", "--json").succeeded();
        assertThat(shown.at("head_v")).isEqualTo(42L);
        assertThat(shown.at("head", "address")).isEqualTo("s3://b/t42");
        assertThat(shown.at("status", "state")).isEqualTo("indexing");
        assertThat(shown.at("config")).isNull();
        assertThat(ns("show", "mydb", "--concern", "head", "--json").succeeded().namesAt())
                .isEqualTo(List.of("pk", "head_v", "head"));
        assertThat(ns("show", "mydb").succeeded().out()).contains("ledger", "s3://b/t42", "indexing");
    }

    @Test
    void what_is_listed_can_be_narrowed_down() {
        ns("create", "mydb").succeeded();
        ns("create", "mydb:dev").succeeded();
        ns("create", "vg:search", "--type", "vg:bm25", "--dep", "mydb:main").succeeded();
        ns("push", "mydb:dev", "status", "--payload", "{\"state\":\"indexing\"}")
                .succeeded();

        assertThat(ns("list", "--json").succeeded().column("pk"))
                .containsExactlyInAnyOrder("mydb:main", "mydb:dev", "vg:search:main");
        assertThat(ns("list", "--type", "vg:bm25", "--json").succeeded().column("pk"))
                .containsExactly("vg:search:main");
        assertThat(ns("list", "--state", "indexing", "--json").succeeded().column("pk"))
                .containsExactly("mydb:dev");
        assertThat(ns("list", "--prefix", "my").succeeded().out())
                .contains("mydb:main")
                .doesNotContain("vg:");
    }

    @Test
    void a_push_on_top_of_something_else_is_refused_with_what_is_there() {
        ns("create", "mydb").succeeded();
        ns("push", "mydb", "config", "--payload", "{\"index_threshold\":1}", "--expect", "0")
                .succeeded();

        OntoRun refused = ns("push", "mydb", "config", "--payload", "{\"index_threshold\":2}", "--expect", "0");
        OntoRun json = ns("push", "mydb", "config", "--payload", "{\"index_threshold\":2}", "--expect", "0", "--json");

        assertThat(refused.failedWith(5).err()).contains("it is at 1 already");
        assertThat(json.exitCode()).isEqualTo(5);
        assertThat(json.at("outcome")).isEqualTo("conflict");
        assertThat(json.at("actual", "payload", "index_threshold")).isEqualTo(1L);
        ns("push", "mydb", "head", "--payload", "{\"t\":1}", "--watermark", "0").failedWith(2);
        ns("push", "nobody", "head", "--payload", "{\"t\":1}").failedWith(4);
        ns("push", "mydb", "head", "--payload", "no json").failedWith(2);
    }

    @Test
    void a_record_leaves_and_comes_back_and_leaves_for_good() {
        ns("create", "olddb").succeeded();

        assertThat(ns("purge", "olddb", "--apply").failedWith(4).err()).contains("not retracted");
        assertThat(ns("retract", "olddb", "--reason", "moved").succeeded().out())
                .isEqualTo("retracted olddb:main\n");
        assertThat(ns("retract", "olddb").succeeded().out()).isEqualTo("olddb:main was retracted already\n");
        assertThat(ns("create", "olddb").failedWith(4).err()).contains("restore", "purge");
        assertThat(ns("restore", "olddb", "--json").succeeded().at("outcome")).isEqualTo("restored");
        ns("retract", "olddb").succeeded();
        assertThat(ns("purge", "olddb").succeeded().out()).contains("nothing was changed");
        assertThat(ns("purge", "olddb", "--apply", "--json").succeeded().at("outcome"))
                .isEqualTo("purged");
        ns("show", "olddb").failedWith(4);
        ns("create", "olddb").succeeded();
    }

    @Test
    void secrets_in_a_config_are_shown_only_to_who_asks() {
        ns("create", "vg:erp", "--type", "vg:jdbc").succeeded();
        ns("push", "vg:erp", "config", "--payload", "{\"password\":\"hunter2\",\"pool_size\":10}")
                .succeeded();

        OntoRun conflict =
                ns("push", "vg:erp", "config", "--payload", "{\"password\":\"x\"}", "--expect", "9", "--json");
        assertThat(conflict.exitCode()).isEqualTo(5);
        assertThat(conflict.out()).doesNotContain("hunter2");
        assertThat(ns("show", "vg:erp").succeeded().out()).contains("10").doesNotContain("hunter2");
        assertThat(ns("list", "--json").succeeded().out()).doesNotContain("hunter2");
        assertThat(ns("show", "vg:erp", "--show-secrets").succeeded().out()).contains("hunter2");
    }

    @Test
    void a_record_that_cannot_be_read_is_told_and_hides_no_other() throws IOException {
        ns("create", "good").succeeded();
        ns("create", "bad").succeeded();
        Path file;
        try (var files = Files.walk(folder.resolve("names"))) {
            file = files.filter(path -> path.toString().contains("bad") && Files.isRegularFile(path))
                    .filter(path -> path.toString().endsWith(".json"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.writeString(file, "{");

        OntoRun listed = ns("list", "--json");

        assertThat(listed.exitCode()).isEqualTo(3);
        assertThat(listed.column("pk")).containsExactly("good:main");
        assertThat(listed.err()).contains("unreadable: ", "bad");
        assertThat(ns("show", "bad").failedWith(5).err()).contains("bad");
    }

    @Test
    void without_a_nameservice_there_is_a_way_to_name_one() {
        assertThat(OntoRun.onto("ns", "list").failedWith(2).err()).contains("--ns");
    }

    @Test
    void a_store_is_worked_with_by_its_name() {
        String storage = "sqlite:///" + folder.resolve("onto.db");
        ns("create", "mydb").succeeded();
        ns("push", "mydb", "config", "--payload", "{\"storage_uri\":\"" + storage + "\"}")
                .succeeded();
        Workspace shop = new Workspace(folder);
        shop.file("models.yaml", Workspace.SHOP_MODEL);
        shop.file(
                "one.jsonl",
                "{\"type_kind\":\"entity\",\"type_name\":\"Product\",\"key\":\"p1\",\"fields\":{\"sku\":\"p1\",\"name\":\"Analytics\"}}\n");

        OntoRun imported = OntoRun.in(Map.of("ONTOLOGIA_NAMESERVICE_URI", uri))
                .run(
                        "import",
                        "--storage-uri",
                        "ns://mydb",
                        "--input",
                        folder.resolve("one.jsonl").toString(),
                        "--models",
                        folder.resolve("models.yaml").toString(),
                        "--apply",
                        "--on-conflict",
                        "abort",
                        "--json");

        assertThat(imported.succeeded().at("inserts")).isEqualTo(1L);
        assertThat(ns("show", "mydb", "--json").succeeded().at("head", "t")).isEqualTo(1L);
        assertThat(OntoRun.onto("query", "entities", "Product", "--storage-uri", storage, "--json")
                        .succeeded()
                        .column("key"))
                .containsExactly("p1");
        assertThat(OntoRun.in(Map.of("ONTOLOGIA_NAMESERVICE_URI", uri))
                        .run("info", "--storage-uri", "ns://nobody")
                        .failedWith(4)
                        .err())
                .contains("no record 'nobody:main'");
    }

    @Test
    void records_follow_what_moves() {
        ns("create", "mydb").succeeded();
        ns("push", "mydb", "head", "--payload", "{\"t\":7}").succeeded();

        OntoRun seen = ns("watch", "mydb", "--for", "3s", "--json").succeeded();

        assertThat(seen.at(0, "event")).isEqualTo("snapshot");
        assertThat(seen.at(0, "record", "head_v")).isEqualTo(7L);
        assertThat(ns("watch", "--for", "1s").succeeded().out()).contains("snapshot", "mydb:main");
        assertThat(ns("watch", "--from-now", "--for", "1s", "--json")
                        .succeeded()
                        .json())
                .isEqualTo(List.of());
    }

    @Test
    void a_lock_is_shown_and_broken_by_its_token() {
        ns("create", "mydb").succeeded();
        assertThat(ns("lock", "show", "mydb").succeeded().out()).isEqualTo("nobody holds a lock of mydb:main\n");
        String lock = "{\"state\":\"indexing\",\"index_lock\":{\"holder\":\"indexer-7\",\"token\":\"abc\","
                + "\"target_t\":45,\"acquired_at\":1705312200,\"expires_at\":1705316100},\"queue_depth\":3}";
        ns("push", "mydb", "status", "--payload", lock).succeeded();

        assertThat(ns("lock", "show", "mydb", "--json").succeeded().at(0, "holder"))
                .isEqualTo("indexer-7");
        assertThat(ns("doctor").out()).contains("expired-lock", "indexer-7");
        ns("lock", "break", "mydb", "--token", "other").failedWith(4);
        assertThat(ns("lock", "break", "mydb", "--token", "abc").succeeded().out())
                .contains("from indexer-7");

        assertThat(ns("lock", "show", "mydb", "--json").succeeded().json()).isEqualTo(List.of());
        assertThat(ns("show", "mydb", "--json").succeeded().at("status"))
                .isEqualTo(Map.of("state", "ready", "queue_depth", 3L));
    }

    @Test
    void drift_between_a_store_and_its_record_is_found_and_put_right() {
        Workspace shop = Workspace.shop(folder);
        ns("create", "shop").succeeded();
        ns("push", "shop", "config", "--payload", "{\"storage_uri\":\"" + shop.uri() + "\"}")
                .succeeded();
        ns("create", "gone").succeeded();
        ns("push", "gone", "config", "--payload", "{\"storage_uri\":\"sqlite:///" + folder.resolve("no.db") + "\"}")
                .succeeded();
        ns("create", "vg:search", "--type", "vg:bm25", "--dep", "nobody:main").succeeded();

        OntoRun before = ns("doctor", "--json");
        OntoRun synced = ns("sync", "shop", "--json").succeeded();

        assertThat(before.exitCode()).isEqualTo(3);
        assertThat(before.out()).contains("head-behind-store", "store-missing", "missing-dependency");
        assertThat(synced.at(0, "outcome")).isEqualTo("moved");
        assertThat(synced.at(0, "head_v")).isEqualTo(4L);
        assertThat(ns("sync", "shop", "--json").succeeded().at(0, "outcome")).isEqualTo("level");
        assertThat(ns("doctor", "--json").out()).doesNotContain("head-behind-store");
        ns("push", "shop", "head", "--payload", "{\"t\":99}").succeeded();
        assertThat(ns("doctor").out()).contains("head-ahead-of-store");
    }

    @Test
    void records_are_brought_to_another_nameservice_and_back() {
        String upstream = "file://" + folder.resolve("upstream");
        ns("create", "mydb").succeeded();
        ns("push", "mydb", "head", "--payload", "{\"t\":1}").succeeded();

        ns("push-upstream", "--upstream", upstream).succeeded();
        ns("push", "mydb", "head", "--payload", "{\"t\":2}", "--ns", upstream).succeeded();
        OntoRun pulled = ns("pull", "mydb", "--upstream", upstream, "--json").succeeded();

        assertThat(pulled.at(0, "concern")).isEqualTo("head");
        assertThat(pulled.at(0, "outcome")).isEqualTo("moved");
        assertThat(ns("show", "mydb", "--json").at("head_v")).isEqualTo(2L);
        ns("push", "mydb", "config", "--payload", "{\"b\":1}").succeeded();
        ns("push", "mydb", "config", "--payload", "{\"b\":2}", "--ns", upstream).succeeded();
        OntoRun apart = ns("pull", "--upstream", upstream);
        assertThat(apart.exitCode()).isEqualTo(3);
        assertThat(apart.out()).contains("config", "diverged");
        assertThat(ns("pull").failedWith(2).err()).contains("--upstream");
    }

    @Test
    void everything_is_exported_and_imported_elsewhere() {
        ns("create", "mydb").succeeded();
        ns("push", "mydb", "head", "--payload", "{\"t\":42,\"address\":\"x\"}").succeeded();
        ns("push", "mydb", "config", "--payload", "{\"password\":\"hunter2\"}").succeeded();
        ns("create", "vg:search", "--type", "vg:bm25", "--dep", "mydb:main").succeeded();
        ns("create", "olddb").succeeded();
        ns("retract", "olddb", "--reason", "moved").succeeded();
        String file = folder.resolve("names.jsonl").toString();
        String other = "file://" + folder.resolve("other") + "?layout=C";

        ns("export", "--output", file).succeeded();
        OntoRun planned = ns("import", "--input", file, "--ns", other, "--json").succeeded();
        OntoRun before = ns("list", "--ns", other, "--json").succeeded();
        ns("import", "--input", file, "--ns", other, "--apply").succeeded();

        assertThat(planned.at("applied")).isEqualTo(false);
        assertThat(planned.at("records", 0, "outcome")).isEqualTo("created");
        assertThat(before.json()).isEqualTo(List.of());
        for (String alias : List.of("mydb", "vg:search")) {
            assertThat(ns("show", alias, "--show-secrets", "--ns", other, "--json")
                            .json())
                    .isEqualTo(ns("show", alias, "--show-secrets", "--json").json());
        }
        assertThat(ns("show", "olddb", "--ns", other, "--json").at("retracted")).isEqualTo(true);
        assertThat(ns("show", "olddb", "--ns", other, "--json").at("status_v")).isEqualTo(2L);
        assertThat(ns("import", "--input", file, "--ns", other, "--apply", "--json")
                        .succeeded()
                        .at("records", 0, "outcome"))
                .isEqualTo("same");
        ns("push", "mydb", "config", "--payload", "{\"password\":\"other\"}", "--ns", other)
                .succeeded();
        ns("push", "mydb", "config", "--payload", "{\"password\":\"mine\"}").succeeded();
        String later = folder.resolve("later.jsonl").toString();
        ns("export", "--output", later).succeeded();
        OntoRun conflicting = ns("import", "--input", later, "--ns", other, "--apply");
        assertThat(conflicting.exitCode()).isEqualTo(6);
        assertThat(conflicting.out()).contains("diverged", "another config 2").doesNotContain("mine", "other\"");
        ns("export", "--output", file).failedWith(4);
        assertThat(ns("export", "--output", folder.resolve("no/where").toString())
                        .failedWith(4)
                        .err())
                .contains("its folder is not there");
        assertThat(ns("import", "--input", folder.resolve("nothing").toString())
                        .failedWith(2)
                        .err())
                .contains("it is not there");
    }

    @Test
    void records_of_version_1_are_migrated_when_asked() throws IOException {
        Path record = folder.resolve("names/ns@v2/legacy/main.json");
        Files.createDirectories(record.getParent());
        Files.writeString(
                record,
                "{\"ledger_alias\":\"legacy:main\",\"ledger_name\":\"legacy\",\"branch\":\"main\",\"commit_address\":\"a\","
                        + "\"commit_t\":5,\"status\":\"ready\",\"updated_at\":1705312200}");

        assertThat(ns("migrate").succeeded().out()).contains("would migrate legacy:main", "nothing was changed");
        assertThat(Files.readString(record)).contains("ledger_alias");
        assertThat(ns("migrate", "--apply", "--json").succeeded().at("migrated"))
                .isEqualTo(List.of("legacy:main"));
        assertThat(ns("migrate", "--apply", "--json").succeeded().at("migrated"))
                .isEqualTo(List.of());
        assertThat(ns("show", "legacy", "--json").at("head_v")).isEqualTo(5L);
        assertThat(ns("migrate", "--ns", "memory:").failedWith(4).err()).contains("where the records are");
    }

    @Test
    void a_nameservice_is_served_to_other_commands() throws Exception {
        ns("create", "mydb").succeeded();
        PipedInputStream heard = new PipedInputStream();
        Onto onto = new Onto(
                Map.of(
                        "ONTOLOGIA_NAMESERVICE_URI",
                        uri,
                        "ONTOLOGIA_READ_TOKEN",
                        "a-token-for-reading",
                        "ONTOLOGIA_WRITE_TOKEN",
                        "a-token-for-writing"),
                InputStream.nullInputStream(),
                new PrintStream(new PipedOutputStream(heard), true, StandardCharsets.UTF_8),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                Clock.system());
        Thread server = new Thread(() -> onto.run("ns", "serve", "--port", "0"));
        server.start();
        try {
            String line = new BufferedReader(new InputStreamReader(heard, StandardCharsets.UTF_8)).readLine();
            String http = line.substring(line.indexOf("http://"));

            OntoRun listed = remote(http, "a-token-for-reading", "ns", "list", "--json");
            OntoRun refused = remote(http, "a-token-for-reading", "ns", "create", "more");
            OntoRun created = remote(http, "a-token-for-writing", "ns", "create", "more");

            assertThat(listed.err()).isEmpty();
            assertThat(listed.succeeded().column("pk")).containsExactly("mydb:main");
            assertThat(refused.exitCode()).isNotZero();
            assertThat(refused.err()).doesNotContain("a-token");
            created.succeeded();
            ns("show", "more").succeeded();
        } finally {
            server.interrupt();
            server.join();
        }
    }

    private static OntoRun remote(String http, String token, String... arguments) {
        return OntoRun.in(Map.of("ONTOLOGIA_NAMESERVICE_URI", http, "ONTOLOGIA_NAMESERVICE_TOKEN", token))
                .run(arguments);
    }
}
