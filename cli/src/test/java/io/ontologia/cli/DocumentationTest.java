package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the commands of the documentation. In its pages, a block whose fence names a file beside the language is that file; each
 * line of an {@code sh} block is a command, in order; a {@code text} block is what the last one printed.
 */
class DocumentationTest {
    private static final Path DOCS = Path.of(System.getProperty("basedir", "."), "..", "docs");
    private static final Pattern BLOCK = Pattern.compile("```(\\w*) ?(\\S*)\n(.*?)```\n", Pattern.DOTALL);
    private static final Pattern EXIT = Pattern.compile(" +# exits with ([0-9])$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(#[^)]*)?\\)");
    private static final Set<String> PATH_OPTIONS =
            Set.of("--input", "--models", "--output", "--db", "--keep", "--config");

    /** Where pages have their stores on objects. */
    private static final String SERVER = "file:///srv/";

    /** Where pages have their stores in files, when they name them by URI. */
    private static final String DATABASE = "sqlite:///";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "guide/getting-started.md",
                "guide/importing-data.md",
                "guide/rows-that-end.md",
                "guide/asking-the-past.md",
                "guide/following-relations.md",
                "guide/object-storage.md",
                "guide/backup.md",
                "guide/erasure.md",
                "guide/names.md",
                "guide/schema-changes.md",
                "guide/distributed-engines.md",
                "reference/models.md",
                "reference/filter-expressions.md"
            })
    void the_commands_of_a_page_do_what_it_says(String page) throws IOException {
        if (page.equals("reference/filter-expressions.md")) {
            Workspace.shop(folder);
        }
        String answer = "";
        int commands = 0;
        Matcher block = BLOCK.matcher(Files.readString(DOCS.resolve(page)));
        while (block.find()) {
            String content = block.group(3);
            if (!block.group(2).isEmpty()) {
                Files.writeString(folder.resolve(block.group(2)), content.replace(SERVER, "file://" + folder + "/"));
            } else if (block.group(1).equals("sh")) {
                for (String line : content.split("\n", -1)) {
                    if (!line.isBlank()) {
                        answer = run(line);
                        commands++;
                    }
                }
            } else if (block.group(1).equals("text")) {
                assertThat(answer).isEqualTo(content);
            }
        }
        assertThat(commands).isPositive();
    }

    private String run(String line) {
        Matcher exit = EXIT.matcher(line);
        int expected = exit.find() ? Integer.parseInt(exit.group(1)) : 0;
        List<String> words = ShellWords.split(exit.replaceFirst(""));
        List<String> args = new ArrayList<>();
        for (int i = 1; i < words.size(); i++) {
            boolean path = PATH_OPTIONS.contains(words.get(i - 1));
            args.add(
                    path
                            ? folder.resolve(words.get(i)).toString()
                            : words.get(i)
                                    .replace(SERVER, "file://" + folder + "/")
                                    .replace(DATABASE, DATABASE + folder + "/"));
        }

        OntoRun run = OntoRun.in(
                        Map.of("ONTOLOGIA_DB", folder.resolve("onto.db").toString()))
                .run(args.toArray(String[]::new));

        assertThat(words).first().isEqualTo("onto");
        assertThat(run.exitCode()).as(line + "\n" + run.err()).isEqualTo(expected);
        return (run.out() + run.err()).replace("file://" + folder + "/", SERVER).replace(folder + "/", "");
    }

    @Test
    void links_between_pages_lead_somewhere() throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.walk(DOCS)) {
            pages = files.filter(file -> file.toString().endsWith(".md")).toList();
        }

        for (Path page : pages) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                if (!link.group(1).contains("://")) {
                    assertThat(page.resolveSibling(link.group(1)))
                            .as(link.group() + " in " + page)
                            .exists();
                }
            }
        }
    }

    @Test
    void every_command_has_its_place_in_the_reference() throws IOException {
        String reference = Files.readString(DOCS.resolve("reference/cli.md"));

        List<String> commands = OntoTest.every_command()
                .filter(command -> command.getSubcommands().isEmpty())
                .map(command -> command.getCommandSpec().qualifiedName().replaceFirst("^onto ", ""))
                .toList();

        assertThat(commands)
                .isNotEmpty()
                .allSatisfy(command -> assertThat(reference).containsPattern("`(onto )?" + command));
    }
}
