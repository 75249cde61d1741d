package io.ontologia.cli.internal.demo;

import static io.ontologia.cli.OntoRun.onto;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import io.ontologia.cli.ShellWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
    @TempDir
    Path folder;

    @Test
    void the_tour_shows_commands_and_their_answers() {
        OntoRun run = onto("demo");

        run.succeeded();
        assertThat(run.out())
                .contains(
                        "$ onto import --input january.jsonl --models models.yaml --apply --on-conflict abort --meta source=crm")
                .contains("birch  Birch Dental  Gold               -  [\"eu\"]       2")
                .contains("bad line: broken.jsonl:3: ")
                .contains("What to try next")
                .doesNotContain(System.getProperty("java.io.tmpdir") + "/onto-demo");
    }

    @Test
    void every_command_of_the_tour_can_be_typed_again() {
        OntoRun run = onto("demo", "--json").succeeded();

        List<@Nullable Object> commands = run.column("command");

        assertThat(commands).hasSize(DemoStory.STEPS.size());
        for (int i = 0; i < commands.size(); i++) {
            List<String> words = ShellWords.split((String) Objects.requireNonNull(commands.get(i)));
            List<String> expected = new ArrayList<>(List.of("onto"));
            DemoStory.STEPS.get(i).args().forEach(arg -> expected.add(arg.replaceFirst("^@", "")));
            assertThat(words).isEqualTo(expected);
        }
        assertThat(run.column("exit_code")).contains(6L).containsOnly(0L, 6L);
    }

    @Test
    void a_kept_store_goes_on_living() {
        Path tour = folder.resolve("tour");

        OntoRun run = onto("demo", "--keep", tour.toString());

        assertThat(run.succeeded().out()).contains("cd " + tour);
        OntoRun bronze = onto(
                "query",
                "entities",
                "Customer",
                "--where",
                "tier = 'Bronze'",
                "--json",
                "--db",
                tour.resolve("onto.db").toString());
        assertThat(bronze.succeeded().column("key")).containsExactly("delta");
        assertThat(tour.resolve("models.yaml")).exists();
    }

    @Test
    void a_folder_in_use_is_left_alone() throws IOException {
        Files.writeString(folder.resolve("mine.txt"), "mine");

        OntoRun used = onto("demo", "--keep", folder.toString()).failedWith(2);
        OntoRun file =
                onto("demo", "--keep", folder.resolve("mine.txt").toString()).failedWith(2);

        assertThat(used.err()).contains("which is there and not empty");
        assertThat(file.err()).contains("which is there and not empty");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void the_users_own_settings_do_not_reach_the_tour() {
        OntoRun run = OntoRun.in(Map.of(
                        "ONTOLOGIA_DB", folder.resolve("own.db").toString(),
                        "ONTOLOGIA_CONFIG", folder.resolve("missing.yaml").toString()))
                .run("demo");

        run.succeeded();
        assertThat(folder.resolve("own.db")).doesNotExist();
    }
}
