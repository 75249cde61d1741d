package io.ontologia.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {

    @Test
    void sorts_keys_by_code_point_and_writes_no_spaces() {
        Map<String, Object> map = new HashMap<>();
        map.put("\uFFFD", 1);
        map.put("😀", 2);
        map.put("b", List.of(true, "x"));
        map.put("a", null);

        String text = CanonicalJson.write(map);

        assertThat(text).isEqualTo("{\"a\":null,\"b\":[true,\"x\"],\"\uFFFD\":1,\"😀\":2}");
    }

    @ParameterizedTest
    @CsvSource({
        "0.0, 0.0",
        "-0.0, -0.0",
        "1.0, 1.0",
        "0.1, 0.1",
        "1e16, 1e+16",
        "9999999999999998.0, 9999999999999998.0",
        "1e10, 10000000000.0",
        "12345678.9, 12345678.9",
        "0.0001, 0.0001",
        "0.00001, 1e-05",
        "0.000123, 0.000123",
        "-1.5e-7, -1.5e-07",
        "1.7976931348623157e308, 1.7976931348623157e+308",
        "5e-324, 5e-324",
        "1e-323, 1e-323",
        "1.5e-323, 1.5e-323",
        "-2e-323, -2e-323",
        "2.0E-3, 0.002",
        "123456789012345680, 1.2345678901234568e+17",
        "2.2250738585072014E-308, 2.2250738585072014e-308",
        "2e23, 2e+23"
    })
    void writes_doubles_as_python_does(double value, String expected) {
        assertThat(CanonicalJson.write(value)).isEqualTo(expected);
    }

    @Test
    void every_double_reads_back_as_itself() {
        var random = new SplittableRandom(42);
        for (int i = 0; i < 100_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(Double.parseDouble(CanonicalJson.write(value))).isEqualTo(value);
            }
        }
    }

    @Test
    void keeps_integers_exact_at_any_size() {
        String digits = "123456789012345678901234567890";

        assertThat(CanonicalJson.write(new BigInteger(digits))).isEqualTo(digits);
        assertThat(CanonicalJson.write(Json.parse(digits))).isEqualTo(digits);
        assertThat(CanonicalJson.write(Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    }

    @Test
    void escapes_as_little_as_possible_in_utf8_and_everything_in_the_reference_flavour() {
        String text = "\"\\\n\u0001\u007fé€😀/";

        assertThat(CanonicalJson.write(text)).isEqualTo("\"\\\"\\\\\\n\\u0001\u007fé€😀/\"");
        assertThat(CanonicalJson.writeAscii(text))
                .isEqualTo("\"\\\"\\\\\\n\\u0001\\u007f\\u00e9\\u20ac\\ud83d\\ude00/\"");
        assertThat(CanonicalJson.bytes(text))
                .isEqualTo(CanonicalJson.write(text).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void refuses_what_json_cannot_hold() {
        for (Object bad : Arrays.asList(
                Double.NaN,
                Float.POSITIVE_INFINITY,
                new Object(),
                Map.of(1, 2),
                "\ud800",
                new BigDecimal("0.12345678901234567890123"))) {
            assertThatThrownBy(() -> CanonicalJson.write(bad))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
        }
    }

    @Test
    void refuses_a_structure_that_contains_itself() {
        Object[] one = new Object[1];
        List<Object> loop = Arrays.asList(one);
        one[0] = loop;

        assertThatThrownBy(() -> CanonicalJson.write(loop))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("nests deeper");
    }
}
