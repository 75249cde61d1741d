package io.ontologia.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OntologiaExceptionTest {

    @Test
    void the_message_is_one_line_of_problem_cause_and_remedy() {
        var error = new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot open store",
                "no route\n  to host",
                "check the endpoint",
                Map.of("uri", "s3://b/p"),
                null);

        assertThat(error).hasMessage("cannot open store: no route to host. check the endpoint");
        assertThat(error.problem()).isEqualTo("cannot open store");
        assertThat(error.reason()).isEqualTo("no route to host");
        assertThat(error.kind().wireName()).isEqualTo("unavailable");
        assertThat(error.details()).containsEntry("uri", "s3://b/p");
    }
}
