package io.ontologia.core.internal.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Default;
import io.ontologia.core.Entity;
import io.ontologia.core.Identity;
import io.ontologia.core.InstanceKey;
import io.ontologia.core.Key;
import io.ontologia.core.Named;
import io.ontologia.core.Relation;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordBindingTest {
    enum Tier {
        GOLD {
            @Override
            public String toString() {
                return "shiny";
            }
        },
        SILVER
    }

    record Address(String city, @Nullable String zip) {}

    record Thing(
            @Key String id,
            int small,
            long large,
            short tiny,
            byte tiniest,
            BigInteger huge,
            double real,
            float single,
            boolean flag,
            Tier tier,
            Instant at,
            LocalDate day,
            UUID uuid,
            @Nullable Object anything,
            @Nullable Integer maybe,
            List<@Nullable String> tags,
            Map<String, @Nullable Double> prices,
            @Named("where") Address home,
            @Nullable Address work)
            implements Entity {}

    record Simple(
            @Key String id,
            @Default("[\"new\"]") List<String> tags,
            @Nullable Integer age) implements Entity {}

    record Stint(
            String leftKey, String rightKey, @InstanceKey String stintId, String role)
            implements Relation<Simple, Simple> {}

    record Checked(@Key String id, int percent) implements Entity {
        Checked {
            if (percent > 100) {
                throw new IllegalArgumentException("more than everything");
            }
        }
    }

    private static final Thing THING = new Thing(
            "t1",
            -1,
            Long.MIN_VALUE,
            (short) 7,
            (byte) -8,
            new BigInteger("123456789012345678901234567890"),
            0.1,
            0.5f,
            true,
            Tier.GOLD,
            Instant.parse("2026-02-10T12:34:56.789012Z"),
            LocalDate.parse("2026-02-10"),
            UUID.fromString("00000000-0000-0001-0000-000000000002"),
            Map.of("a", List.of(1L, "x")),
            null,
            Arrays.asList("a", null),
            Map.of("p", 1.0),
            new Address("Köln", null),
            null);

    @Test
    void a_record_becomes_canonical_json_and_comes_back_equal() {
        RecordBinding<Thing> binding = RecordBinding.of(Thing.class);

        String json = binding.fieldsOf(THING);
        Thing back = binding.hydrate(binding.identityOf(THING), parse(json));

        assertThat(json)
                .isEqualTo("{\"anything\":{\"a\":[1,\"x\"]},\"at\":\"2026-02-10T12:34:56.789012+00:00\","
                        + "\"day\":\"2026-02-10\",\"flag\":true,\"huge\":123456789012345678901234567890,\"id\":\"t1\","
                        + "\"large\":-9223372036854775808,\"maybe\":null,\"prices\":{\"p\":1.0},\"real\":0.1,"
                        + "\"single\":0.5,\"small\":-1,\"tags\":[\"a\",null],\"tier\":\"GOLD\",\"tiniest\":-8,\"tiny\":7,"
                        + "\"uuid\":\"00000000-0000-0001-0000-000000000002\","
                        + "\"where\":{\"city\":\"Köln\",\"zip\":null},\"work\":null}");
        assertThat(back).isEqualTo(THING);
    }

    @Test
    void a_relation_keeps_its_identity_apart_from_its_fields() {
        RecordBinding<Stint> binding = RecordBinding.of(Stint.class);
        Stint stint = new Stint("p1", "c1", "2020", "cook");

        assertThat(binding.identityOf(stint)).isEqualTo(new Identity.OfRelation("p1", "c1", "2020"));
        assertThat(binding.fieldsOf(stint)).isEqualTo("{\"role\":\"cook\"}");
        assertThat(binding.hydrate(new Identity.OfRelation("p1", "c1", "2020"), Map.of("role", "cook")))
                .isEqualTo(stint);
    }

    @Test
    void a_blank_or_missing_key_is_refused() {
        RecordBinding<Simple> simple = RecordBinding.of(Simple.class);
        RecordBinding<Stint> stint = RecordBinding.of(Stint.class);

        for (String bad : List.of("", " ", "\t\n", "a\0b", "\uD83D", "x\uDE00")) {
            assertRefused("invalid key", () -> simple.identityOf(new Simple(bad, List.of(), 1)));
            assertRefused("invalid left key", () -> stint.identityOf(new Stint(bad, "c1", "2020", "cook")));
            assertRefused("invalid right key", () -> stint.identityOf(new Stint("p1", bad, "2020", "cook")));
            assertRefused("invalid instance key", () -> stint.identityOf(new Stint("p1", "c1", bad, "cook")));
        }
    }

    @Test
    @SuppressWarnings("NullAway") // callers without null checks do this
    void null_is_refused_where_the_type_does_not_allow_it() {
        RecordBinding<Simple> binding = RecordBinding.of(Simple.class);

        assertRefused("field 'id' is null", () -> binding.identityOf(new Simple(null, List.of(), 1)));
        assertRefused("field 'tags' is null", () -> binding.fieldsOf(new Simple("s", null, 1)));
        assertRefused("null is no", () -> binding.fieldsOf(new Simple("s", Arrays.asList("a", null), 1)));
    }

    @Test
    void a_number_that_json_cannot_hold_is_refused() {
        record Measured(@Key String id, double value) implements Entity {}
        RecordBinding<Measured> binding = RecordBinding.of(Measured.class);

        assertRefused("NaN", () -> binding.fieldsOf(new Measured("m", Double.NaN)));
        assertRefused("Infinity", () -> binding.fieldsOf(new Measured("m", Double.NEGATIVE_INFINITY)));
    }

    @Test
    void what_is_missing_takes_its_default_or_null() {
        RecordBinding<Simple> binding = RecordBinding.of(Simple.class);

        Simple read = binding.hydrate(new Identity.OfEntity("s1"), Map.of());

        assertThat(read).isEqualTo(new Simple("s1", List.of("new"), null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'small': 3000000000}; field 'small' into Thing",
                "{'small': 'x'}; field 'small' into Thing",
                "{'small': 1.5}; field 'small' into Thing",
                "{'flag': 1}; field 'flag' into Thing",
                "{'tier': 'BRONZE'}; 'BRONZE' is no Tier",
                "{'at': 'yesterday'}; field 'at' into Thing",
                "{'day': '2026-13-01'}; field 'day' into Thing",
                "{'uuid': 'x'}; field 'uuid' into Thing",
                "{'tags': {}}; field 'tags' into Thing",
                "{'prices': []}; field 'prices' into Thing",
                "{'where': 5}; field 'where' into Thing",
                "{'where': {}}; field 'city' into Address",
                "{'id': 'ignored', 'small': null}; field 'small' into Thing"
            })
    void a_stored_value_that_does_not_fit_is_reported_with_its_field(String changed, String message) {
        RecordBinding<Thing> binding = RecordBinding.of(Thing.class);
        Map<String, @Nullable Object> fields = parse(binding.fieldsOf(THING));
        fields.putAll(parse(changed.replace('\'', '"')));

        assertRefused(message, () -> binding.hydrate(new Identity.OfEntity("t1"), fields));
    }

    @Test
    void a_constructor_that_refuses_stored_values_is_reported() {
        RecordBinding<Checked> binding = RecordBinding.of(Checked.class);

        assertRefused(
                "its constructor refused the stored values: more than everything",
                () -> binding.hydrate(new Identity.OfEntity("c"), Map.of("percent", 101L)));
    }

    @Test
    void lists_and_maps_that_come_back_cannot_be_changed() {
        RecordBinding<Thing> binding = RecordBinding.of(Thing.class);
        Thing back = binding.hydrate(new Identity.OfEntity("t1"), parse(binding.fieldsOf(THING)));

        assertThatThrownBy(() -> back.tags().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> back.prices().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    private static Map<String, @Nullable Object> parse(String json) {
        return JsonObject.parse("a test", json).fields();
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining(message);
    }
}
