package io.ontologia.cli.internal.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.testkit.SettableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables that fit a terminal, and their other forms. */
class LayoutTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Output output(Map<String, String> environment) {
        return new Output(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Terminal.of(environment),
                Output.Format.TEXT,
                new SettableClock());
    }

    private static Map<String, String> terminal(int columns) {
        return Map.of("ONTOLOGIA_TERMINAL", "out,err", "NO_COLOR", "1", "COLUMNS", Integer.toString(columns));
    }

    private String shown(Map<String, String> environment, Layout layout, List<?>... rows) {
        List<List<? extends @Nullable Object>> all = List.copyOf(Arrays.asList(rows));
        output(environment).table(List.of("key", "text", "other text", "n"), all, layout);
        return out.toString(StandardCharsets.UTF_8);
    }

    private String notes() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void the_widest_columns_of_texts_are_cut_until_a_line_fits() {
        String table = shown(
                terminal(40),
                Layout.TABLE,
                List.of("k1", "a text that is much too long", "another that is too long", 123456789),
                Arrays.asList("k2", "short", null, 1));

        assertThat(table).isEqualTo("""
                key  text         other text           n
                k1   a text tha…  another th…  123456789
                k2   short        -                    1
                """);
        assertThat(table.lines()).allMatch(line -> PlainText.width(line) <= 40);
        assertThat(notes()).isEqualTo("note: long values are cut to fit the terminal; --vertical shows them whole\n");
    }

    @Test
    void a_cut_counts_columns_and_not_characters() {
        String table = shown(terminal(30), Layout.TABLE, List.of("k", "日本語日本語日本語", "e\u0301e\u0301e\u0301", 1));

        assertThat(table.lines()).allMatch(line -> PlainText.width(line) <= 30);
        assertThat(table).contains("日本語日…").contains("e\u0301e\u0301e\u0301");
    }

    @Test
    void a_table_that_cannot_fit_is_printed_whole_with_a_hint() {
        String table = shown(terminal(12), Layout.TABLE, List.of("key", "some text", "some other text", 1234567));

        assertThat(table).contains("some text").contains("some other text").contains("1234567");
        assertThat(notes()).contains("--columns").contains("--vertical");
    }

    @Test
    void without_a_terminal_nothing_is_cut() {
        String text = "x".repeat(300);

        assertThat(shown(Map.of("COLUMNS", "20"), Layout.TABLE, List.of("k", text, "", 1)))
                .contains(text);
        assertThat(notes()).isEmpty();
    }

    @Test
    void a_vertical_table_has_one_value_a_line_and_whole_values() {
        String text = "x".repeat(300);

        assertThat(shown(
                        terminal(20),
                        Layout.VERTICAL,
                        List.of("k1", text, "a\nb", 1),
                        Arrays.asList("k2", "", null, 2)))
                .isEqualTo("key         k1\ntext        " + text
                        + "\nother text  a\\nb\nn           1\n\nkey         k2\ntext\nother text  -\nn           2\n");
    }

    @Test
    void csv_quotes_what_needs_it_and_tells_missing_from_empty() {
        assertThat(shown(
                        Map.of(),
                        Layout.CSV,
                        List.of("k,1", "say \"hi\"", "two\nlines", 1.5),
                        Arrays.asList(" k2 ", "", null, -1),
                        Arrays.asList("k3", "[\"a\",\"b\"]", "é日\r", null)))
                .isEqualTo("key,text,other text,n\n\"k,1\",\"say \"\"hi\"\"\",\"two\nlines\",1.5\n"
                        + "\" k2 \",\"\",,-1\nk3,\"[\"\"a\"\",\"\"b\"\"]\",\"é日\r\",\n");
    }

    @Test
    void a_csv_record_of_one_missing_value_is_not_an_empty_line() {
        output(Map.of()).table(List.of("v"), List.of(Arrays.asList((Object) null)), Layout.CSV);

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("v\n\"\"\n");
    }

    @Test
    void csv_does_not_steer_a_terminal_and_is_exact_elsewhere() {
        String hostile = "\033[2J";

        assertThat(shown(terminal(80), Layout.CSV, List.of(hostile, "", "", 1))).doesNotContain(hostile);
        out.reset();
        assertThat(shown(Map.of(), Layout.CSV, List.of(hostile, "", "", 1))).contains(hostile);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "out     | PAGER    | more -d | more -d",
                "out,err | PAGER    | cat     | none",
                "out     | PAGER    | ''      | none",
                "out     | PATH     | /nope   | none",
                "err     | PAGER    | more    | none",
                "''      | PAGER    | more    | none"
            })
    void a_pager_is_used_on_a_terminal_only_and_can_be_turned_off(
            String streams, String variable, String value, @Nullable String expected) {
        Map<String, String> environment = Map.of("ONTOLOGIA_TERMINAL", streams, variable, value);

        assertThat(Pager.command(environment).orElse(null)).isEqualTo(expected);
        assertThat(Pager.command(Map.of("ONTOLOGIA_TERMINAL", streams, variable, value, "NO_PAGER", "1")))
                .isEmpty();
    }

    @Test
    void a_pager_gets_what_is_printed(@TempDir Path folder) {
        Path shown = folder.resolve("shown");

        try (Pager pager = Pager.start("cat > '" + shown + "'").orElseThrow()) {
            pager.input().print("日本\n");
        }
        try (Pager ended = Pager.start("exit 0").orElseThrow()) {
            ended.input().print("x".repeat(1_000_000));
        }

        assertThat(shown).hasContent("日本\n");
    }
}
