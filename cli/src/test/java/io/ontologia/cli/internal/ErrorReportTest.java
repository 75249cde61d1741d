package io.ontologia.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ErrorReportTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void an_error_is_one_line_of_problem_cause_and_remedy() {
        Invocation invocation = invocation(Map.of());

        ExitCode code = new ErrorReport(invocation)
                .report(new OntologiaException(
                        ErrorKind.BUSY, "cannot commit", "another\nwriter is at it", "try again"));

        assertThat(code).isEqualTo(ExitCode.STORAGE_FAILED);
        assertThat(text(err)).isEqualTo("error: cannot commit: another writer is at it. Try again\n");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void stack_traces_do_not_steer_the_terminal() {
        Invocation invocation = invocation(Map.of());
        invocation.options().verbose = true;
        IllegalStateException cause = new IllegalStateException("row \033[2J\nat evil \u202eabc");
        cause.addSuppressed(new IllegalStateException("more \u200b"));

        new ErrorReport(invocation)
                .report(new OntologiaException(ErrorKind.BUSY, "cannot commit", "x", "try again", cause));

        assertThat(text(err))
                .contains("\nCaused by: java.lang.IllegalStateException: row \\u001b[2J\\nat evil \\u202eabc\n\tat ")
                .contains("\n\tSuppressed: java.lang.IllegalStateException: more \\u200b\n\t\tat ")
                .doesNotContain("\033", "\u202e", "\u200b");
    }

    @Test
    void a_command_may_choose_its_exit_code() {
        OntologiaException conflict =
                new OntologiaException(ErrorKind.CONFLICT, "cannot import", "row 7 exists", "use --on-conflict skip");

        ExitCode code =
                new ErrorReport(invocation(Map.of())).report(new CommandFailure(ExitCode.IMPORT_REFUSED, conflict));

        assertThat(code).isEqualTo(ExitCode.IMPORT_REFUSED);
        assertThat(text(err)).isEqualTo("error: cannot import: row 7 exists. Use --on-conflict skip\n");
    }

    @Test
    void with_json_the_error_is_a_document_with_kind_message_and_details() {
        Invocation invocation = invocation(Map.of());
        invocation.options().json = true;

        new ErrorReport(invocation)
                .report(new OntologiaException(
                        ErrorKind.UNKNOWN_OUTCOME,
                        "cannot tell",
                        "the reply was lost",
                        "",
                        Map.of("key", "head"),
                        null));

        assertThat(text(err)).isEmpty();
        assertThat(Json.parse(text(out)))
                .isEqualTo(Map.of(
                        "error",
                        Map.of(
                                "kind", "unknown_outcome",
                                "message", "cannot tell: the reply was lost",
                                "details", Map.of("key", "head"))));
    }

    @Test
    void an_unexpected_failure_is_one_line_too() {
        ExitCode code = new ErrorReport(invocation(Map.of())).report(new IllegalStateException("two\nlines"));

        assertThat(code).isEqualTo(ExitCode.UNEXPECTED);
        assertThat(text(err))
                .isEqualTo("error: unexpected failure: IllegalStateException: two lines."
                        + " Run the command again with --verbose and report what it prints\n");
    }

    @Test
    void the_label_is_red_only_on_a_terminal_that_wants_colour() {
        OntologiaException error = new OntologiaException(ErrorKind.NOT_FOUND, "no", "none", "");

        new ErrorReport(invocation(Map.of("ONTOLOGIA_TERMINAL", "out,err"))).report(error);
        new ErrorReport(invocation(Map.of("ONTOLOGIA_TERMINAL", "out,err", "NO_COLOR", "1"))).report(error);
        new ErrorReport(invocation(Map.of("ONTOLOGIA_TERMINAL", "out"))).report(error);

        assertThat(text(err).lines())
                .containsExactly("\033[31;1merror:\033[0m no: none", "error: no: none", "error: no: none");
    }

    private Invocation invocation(Map<String, String> environment) {
        return new Invocation(
                environment,
                InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Clock.system());
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
