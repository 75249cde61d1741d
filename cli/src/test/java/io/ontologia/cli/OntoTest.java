package io.ontologia.cli;

import static io.ontologia.cli.OntoRun.onto;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.kernel.Clock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class OntoTest {
    @Test
    void without_arguments_it_shows_its_help() {
        OntoRun run = onto();

        assertThat(run).returns(0, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(run.out()).contains("Usage: onto [OPTIONS] [COMMAND]", "store", "completion");
    }

    @Test
    void the_version_is_a_line_or_a_document() {
        OntoRun line = onto("--version");
        OntoRun document = onto("--version", "--json");

        assertThat(line.out()).matches("onto [0-9]+\\.[0-9]+\\.[0-9]+\\n");
        assertThat(document.json())
                .isEqualTo(Map.of("version", line.out().substring(5).strip()));
    }

    static Stream<CommandLine> every_command() {
        List<CommandLine> all = new ArrayList<>();
        collect(Onto.commandLine(silent()), all);
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("every_command")
    void every_command_shows_a_description_and_examples(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        List<String> words = new ArrayList<>(Arrays.asList(name.split(" ")));
        words.remove(0);
        words.add("--help");

        OntoRun run = onto(words.toArray(String[]::new));

        assertThat(run).returns(0, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(run.out())
                .startsWith("Usage: " + name)
                .contains("Examples:\n", "Options of every command:", "--json");
        assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("every_command")
    void every_example_in_the_help_is_a_command_line_that_can_be_read(CommandLine command) {
        List<String> examples = Arrays.stream(
                        command.getCommandSpec().usageMessage().footer())
                .map(String::strip)
                .filter(line -> line.startsWith("onto "))
                .map(line -> line.replaceFirst(" > .*", ""))
                .toList();

        assertThat(examples).isNotEmpty();
        for (String example : examples) {
            String[] words =
                    ShellWords.split(example.substring("onto ".length())).toArray(String[]::new);
            assertThatCode(() -> Onto.commandLine(silent()).parseArgs(words))
                    .as(example)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void a_mistyped_command_or_option_is_answered_with_what_was_meant() {
        OntoRun command = onto("sotre").failedWith(2);
        OntoRun option = onto("store", "check", "--jsn").failedWith(2);

        assertThat(command.err())
                .startsWith("error: invalid command line: unknown command 'sotre'. Did you mean ")
                .contains("store?")
                .endsWith("See 'onto --help'\n");
        assertThat(option.err())
                .isEqualTo("error: invalid command line: unknown option '--jsn'. Did you mean --json?"
                        + " See 'onto store check --help'\n");
    }

    @Test
    void a_missing_command_or_value_is_a_usage_error() {
        OntoRun command = onto("store").failedWith(2);
        OntoRun value = onto("store", "check", "--db").failedWith(2);

        assertThat(command.err()).contains("'onto store' needs a command: check");
        assertThat(value.err()).contains("--db", "PATH");
    }

    @Test
    void a_usage_error_with_json_is_a_document_on_standard_output() {
        OntoRun run = onto("store", "check", "--json", "--nonsense");

        assertThat(run).returns(2, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(run.json())
                .isEqualTo(Map.of(
                        "error",
                        Map.of(
                                "kind", "invalid_input",
                                "message",
                                        "invalid command line: unknown option '--nonsense'. See 'onto store check --help'",
                                "details", Map.of("command", "onto store check"))));
    }

    @Test
    void verbose_adds_the_stack_trace_on_standard_error() {
        OntoRun text = onto("store", "check", "--storage-uri", "nonsense", "--verbose");
        OntoRun json = onto("--verbose", "store", "check", "--storage-uri", "nonsense", "--json");

        assertThat(text.err()).startsWith("error: ").contains("\tat io.ontologia.cli");
        assertThat(json.err()).contains("\tat io.ontologia.cli");
        assertThat(json.jsonErrorMessage()).contains("nonsense");
    }

    @Test
    void control_characters_in_an_argument_do_not_reach_the_terminal() {
        OntoRun run = onto("store\033[2J\nx").failedWith(2);

        assertThat(run.err()).contains("store\\u001b[2J x");
    }

    @Test
    void a_result_that_cannot_be_written_is_a_failure() {
        StringBuilder err = new StringBuilder();
        Onto onto = new Onto(
                Map.of(),
                InputStream.nullInputStream(),
                new PrintStream(new FullDisk(), false),
                collector(err),
                Clock.system());

        int exitCode = onto.run("--help");

        assertThat(exitCode).isEqualTo(5);
        assertThat(err).startsWith("error: cannot write the result: ");
    }

    @Test
    void the_completion_script_knows_every_command() {
        OntoRun run = onto("completion");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .startsWith("#!/usr/bin/env bash")
                .contains("_picocli_onto_store_check", "complete -F _complete_onto -o default onto");
    }

    private static void collect(CommandLine command, List<CommandLine> all) {
        all.add(command);
        command.getSubcommands().values().forEach(sub -> collect(sub, all));
    }

    private static Invocation silent() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        return new Invocation(Map.of(), new ByteArrayInputStream(new byte[0]), nowhere, nowhere, Clock.system());
    }

    private static PrintStream collector(StringBuilder text) {
        return new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        text.append((char) b);
                    }
                },
                true,
                StandardCharsets.US_ASCII);
    }

    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }
}
