package io.ontologia.cli.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.WriteLease;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitOnObjectsTest {
    @TempDir
    Path folder;

    private Workspace workspace;

    @BeforeEach
    void prepare() {
        workspace = new Workspace(folder, Backend.FOLDER);
    }

    @Test
    void a_dry_run_says_whether_a_store_is_there_and_creates_none() {
        OntoRun before = workspace.onto("init", "--dry-run", "--json");
        Map<String, String> created = workspace.content();
        workspace.onto("init").succeeded();
        OntoRun after = workspace.onto("init", "--dry-run", "--json");
        OntoRun text = workspace.onto("init", "--dry-run");

        assertThat(before.succeeded().json()).isEqualTo(Map.of("backend", "object", "initialized", false));
        assertThat(created).isEmpty();
        assertThat(after.succeeded().json()).isEqualTo(Map.of("backend", "object", "initialized", true));
        assertThat(text.succeeded().out()).contains("onto.db is ready; it holds 1 objects of ");
    }

    @Test
    void init_creates_the_head_leaves_nothing_of_the_probe_and_can_be_repeated() {
        OntoRun first = workspace.onto("init", "--json");
        OntoRun second = workspace.onto("init");

        assertThat(first.succeeded().json()).isEqualTo(Map.of("backend", "object", "initialized", true));
        assertThat(second.succeeded().out()).endsWith("onto.db is ready\n");
        assertThat(workspace.database().resolve("meta/head.json")).exists();
        assertThat(workspace.database().resolve("meta/probe"))
                .satisfiesAnyOf(
                        probe -> assertThat(probe).doesNotExist(),
                        probe -> assertThat(probe).isEmptyDirectory());
        assertThat(workspace.onto("commits", "--json").succeeded().json()).isEqualTo(List.of());
    }

    @Test
    void beginning_anew_needs_the_token_of_a_dry_run_and_loses_everything() {
        Workspace shop = Workspace.shop(folder, Backend.FOLDER);
        String state = shop.state();

        OntoRun offer = shop.onto("init", "--force", "--dry-run", "--json");
        OntoRun text = shop.onto("init", "--force", "--dry-run");
        OntoRun without = shop.onto("init", "--force").failedWith(2);
        OntoRun wrong =
                shop.onto("init", "--force", "--token", "0000000000000000").failedWith(4);
        String untouched = shop.state();
        OntoRun done = shop.onto("init", "--force", "--token", offer.textAt("token"), "--json");

        assertThat(offer.succeeded().at("initialized")).isEqualTo(true);
        assertThat(text.succeeded().out()).contains("token: " + offer.textAt("token"), "to lose all this");
        assertThat(without.err()).contains("needs a token", "--dry-run");
        assertThat(wrong.err()).contains("the token does not belong to the present state of the store");
        assertThat(untouched).isEqualTo(state);
        assertThat(done.succeeded().json()).isEqualTo(Map.of("backend", "object", "initialized", true));
        assertThat(shop.onto("info", "--json").succeeded().at("head_commit_id")).isEqualTo(0L);
        assertThat(shop.onto("info", "--json").at("types")).isEqualTo(List.of());
        assertThat(shop.content().keySet()).noneMatch(name -> name.contains("commits/"));
        shop.ensure("again", Workspace.product("p7", "Seventh"));
        assertThat(shop.onto("query", "entities", "Product", "--json")
                        .succeeded()
                        .column("key"))
                .containsExactly("p7");
    }

    @Test
    void a_token_is_worthless_once_somebody_committed() {
        Workspace shop = Workspace.shop(folder, Backend.FOLDER);
        String token = shop.onto("init", "--force", "--dry-run", "--json").textAt("token");
        shop.ensure("meanwhile", Workspace.product("p9", "Late"));

        OntoRun refused = shop.onto("init", "--force", "--token", token).failedWith(4);

        assertThat(refused.err()).contains("nothing was changed");
        assertThat(shop.onto("info", "--json").succeeded().at("head_commit_id")).isEqualTo(5L);
    }

    @Test
    void a_store_with_a_damaged_head_can_be_begun_anew() throws IOException {
        Workspace shop = Workspace.shop(folder, Backend.FOLDER);
        Files.writeString(shop.database().resolve("meta/head.json"), "{");

        shop.onto("info").failedWith(5);
        String token = shop.onto("init", "--force", "--dry-run", "--json").textAt("token");
        shop.onto("init", "--force", "--token", token).succeeded();

        assertThat(shop.onto("info", "--json").succeeded().at("head_commit_id")).isEqualTo(0L);
    }

    @Test
    void where_a_removal_broke_off_there_is_no_store_until_it_is_finished() throws IOException {
        Workspace shop = Workspace.shop(folder, Backend.FOLDER);
        Files.writeString(
                shop.database().resolve("meta/head.json"), "{\"erasing_since\":\"2026-01-01T00:00:00.000000+00:00\"}");
        shop.on("other", "init").succeeded();
        Map<String, String> before = shop.content();

        OntoRun info = shop.onto("info").failedWith(4);
        OntoRun init = shop.onto("init").failedWith(4);
        OntoRun from = shop.run("copy", shop.uri(), shop.uri("copy")).failedWith(4);
        OntoRun to = shop.run("copy", shop.uri("other"), shop.uri()).failedWith(4);
        Map<String, String> after = shop.content();
        OntoRun offer = shop.onto("init", "--force", "--dry-run");
        OntoRun offered = shop.onto("init", "--force", "--dry-run", "--json");
        OntoRun done = shop.onto("init", "--force", "--token", offered.textAt("token"));

        assertThat(info.err())
                .contains(
                        "there is no store any more",
                        "removing everything since 2026-01-01",
                        "'onto init --force --dry-run' tells how to finish it");
        assertThat(init.err()).contains("there is no store any more");
        assertThat(from.err()).contains("there is no store any more", "if it broke off");
        assertThat(to.err()).contains("cannot copy to", "if it broke off");
        assertThat(after).isEqualTo(before);
        assertThat(offer.out()).contains("is not prepared", "the rest of what 'onto init --force' began to remove");
        assertThat(offered.at("initialized")).isEqualTo(false);
        assertThat(done.succeeded().out()).endsWith("is ready now\n");
        assertThat(shop.onto("info", "--json").succeeded().at("head_commit_id")).isEqualTo(0L);
        assertThat(shop.content().keySet()).noneMatch(name -> name.contains("commits/") || name.contains("schema/"));
    }

    @Test
    void where_only_the_mark_is_left_of_a_removal_the_dry_run_tells_how_to_finish_it() throws IOException {
        workspace.onto("init").succeeded();
        Files.writeString(
                workspace.database().resolve("meta/head.json"),
                "{\"erasing_since\":\"2026-01-01T00:00:00.000000+00:00\"}");

        OntoRun offer = workspace.onto("init", "--force", "--dry-run", "--json");
        workspace.onto("init", "--force").failedWith(2);
        workspace.onto("init", "--force", "--token", offer.textAt("token")).succeeded();

        assertThat(offer.at("initialized")).isEqualTo(false);
        assertThat(workspace.onto("info", "--json").succeeded().at("head_commit_id"))
                .isEqualTo(0L);
    }

    @Test
    void nobody_begins_anew_while_somebody_writes() {
        Workspace shop = Workspace.shop(folder, Backend.FOLDER);
        String token = shop.onto("init", "--force", "--dry-run", "--json").textAt("token");
        SettableClock clock = new SettableClock(Workspace.START.plus(Duration.ofMinutes(5)));
        SessionOptions options = SessionOptions.defaults().runtimeId("other");
        options = options.storage(options.storage().clock(clock).leaseTtl(Duration.ofHours(1)));
        try (Maintenance other = Ontologia.maintain(shop.uri(), options);
                WriteLease lease = other.lock().acquire()) {
            OntoRun refused = shop.onto("init", "--force", "--token", token).failedWith(5);

            assertThat(lease.isHeld()).isTrue();
            assertThat(refused.err()).contains("cannot begin anew", "'other' holds the write lock");
        }
        assertThat(shop.onto("info", "--json").succeeded().at("head_commit_id")).isEqualTo(4L);
    }

    @Test
    void a_place_with_nothing_to_lose_needs_no_token() {
        OntoRun nothing = workspace.onto("init", "--force", "--dry-run", "--json");
        OntoRun forced = workspace.onto("init", "--force");
        OntoRun again = workspace.onto("init", "--force", "--json");

        assertThat(nothing.succeeded().json()).isEqualTo(Map.of("backend", "object", "initialized", false));
        assertThat(forced.succeeded().out()).endsWith("onto.db is ready now\n");
        assertThat(again.succeeded().at("initialized")).isEqualTo(true);
    }

    @Test
    void a_store_in_memory_can_be_prepared_and_is_gone_afterwards() {
        OntoRun init = workspace.run("init", "--storage-uri", "memory:", "--json");
        OntoRun info = workspace.run("info", "--storage-uri", "memory:", "--json");

        assertThat(init.succeeded().at("initialized")).isEqualTo(true);
        assertThat(info.succeeded().at("head_commit_id")).isEqualTo(0L);
    }

    @Test
    void options_that_do_not_go_together_are_usage_errors() {
        workspace.onto("init", "--token", "x").failedWith(2);
        workspace.onto("init", "--force", "--dry-run", "--token", "x").failedWith(2);

        assertThat(workspace.content()).isEmpty();
    }
}
