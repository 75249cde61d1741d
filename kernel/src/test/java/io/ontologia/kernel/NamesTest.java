package io.ontologia.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @Test
    void a_type_name_is_plain() {
        assertThat(Names.requireTypeName("_Customer_2")).isEqualTo("_Customer_2");
        assertThat(Names.isTypeName("A".repeat(128))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2Fast", "a-b", "a.b", "Ünder", "a/b", "../x", "a b", "a\n"})
    void any_other_type_name_is_refused(String name) {
        assertThatThrownBy(() -> Names.requireTypeName(name)).isInstanceOf(OntologiaException.class);
    }

    @ParameterizedTest
    @CsvSource({"a/b, a%2Fb", "., %2E", ".., %2E.", ".git, %2Egit", "a.b, a.b", "ä:~, %C3%A4%3A~", "%2F, %252F"})
    void other_names_are_encoded_as_one_segment(String name, String segment) {
        assertThat(Names.encodeSegment(name)).isEqualTo(segment);
        assertThat(Names.decodeSegment(segment)).isEqualTo(name);
    }

    @Test
    void no_two_names_share_a_segment() {
        var random = new SplittableRandom(7);
        Map<String, String> seen = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int n = random.nextInt(1, 5); n > 0; n--) {
                name.append("ab./%:2FEé€ \0".charAt(random.nextInt(12)));
            }
            String segment = Names.encodeSegment(name.toString());
            assertThat(segment).doesNotContain("/").doesNotStartWith(".").matches("[\\w.~%-]+");
            assertThat(seen.merge(segment, name.toString(), (old, now) -> now)).isEqualTo(name.toString());
            assertThat(Names.decodeSegment(segment)).isEqualTo(name.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "%", "%4", "%zz", "%41", "%2f", "%FF", ".x"})
    void segments_that_no_name_encodes_to_are_refused(String segment) {
        assertThatThrownBy(() -> Names.decodeSegment(segment)).isInstanceOf(OntologiaException.class);
    }
}
