package io.ontologia.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExitCodeTest {
    @Test
    void every_kind_of_error_has_the_exit_code_that_scripts_depend_on() {
        Map<ErrorKind, Integer> codes = new EnumMap<>(ErrorKind.class);
        Arrays.stream(ErrorKind.values())
                .forEach(kind -> codes.put(kind, ExitCode.of(kind).number()));

        assertThat(codes)
                .isEqualTo(Map.of(
                        ErrorKind.INVALID_INPUT, 2,
                        ErrorKind.NOT_FOUND, 4,
                        ErrorKind.CLOSED, 4,
                        ErrorKind.CONFLICT, 5,
                        ErrorKind.BUSY, 5,
                        ErrorKind.UNAVAILABLE, 5,
                        ErrorKind.UNKNOWN_OUTCOME, 5,
                        ErrorKind.CORRUPT, 5));
    }

    @Test
    void the_numbers_are_zero_to_seven() {
        assertThat(ExitCode.values()).extracting(ExitCode::number).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }
}
