package io.ontologia.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {

    @ParameterizedTest
    @CsvSource({
        "$.tier, SELF, $.tier",
        "$.address.city, SELF, $.address.city",
        "$._a1, SELF, $._a1",
        "left.$.tier, LEFT, left.$.tier",
        "right.$.a.b.c, RIGHT, right.$.a.b.c",
        "$.left.tier, LEFT, left.$.tier",
        "$.right.a.b, RIGHT, right.$.a.b",
        "$.left, SELF, $.left",
        "$.leftover.x, SELF, $.leftover.x",
        "left.$.left, LEFT, left.$.left"
    })
    void a_path_says_whose_field_it_names(String text, FieldPath.Scope scope, String normal) {
        FieldPath path = FieldPath.parse(text);

        assertThat(path.scope()).isEqualTo(scope);
        assertThat(path).hasToString(normal);
        assertThat(FieldPath.parse(path.toString())).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "$",
                "$.",
                "tier",
                ".tier",
                "$tier",
                "$..tier",
                "$.a..b",
                "$.a.",
                "$.a b",
                "$.a-b",
                "$.1a",
                "$.a[0]",
                "$.a['b']",
                "$.ä",
                "$.*",
                "$.a'",
                "$.a\"",
                "left.tier",
                "left.$",
                "left.$.",
                "middle.$.a",
                "$.left.",
                "$.a\n",
                " $.a"
            })
    void what_is_no_path_is_refused(String text) {
        assertThatThrownBy(() -> FieldPath.parse(text))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining("invalid path")
                .hasMessageContaining("write it like $.name");
    }

    @Test
    void a_path_has_at_least_one_segment() {
        assertThatThrownBy(() -> new FieldPath(FieldPath.Scope.SELF, List.of()))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("names no field");
    }

    @Test
    void the_json_path_is_the_part_inside_the_document() {
        assertThat(FieldPath.parse("left.$.address.city").jsonPath()).isEqualTo("$.address.city");
        assertThat(FieldPath.of("address").then("city").jsonPath()).isEqualTo("$.address.city");
    }
}
