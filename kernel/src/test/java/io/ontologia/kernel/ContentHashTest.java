package io.ontologia.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentHashTest {

    @ParameterizedTest
    @CsvSource({"'', 6516417773221693515", "a, 13912507961361626577", "hello world, 17498481775468162579"})
    void equals_the_published_values_of_rapidhash_version_1(String text, String expected) {
        long hash = ContentHash.of(text.getBytes(StandardCharsets.UTF_8));

        assertThat(Long.toUnsignedString(hash)).isEqualTo(expected);
    }

    @Test
    void equals_the_published_value_of_a_long_input() {
        long hash = ContentHash.of("x".repeat(200).getBytes(StandardCharsets.UTF_8));

        assertThat(Long.toUnsignedString(hash)).isEqualTo("10600105208241408224");
    }

    @Test
    void takes_a_seed() {
        long hash = ContentHash.of("hello world".getBytes(StandardCharsets.UTF_8), 0);

        assertThat(Long.toUnsignedString(hash)).isEqualTo("6388527444622164108");
    }
}
