package io.ontologia.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UtcTimestampTest {

    @Test
    void has_a_fixed_width_and_six_digits() {
        assertThat(UtcTimestamp.format(Instant.parse("2026-02-10T12:34:56.789012999Z")))
                .isEqualTo("2026-02-10T12:34:56.789012+00:00");
        assertThat(UtcTimestamp.format(Instant.parse("2026-02-10T12:34:00Z")))
                .isEqualTo("2026-02-10T12:34:00.000000+00:00");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-02-10T12:34:56.789012+00:00, 2026-02-10T12:34:56.789012Z",
        "2026-02-10T12:34:56Z, 2026-02-10T12:34:56Z",
        "2026-02-10T12:34:56, 2026-02-10T12:34:56Z",
        "2026-02-10T12:34:56.5+02:00, 2026-02-10T10:34:56.5Z"
    })
    void reads_what_others_write(String text, Instant expected) {
        assertThat(UtcTimestamp.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "2026-02-30T00:00:00Z", "2026-02-10", "2026-02-10 12:34:56"})
    void refuses_anything_else(String text) {
        assertThatThrownBy(() -> UtcTimestamp.parse(text))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining(text);
    }
}
