package io.ontologia.core.internal.validation;

import static io.ontologia.core.TypeSpec.Primitive.ANY;
import static io.ontologia.core.TypeSpec.Primitive.BOOL;
import static io.ontologia.core.TypeSpec.Primitive.FLOAT;
import static io.ontologia.core.TypeSpec.Primitive.INT;
import static io.ontologia.core.TypeSpec.Primitive.STR;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowValuesTest {
    private static final EntityType CUSTOMER = new EntityType(
            "Customer",
            List.of(
                    FieldDef.of("id", STR),
                    FieldDef.of("age", TypeSpec.orNull(INT)).withDefault(null),
                    FieldDef.of("tags", new TypeSpec.ListOf(STR)).withDefault(List.of())),
            "id");
    private static final RelationType STINT = new RelationType(
            "Stint", "Customer", "Customer", Optional.of("stint_id"), List.of(FieldDef.of("stint_id", STR)));
    private static final RelationType LINK =
            new RelationType("Link", "Customer", "Customer", Optional.empty(), List.of());

    @Test
    void missing_fields_take_their_defaults_and_the_key_its_field() {
        Map<String, @Nullable Object> normal = normalize(Map.of());

        assertThat(normal).containsEntry("id", "c1").containsEntry("age", null).containsEntry("tags", List.of());
    }

    @Test
    void a_given_null_is_not_missing() {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("tags", null);

        assertThat(problems(fields)).containsExactly("field 'tags' must not be null");
    }

    @Test
    void a_key_may_be_repeated_but_not_contradicted() {
        assertThat(normalize(Map.of("id", "c1"))).containsEntry("id", "c1");
        assertThat(problems(Map.of("id", "c2"))).containsExactly("its key is 'c1' but field 'id' is 'c2'");
        assertThat(problems(Map.of("id", 1L))).containsExactly("its key is 'c1' but field 'id' is '1'");
    }

    @Test
    void an_instance_key_is_required_where_there_is_one_and_never_payload() {
        assertThat(RowValues.normalize(STINT, new Row.OfRelation("Stint", "a", "b", "s1", Map.of("stint_id", "s1"))))
                .isEmpty();
        assertThat(problemsOf(() -> RowValues.normalize(
                        STINT, new Row.OfRelation("Stint", "a", "b", "s1", Map.of("stint_id", "s2")))))
                .containsExactly("its instance key is 's1' but field 'stint_id' is 's2'");
        assertThat(problemsOf(() -> RowValues.normalize(STINT, new Row.OfRelation("Stint", "a", "b", "", Map.of()))))
                .containsExactly("its instance key is missing");
        assertThat(problemsOf(() -> RowValues.normalize(LINK, new Row.OfRelation("Link", "a", "b", "s1", Map.of()))))
                .containsExactly("its type has no instance key");
    }

    @Test
    void every_problem_of_a_row_is_listed() {
        assertThat(problems(Map.of("age", "old", "tags", List.of("a", 1L), "color", "red", "size", 1L)))
                .containsExactlyInAnyOrder(
                        "field 'age' is a text and not int | None",
                        "field 'tags[1]' is a number and not <class 'str'>",
                        "there is no field 'color'",
                        "there is no field 'size'");
    }

    @Test
    void a_value_takes_the_form_of_its_type() {
        assertThat(value(FLOAT, 1L)).isEqualTo(1.0);
        assertThat(value(FLOAT, BigInteger.TEN)).isEqualTo(10.0);
        assertThat(value(new TypeSpec.ListOf(FLOAT), List.of(1L, 2.5))).isEqualTo(List.of(1.0, 2.5));
        assertThat(value(new TypeSpec.DictOf(FLOAT), Map.of("a", 1L))).isEqualTo(Map.of("a", 1.0));
        assertThat(value(TypeSpec.orNull(FLOAT), 1L)).isEqualTo(1.0);
        assertThat(value(struct(TypeSpec.Struct.Presence.REQUIRED), Map.of("x", 1L, "y", "b")))
                .isEqualTo(Map.of("x", 1.0, "y", "b"));
        assertThat(value(INT, 1L)).isEqualTo(1L);
        assertThat(value(ANY, Map.of("a", List.of(1L)))).isEqualTo(Map.of("a", List.of(1L)));
    }

    @Test
    void an_integer_stays_one_where_a_union_has_integers_and_floats() {
        TypeSpec number = new TypeSpec.Union(List.of(FLOAT, INT));

        assertThat(value(number, 9007199254740993L)).isEqualTo(9007199254740993L);
        assertThat(value(number, 1.5)).isEqualTo(1.5);
    }

    @Test
    void a_value_of_another_type_is_refused() {
        assertWrong(STR, 1L, true, List.of(), Map.of());
        assertWrong(INT, "1", true, 1.0, List.of());
        assertWrong(FLOAT, "1", true, Double.NaN, Double.POSITIVE_INFINITY, BigInteger.TEN.pow(400));
        assertWrong(BOOL, "true", 1L, 0L);
        assertWrong(new TypeSpec.ListOf(STR), "a", Map.of(), List.of(1L), Arrays.asList("a", null));
        assertWrong(new TypeSpec.DictOf(STR), "a", List.of(), Map.of("a", 1L), Map.of(1, "a"));
        assertWrong(TypeSpec.orNull(STR), 1L, List.of());
        assertWrong(struct(TypeSpec.Struct.Presence.REQUIRED), "a", List.of(), Map.of("x", 1.0), xyz());
        assertWrong(struct(TypeSpec.Struct.Presence.OPTIONAL), xyz(), Map.of("x", "1"));
    }

    @Test
    void an_object_with_optional_fields_may_lack_some() {
        assertThat(value(struct(TypeSpec.Struct.Presence.OPTIONAL), Map.of("x", 1L)))
                .isEqualTo(Map.of("x", 1.0));
    }

    @Test
    void a_text_with_a_nul_character_is_refused() {
        assertThat(problems(Map.of("tags", List.of("a\0b")))).containsExactly("field 'tags[0]' holds a NUL character");
    }

    @Test
    void a_stored_payload_is_read_as_its_type_reads_it() {
        Map<String, @Nullable Object> wanted = Map.of("id", "c1");

        assertThat(RowValues.typed(CUSTOMER, Map.of(), wanted))
                .containsEntry("id", "c1")
                .containsEntry("age", null)
                .containsEntry("tags", List.of());
        assertThat(problemsOf(() -> RowValues.typed(CUSTOMER, Map.of("color", "red"), wanted)))
                .containsExactly("there is no field 'color'");
    }

    private static TypeSpec struct(TypeSpec.Struct.Presence presence) {
        return new TypeSpec.Struct("Point", Map.of("x", FLOAT, "y", STR), presence);
    }

    private static Map<String, Object> xyz() {
        return Map.of("x", 1.0, "y", "b", "z", 1L);
    }

    private static Map<String, @Nullable Object> normalize(Map<String, @Nullable Object> fields) {
        return RowValues.normalize(CUSTOMER, new Row.OfEntity("Customer", "c1", fields));
    }

    private static List<String> problems(Map<String, @Nullable Object> fields) {
        return problemsOf(() -> normalize(fields));
    }

    private static @Nullable Object value(TypeSpec spec, Object value) {
        EntityType type = new EntityType("T", List.of(FieldDef.of("id", STR), FieldDef.of("v", spec)), "id");
        return RowValues.normalize(type, new Row.OfEntity("T", "t", Map.of("v", value)))
                .get("v");
    }

    private static void assertWrong(TypeSpec spec, Object... values) {
        for (Object value : values) {
            assertThat(problemsOf(() -> value(spec, value)))
                    .as("%s for %s", value, spec)
                    .isNotEmpty();
        }
    }

    private static List<String> problemsOf(Runnable call) {
        try {
            call.run();
        } catch (OntologiaException e) {
            assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT);
            List<String> problems = ((List<?>) e.details().getOrDefault("problems", List.of()))
                    .stream().map(String::valueOf).toList();
            assertThat(e.getMessage()).endsWith(String.join("; ", problems));
            return problems;
        }
        return List.of();
    }
}
