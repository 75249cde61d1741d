package io.ontologia.cli.internal.demo;

import static io.ontologia.cli.OntoRun.onto;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
    @TempDir
    Path folder;

    @Test
    void the_tour_shows_each_command_and_what_came_of_it() {
        OntoRun run = onto("demo").succeeded();

        assertThat(run.out().lines().filter(line -> line.startsWith("$ onto ")))
                .hasSize(DemoStep.tour().size());
        assertThat(run.out()).contains("Platinum", "mistakes.jsonl:1", "mistakes.jsonl:2", "mistakes.jsonl:3");
    }

    @Test
    void what_is_kept_can_be_asked_again() {
        Path kept = folder.resolve("tour");

        onto("demo", "--keep", kept.toString()).succeeded();

        OntoRun gold = onto(
                        "query",
                        "entities",
                        "Customer",
                        "--where",
                        "tier = 'Gold'",
                        "--as-of",
                        "1",
                        "--json",
                        "--db",
                        kept.resolve("onto.db").toString())
                .succeeded();
        assertThat(gold.column("key")).containsExactly("c1", "c3");
        assertThat(onto("commits", "--json", "--db", kept.resolve("onto.db").toString())
                        .succeeded()
                        .column("commit_id"))
                .containsExactly(2L, 1L);
    }

    @Test
    void a_folder_that_exists_is_left_alone() throws Exception {
        Files.writeString(folder.resolve("mine.txt"), "mine");

        onto("demo", "--keep", folder.toString()).failedWith(5);

        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("mine.txt"));
        }
    }

    @Test
    void programs_get_the_list_of_commands() {
        OntoRun run = onto("demo", "--json").succeeded();

        assertThat(run.column("exit_code")).contains(0L, 6L);
    }
}
