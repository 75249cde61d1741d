package io.ontologia.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @Test
    void reads_every_kind_of_value() {
        JsonObject object = JsonObject.of("it", Json.parse("{\"b\":[1,2.5,null,true],\"a\":{\"x\":\"é\"},\"n\":null}"));

        assertThat(object.fields().keySet()).containsExactly("b", "a", "n");
        assertThat(object.fields().get("b")).isEqualTo(Arrays.asList(1L, 2.5, null, true));
        assertThat(object.object("a").text("x")).isEqualTo("é");
        assertThat(object.optionalText("n")).isEmpty();
        assertThat(Json.parse("9223372036854775808")).isEqualTo(new BigInteger("9223372036854775808"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,]",
                "{\"a\":1,\"a\":null}",
                "1 2",
                "NaN",
                "1e999",
                "'x'",
                "{\"a\":1}}",
                "01",
                "// x\n1"
            })
    void refuses_what_is_not_one_json_document(String text) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining("line ");
        assertThatThrownBy(() -> JsonObject.parse("head.json", text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT))
                .hasMessageContaining("head.json");
    }

    @Test
    void refuses_endless_nesting_without_running_out_of_stack() {
        assertThatThrownBy(() -> Json.parse("[".repeat(100_000))).isInstanceOf(OntologiaException.class);
    }

    @Test
    void a_missing_or_wrong_field_is_named() {
        JsonObject object = JsonObject.parse("lock.json", "{\"owner\":1}");

        assertThatThrownBy(() -> object.text("owner")).hasMessageContaining("lock.json", "'owner' is not a text");
        assertThatThrownBy(() -> object.integer("ttl")).hasMessageContaining("'ttl' is missing");
    }
}
