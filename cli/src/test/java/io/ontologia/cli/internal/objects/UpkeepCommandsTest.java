package io.ontologia.cli.internal.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpkeepCommandsTest {
    private static final String CUSTOMERS = "meta/indices/entities/Customer.json";

    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, Backend.FOLDER);
    }

    @Test
    void indices_that_writers_left_are_in_order() {
        OntoRun json = shop.onto("index", "verify", "--json");
        OntoRun text = shop.onto("index", "verify");
        OntoRun repair = shop.onto("index", "repair", "--apply");

        assertThat(json.succeeded().at("ok")).isEqualTo(true);
        assertThat(json.at("types", 0))
                .isEqualTo(Map.of(
                        "kind", "entity",
                        "type_name", "Customer",
                        "max_indexed_commit", 4L,
                        "head", 4L,
                        "lag", 0L,
                        "files", 3L,
                        "status", "ok"));
        assertThat(text.succeeded().out()).isEqualTo("""
                kind      type          indexed up to  head  files  status
                entity    Customer                  4     4      3  ok
                entity    Product                   2     4      1  ok
                relation  Subscription              3     4      1  ok
                """);
        assertThat(repair.succeeded().out()).endsWith("every index is in order\n");
    }

    @Test
    void an_index_that_stayed_behind_is_reported_and_repaired() throws IOException {
        String stale = Files.readString(object(CUSTOMERS));
        shop.ensure("more", Workspace.customer("c4", "Dora", "Gold", "20", "[]"));

        OntoRun verify = shopWith(CUSTOMERS, stale).onto("index", "verify", "--json");
        OntoRun table = shopWith(CUSTOMERS, stale).onto("index", "verify");
        OntoRun info = shopWith(CUSTOMERS, stale).onto("info", "--json");
        OntoRun infoText = shopWith(CUSTOMERS, stale).onto("info");
        OntoRun plan = shopWith(CUSTOMERS, stale).onto("index", "repair", "--json");
        OntoRun customers = shopWith(CUSTOMERS, stale).onto("query", "entities", "Customer", "--json");
        OntoRun repair = shopWith(CUSTOMERS, stale).onto("index", "repair", "--apply", "--json");
        OntoRun after = shop.onto("index", "verify", "--json");

        assertThat(verify).returns(3, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(verify.at("ok")).isEqualTo(false);
        assertThat(verify.at("types", 0, "status")).isEqualTo("lag");
        assertThat(verify.at("types", 0, "lag")).isEqualTo(1L);
        assertThat(table.out()).contains("Customer", "lag", "onto index repair --apply");
        assertThat(info.succeeded().at("last_index_warning"))
                .isEqualTo("the index of entity Customer ends at commit 4, the newest commit is 5");
        assertThat(info.at("indices", 0, "lag")).isEqualTo(1L);
        assertThat(infoText.succeeded().out()).contains("last index warning  the index of entity Customer ends");
        assertThat(plan).returns(3, OntoRun::exitCode);
        assertThat(plan.at("applied")).isEqualTo(false);
        assertThat(customers.succeeded().column("key")).containsExactly("c1", "c2", "c3", "c4");
        assertThat(repair.succeeded().at("repaired")).isEqualTo(1L);
        assertThat(repair.at("ok")).isEqualTo(true);
        assertThat(after.succeeded().at("ok")).isEqualTo(true);
        assertThat(shop.onto("info", "--json").at("last_index_warning")).isNull();
    }

    @Test
    void an_index_that_names_another_file_and_one_that_cannot_be_read_are_told_apart() throws IOException {
        String index = Files.readString(object(CUSTOMERS));
        String newest = index.replaceFirst("(?s).*(commits/4-[0-9a-f]+).*", "$1");
        // As another program leaves it, which knows no seals.
        String mismatch = index.replace(newest, "commits/4-00000000").replace("document_seal", "former_seal");

        OntoRun mismatching = shopWith(CUSTOMERS, mismatch).onto("index", "verify", "--json");
        OntoRun repair = shopWith(CUSTOMERS, mismatch).onto("index", "repair", "--apply");
        String repaired = Files.readString(object(CUSTOMERS));
        OntoRun unreadable = shopWith(CUSTOMERS, "{").onto("index", "verify", "--json");
        OntoRun rebuilt = shopWith(CUSTOMERS, "{").onto("index", "repair", "--apply", "--json");

        assertThat(mismatching).returns(3, OntoRun::exitCode);
        assertThat(mismatching.at("types", 0, "status")).isEqualTo("path_mismatch");
        assertThat(repair.succeeded().out()).endsWith("repaired: 1\n");
        assertThat(repaired).contains(newest).doesNotContain("4-00000000");
        assertThat(unreadable).returns(3, OntoRun::exitCode);
        assertThat(unreadable.at("types", 0, "status")).isEqualTo("missing");
        assertThat(rebuilt.succeeded().at("repaired")).isEqualTo(1L);
        assertThat(rebuilt.at("types", 0, "files")).isEqualTo(3L);
    }

    @Test
    void compaction_is_planned_first_and_only_changes_what_it_must() {
        for (int i = 0; i < 6; i++) {
            shop.ensure("bulk " + i, Workspace.customer("b" + i, "Bulk", "Gold", "1", "[]"));
        }
        Map<String, String> before = shop.content();
        String state = shop.state();

        OntoRun plan = shop.onto("compact", "--json");
        OntoRun text = shop.onto("compact");
        OntoRun other = shop.onto("compact", "--type", "Product");
        Map<String, String> planned = shop.content();
        OntoRun applied = shop.onto("compact", "--type", "Customer", "--apply", "--json");

        assertThat(plan.succeeded().at("planned"))
                .isEqualTo(List.of(Map.of(
                        "kind",
                        "entity",
                        "type_name",
                        "Customer",
                        "entry_count",
                        8L,
                        "min_commit_id",
                        1L,
                        "max_commit_id",
                        9L,
                        "files",
                        8L)));
        assertThat(plan.at("applied")).isEqualTo(false);
        assertThat(plan.at("rewrites")).isEqualTo(List.of());
        assertThat(plan.at("planned", 0, "entry_count")).isEqualTo(plan.at("planned", 0, "files"));
        assertThat(text.succeeded().out()).isEqualTo("""
                kind    type      from commit  to commit  files  become
                entity  Customer            1          9      8  one file

                nothing was changed; add --apply to do it
                """);
        assertThat(other.succeeded().out()).isEqualTo("there is nothing to compact\n");
        assertThat(planned).isEqualTo(before);
        assertThat(applied.succeeded().at("applied")).isEqualTo(true);
        assertThat(applied.at("rewrites", 0, "snap_path")).isEqualTo(applied.at("planned", 0, "path"));
        assertThat(applied.textAt("planned", 0, "path")).startsWith("snapshots/entities/Customer-1-9");
        assertThat(shop.onto("index", "verify", "--json").succeeded().at("types", 0, "files"))
                .isEqualTo(2L);
        assertThat(shop.state()).isEqualTo(state);
        shop.onto("fsck").succeeded();
    }

    @Test
    void files_that_a_snapshot_covers_go_only_when_asked_for_and_are_not_missed() throws IOException {
        for (int i = 0; i < 8; i++) {
            shop.ensure("again", Workspace.product("p1", "Analytics " + i));
        }
        shop.onto("compact", "--apply").succeeded();
        String before = shop.state();
        shop.letTimePass(Duration.ofHours(1));

        OntoRun early = shop.onto("gc", "--covered", "--older-than", "30d", "--json");
        OntoRun usual = shop.onto("gc", "--older-than", "0s", "--json");
        OntoRun plan = shop.onto("gc", "--covered", "--older-than", "0s", "--json");
        OntoRun removed = shop.onto("gc", "--covered", "--older-than", "0s", "--apply", "--json");

        assertThat(early.succeeded().at("orphans")).isEqualTo(List.of());
        assertThat(usual.succeeded().at("orphans")).isEqualTo(List.of());
        assertThat(plan.succeeded().at("deleted")).isEqualTo(0L);
        assertThat(removed.succeeded().at("deleted")).isEqualTo(11L);
        assertThat(shop.state()).isEqualTo(before);
        shop.onto("fsck").succeeded();
    }

    @Test
    void what_nothing_refers_to_is_found_and_removed_when_it_is_old_enough() throws IOException {
        Path orphan = object("commits/5-0badc0de/entities/Customer.parquet");
        Files.createDirectories(orphan.getParent());
        Files.writeString(orphan, "left by a writer that died");
        Path fresh = object("commits/5-feedbeef/manifest.json");
        Files.createDirectories(fresh.getParent());
        Files.writeString(fresh, "{}");
        Files.setLastModifiedTime(orphan, FileTime.from(Workspace.START.minus(Duration.ofDays(8))));
        Files.setLastModifiedTime(fresh, FileTime.from(Workspace.START.minus(Duration.ofDays(6))));

        OntoRun found = shop.onto("gc", "--json");
        OntoRun text = shop.onto("gc", "--older-than", "7d");
        boolean untouched = Files.exists(orphan);
        OntoRun removed = shop.onto("gc", "--apply", "--json");
        OntoRun nothing = shop.onto("gc", "--apply");

        assertThat(found.succeeded().at("orphans")).isEqualTo(List.of("commits/5-0badc0de/entities/Customer.parquet"));
        assertThat(found.at("bytes")).isEqualTo(26L);
        assertThat(found.at("deleted")).isEqualTo(0L);
        assertThat(text.succeeded().out()).isEqualTo("""
                left over
                commits/5-0badc0de/entities/Customer.parquet

                1 objects of 26 bytes
                nothing was changed; add --apply to do it
                """);
        assertThat(untouched).isTrue();
        assertThat(removed.succeeded().at("deleted")).isEqualTo(1L);
        assertThat(orphan).doesNotExist();
        assertThat(fresh).exists();
        assertThat(nothing.succeeded().out()).isEqualTo("nothing is left over\n");
        shop.onto("fsck").succeeded();
    }

    @Test
    void objects_younger_than_an_hour_stay_whatever_is_asked_for() throws IOException {
        Path young = object("commits/5-0badc0de/manifest.json");
        Files.createDirectories(young.getParent());
        Files.writeString(young, "{}");
        Files.setLastModifiedTime(young, FileTime.from(Workspace.START.minus(Duration.ofMinutes(30))));

        OntoRun run = shop.onto("gc", "--older-than", "0s", "--apply");

        assertThat(run).returns(0, OntoRun::exitCode);
        assertThat(run.err()).startsWith("note: ").contains("younger than 1h are never removed");
        assertThat(run.out()).isEqualTo("nothing is left over\n");
        assertThat(young).exists();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gc --older-than soon",
                "gc --older-than -1d",
                "gc --older-than 7",
                "gc --older-than",
                "gc --dry-run --apply",
                "compact --dry-run --apply",
                "index repair --dry-run --apply",
                "index",
                "index mend",
                "compact Customer"
            })
    void what_cannot_be_read_is_a_usage_error(String args) {
        Map<String, String> before = shop.content();

        shop.onto(args.split(" ")).failedWith(2);

        assertThat(shop.content()).isEqualTo(before);
    }

    @Test
    void an_unknown_type_is_named() {
        OntoRun run = shop.onto("compact", "--type", "Nope").failedWith(4);

        assertThat(run.err()).contains("unknown type Nope");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "index verify",
                "index repair",
                "compact",
                "gc",
                "index repair --apply",
                "compact --apply",
                "gc --apply"
            })
    void a_missing_store_is_named_and_not_created(String args) {
        OntoRun run = shop.on("missing", args.split(" ")).failedWith(4);

        assertThat(run.err()).contains("missing", "there is no Ontologia store");
        assertThat(shop.path("missing")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"index verify", "index repair", "compact", "gc", "init --dry-run", "init --dry-run --force"})
    void looking_changes_no_byte(String args) {
        Map<String, String> before = shop.content();

        shop.onto(args.split(" ")).succeeded();

        assertThat(shop.content()).isEqualTo(before);
    }

    private Workspace shopWith(String key, String content) throws IOException {
        Files.writeString(object(key), content);
        return shop;
    }

    private Path object(String key) {
        return shop.database().resolve(key);
    }
}
