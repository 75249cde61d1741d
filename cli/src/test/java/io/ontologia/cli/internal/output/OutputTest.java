package io.ontologia.cli.internal.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ontologia.kernel.Json;
import io.ontologia.testkit.SettableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutputTest {
    private static final Terminal NO_TERMINAL = Terminal.of(Map.of());
    private static final Terminal TERMINAL = Terminal.of(Map.of("ONTOLOGIA_TERMINAL", "out,err"));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final SettableClock clock = new SettableClock();

    @Test
    void columns_are_as_wide_as_what_a_terminal_shows_and_numbers_are_aligned_right() {
        Output output = output(NO_TERMINAL, Output.Format.TEXT);

        output.table(
                List.of("name", "rows", "note"),
                List.of(
                        Arrays.asList("Customer", 12, "x"),
                        Arrays.asList("日本", 1_234, null),
                        Arrays.asList("cafe\u0301", null, "y")));

        assertThat(text(out)).isEqualTo("""
                        name      rows  note
                        Customer    12  x
                        日本      1234  -
                        cafe\u0301         -  y
                        """);
    }

    @Test
    void an_empty_table_still_shows_its_headers() {
        output(NO_TERMINAL, Output.Format.TEXT).table(List.of("name", "rows"), List.of());

        assertThat(text(out)).isEqualTo("name  rows\n");
    }

    @Test
    void control_characters_in_a_cell_are_shown_as_escapes() {
        output(NO_TERMINAL, Output.Format.TEXT).table(List.of("name"), List.of(List.of("a\nb\t\033[2J")));

        assertThat(text(out)).isEqualTo("name\na\\nb\\t\\u001b[2J\n");
    }

    @Test
    void characters_that_hide_or_turn_text_are_shown_as_escapes() {
        String hidden = "a\u202eb\u200bc\u2066d\ufeffe\u00adf\u2028g\u009bh" + Character.toString(0xe0041);
        String shown = "a\\u202eb\\u200bc\\u2066d\\ufeffe\\u00adf\\u2028g\\u009bh\\udb40\\udc41";

        output(NO_TERMINAL, Output.Format.TEXT).table(List.of("name"), List.of(List.of(hidden)));
        output(NO_TERMINAL, Output.Format.TEXT).line(hidden + "\n\tmore");
        output(NO_TERMINAL, Output.Format.TEXT).diagnostic("note:", Tone.WEAK, hidden);

        assertThat(text(out)).isEqualTo("name\n" + shown + "\n" + shown + "\n\tmore\n");
        assertThat(text(err)).isEqualTo("note: " + shown + "\n");
    }

    @Test
    void a_row_that_does_not_fit_the_headers_is_a_mistake_of_the_command() {
        Output output = output(NO_TERMINAL, Output.Format.TEXT);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> output.table(List.of("a", "b"), List.of(List.of("only one"))));
    }

    @Test
    void colour_is_for_terminals_that_want_it() {
        List<List<Styled>> rows = List.of(List.of(new Styled("ok", Tone.GOOD)));

        output(TERMINAL, Output.Format.TEXT).table(List.of("state"), rows);
        output(Terminal.of(Map.of("ONTOLOGIA_TERMINAL", "out", "NO_COLOR", "1")), Output.Format.TEXT)
                .table(List.of("state"), rows);
        output(Terminal.of(Map.of("ONTOLOGIA_TERMINAL", "out", "TERM", "dumb")), Output.Format.TEXT)
                .table(List.of("state"), rows);

        assertThat(text(out).lines())
                .containsExactly("\033[1mstate\033[0m", "\033[32mok\033[0m", "state", "ok", "state", "ok");
    }

    @Test
    void in_json_only_the_document_is_printed() {
        Output output = output(TERMINAL, Output.Format.JSON);

        output.line("text");
        output.table(List.of("a"), List.of(List.of("b")));
        output.json(List.of(1, 2));

        assertThat(text(out)).isEqualTo("[1, 2]\n");
    }

    @Test
    void json_keeps_the_order_of_keys_and_breaks_only_what_is_too_long_for_a_line() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("zeta", "é\"\n");
        tree.put("alpha", Arrays.asList(1, 2.5, true, null));
        tree.put("long", Collections.nCopies(3, "0123456789012345678901234567890123456789"));
        tree.put("empty", Map.of());

        output(NO_TERMINAL, Output.Format.JSON).json(tree);

        assertThat(text(out)).isEqualTo("""
                        {
                          "zeta": "é\\"\\n",
                          "alpha": [1, 2.5, true, null],
                          "long": [
                            "0123456789012345678901234567890123456789",
                            "0123456789012345678901234567890123456789",
                            "0123456789012345678901234567890123456789"
                          ],
                          "empty": {}
                        }
                        """);
        assertThat(Json.parse(text(out))).isEqualTo(Json.parse(text(out).replace("\n", "")));
    }

    @Test
    void progress_is_drawn_after_a_second_and_taken_away_at_the_end() {
        try (Progress progress = output(TERMINAL, Output.Format.TEXT).progress("import", 1_000)) {
            progress.advance(100);
            clock.advance(Duration.ofMillis(999));
            progress.advance(100);
            assertThat(text(err)).isEmpty();

            clock.advance(Duration.ofMillis(1));
            progress.advance(50);
            clock.advance(Duration.ofMillis(99));
            progress.advance(1);
        }

        assertThat(text(err))
                .isEqualTo(
                        "\rimport  [#######.......................]  25%  250 of 1,000  3 s left\033[K" + "\r\033[K");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void progress_of_unknown_length_counts() {
        try (Progress progress = output(TERMINAL, Output.Format.JSON).progress("export", 0)) {
            clock.advance(Duration.ofSeconds(2));
            progress.advance(12_345);
        }

        assertThat(text(err)).isEqualTo("\rexport  12,345\033[K\r\033[K");
    }

    @Test
    void without_a_terminal_there_is_no_progress() {
        try (Progress progress = output(NO_TERMINAL, Output.Format.TEXT).progress("import", 10)) {
            clock.advance(Duration.ofMinutes(1));
            progress.advance(5);
        }

        assertThat(text(err)).isEmpty();
    }

    private Output output(Terminal terminal, Output.Format format) {
        return new Output(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal,
                format,
                clock);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
