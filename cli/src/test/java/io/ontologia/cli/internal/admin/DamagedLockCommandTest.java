package io.ontologia.cli.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedLockCommandTest {
    private static final String LOCK = "meta/locks/ontology_write.json";

    @TempDir
    Path folder;

    @Test
    void a_damaged_lock_is_shown_with_the_way_out_and_replaced_by_its_token() throws IOException {
        Workspace shop = Workspace.shop(folder, Backend.FOLDER);
        Path input = shop.file("in.jsonl", Workspace.product("p9", "Late") + "\n");
        String[] importing = {"import", "--input", input.toString(), "--apply", "--on-conflict", "abort"};
        Files.writeString(Path.of(URI.create(shop.uri())).resolve(LOCK), "{\"owner_id\": ");

        assertThat(shop.onto(importing).failedWith(5).err()).contains(LOCK, "onto lock show");
        assertThat(finds(shop.onto("fsck")).out()).contains("damaged-lock", LOCK);
        OntoRun info = shop.onto("info", "--json").succeeded();
        assertThat(info.at("head_commit_id")).isEqualTo(4L);
        assertThat(info.at("lock")).isNull();
        assertThat(info.at("lock_damage", "object")).isEqualTo(LOCK);
        assertThat(shop.onto("info").succeeded().out()).contains("damaged: " + LOCK, "onto lock show");
        OntoRun shown = finds(shop.onto("lock", "show", "--json"));
        String token = shown.textAt("token");
        assertThat(shown.at("damaged")).isEqualTo(true);
        assertThat(shown.at("object")).isEqualTo(LOCK);
        assertThat(finds(shop.onto("lock", "show")).out()).contains("onto lock break --token " + token);

        shop.onto("lock", "break", "--token", "0000000000000000").failedWith(4);
        shop.onto(importing).failedWith(5);
        OntoRun broken = shop.onto("lock", "break", "--token", token, "--json").succeeded();

        assertThat(broken.at("broken")).isEqualTo(true);
        assertThat(broken.at("object")).isEqualTo(LOCK);
        shop.onto("lock", "show").succeeded();
        shop.onto(importing).succeeded();
        shop.onto("fsck").succeeded();
    }

    @Test
    void a_damaged_row_in_a_sqlite_file_is_shown_and_replaced_in_the_same_way() throws SQLException {
        Workspace shop = Workspace.shop(folder, Backend.SQLITE);
        Path input = shop.file("in.jsonl", Workspace.product("p9", "Late") + "\n");
        String[] importing = {"import", "--input", input.toString(), "--apply", "--on-conflict", "abort"};
        String file = shop.uri().replaceFirst("^sqlite:///", "");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO locks (lock_name, owner_id, acquired_at, expires_at)"
                    + " VALUES ('ontology_write', 'a', 'yesterday', 'tomorrow')");
        }

        assertThat(shop.onto(importing).failedWith(5).err()).contains("onto lock show");
        assertThat(finds(shop.onto("fsck")).out()).contains("unreadable-lock", "onto lock break");
        assertThat(shop.onto("info").succeeded().out()).contains("damaged: row 'ontology_write'");
        assertThat(shop.onto("info", "--json").succeeded().at("lock_damage", "damaged"))
                .isEqualTo(true);
        String token = finds(shop.onto("lock", "show", "--json")).textAt("token");
        shop.onto("lock", "break", "--token", "0000000000000000").failedWith(4);
        shop.onto("lock", "break", "--token", token).succeeded();

        shop.onto("lock", "show").succeeded();
        shop.onto(importing).succeeded();
        shop.onto("fsck").succeeded();
    }

    private static OntoRun finds(OntoRun run) {
        assertThat(run.exitCode()).isEqualTo(3);
        return run;
    }
}
