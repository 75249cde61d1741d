package io.ontologia.cli.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FsckCommandTest {
    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder);
    }

    @Test
    void a_sound_store_is_in_order() {
        OntoRun text = shop.onto("fsck");
        OntoRun json = shop.onto("fsck", "--json");

        assertThat(text.succeeded().out()).isEqualTo("no problems found\n");
        assertThat(json.succeeded().json()).isEqualTo(Map.of("ok", true, "findings", List.of()));
    }

    @Test
    void what_is_wrong_is_found_and_left_as_it_is() {
        HandmadeFile.execute(
                shop.database(),
                "PRAGMA foreign_keys = OFF",
                "DELETE FROM commits WHERE id = 2",
                "UPDATE entity_history SET fields_json = 'no json' WHERE entity_key = 'c1'");
        Map<String, String> before = shop.content();

        OntoRun text = shop.onto("fsck");
        OntoRun json = shop.onto("fsck", "--json");

        assertThat(text).returns(3, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(text.out()).startsWith("severity  finding").contains("error");
        assertThat(json).returns(3, OntoRun::exitCode);
        assertThat(json.at("ok")).isEqualTo(false);
        assertThat(json.namesAt("findings", 0)).containsExactly("code", "severity", "message", "count", "example");
        assertThat(shop.content()).isEqualTo(before);
    }
}
