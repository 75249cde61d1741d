package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What only a process of its own can show. */
class OntoIT {
    @Test
    void output_is_utf_8_whatever_the_locale() throws Exception {
        OntoRun run = OntoProcess.in(Map.of("LC_ALL", "C"))
                .run("store", "check", "--json", "--storage-uri", "http://me:secret@host/x");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.jsonErrorMessage()).contains("'http:…'");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_result_that_finds_no_room_is_a_failure() throws Exception {
        OntoRun run =
                OntoProcess.in(Map.of()).after("exec >/dev/full").run("--help").failedWith(5);

        assertThat(run.err()).startsWith("error: cannot write the result: ");
    }

    @Test
    void a_reader_that_leaves_early_is_no_failure() throws Exception {
        OntoRun run = OntoProcess.in(Map.of()).runUnread("completion");

        assertThat(run).returns(0, OntoRun::exitCode).returns("", OntoRun::err);
    }

    @Test
    void libraries_are_silent_unless_asked() throws Exception {
        OntoRun silent = OntoProcess.in(Map.of()).run("store", "check", "--storage-uri", "memory:");

        assertThat(silent).returns(0, OntoRun::exitCode).returns("", OntoRun::err);
    }
}
