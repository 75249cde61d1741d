package io.ontologia.core;

import static io.ontologia.core.TypeSpec.Primitive.ANY;
import static io.ontologia.core.TypeSpec.Primitive.BOOL;
import static io.ontologia.core.TypeSpec.Primitive.FLOAT;
import static io.ontologia.core.TypeSpec.Primitive.INT;
import static io.ontologia.core.TypeSpec.Primitive.NONE;
import static io.ontologia.core.TypeSpec.Primitive.STR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.internal.TypeSpecs;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TypeSpecTest {
    private static final TypeSpec ADDRESS = new TypeSpec.Struct("Address", Map.of("zip", STR, "city", STR));

    static Stream<Arguments> specs() {
        return Stream.of(
                Arguments.of(STR, "<class 'str'>", "{'kind':'primitive','name':'str'}"),
                Arguments.of(INT, "<class 'int'>", "{'kind':'primitive','name':'int'}"),
                Arguments.of(FLOAT, "<class 'float'>", "{'kind':'primitive','name':'float'}"),
                Arguments.of(BOOL, "<class 'bool'>", "{'kind':'primitive','name':'bool'}"),
                Arguments.of(ANY, "typing.Any", "{'kind':'primitive','name':'any'}"),
                Arguments.of(
                        TypeSpec.orNull(STR),
                        "str | None",
                        "{'kind':'union','members':[{'kind':'primitive','name':'NoneType'},"
                                + "{'kind':'primitive','name':'str'}]}"),
                Arguments.of(
                        new TypeSpec.ListOf(STR),
                        "list[str]",
                        "{'item':{'kind':'primitive','name':'str'},'kind':'list'}"),
                Arguments.of(
                        new TypeSpec.ListOf(TypeSpec.orNull(INT)),
                        "list[int | None]",
                        "{'item':{'kind':'union','members':[{'kind':'primitive','name':'NoneType'},"
                                + "{'kind':'primitive','name':'int'}]},'kind':'list'}"),
                Arguments.of(
                        TypeSpec.orNull(new TypeSpec.ListOf(STR)),
                        "list[str] | None",
                        "{'kind':'union','members':[{'item':{'kind':'primitive','name':'str'},'kind':'list'},"
                                + "{'kind':'primitive','name':'NoneType'}]}"),
                Arguments.of(
                        new TypeSpec.DictOf(ANY),
                        "dict[str, typing.Any]",
                        "{'key':{'kind':'primitive','name':'str'},'kind':'dict',"
                                + "'value':{'kind':'primitive','name':'any'}}"),
                Arguments.of(
                        new TypeSpec.DictOf(new TypeSpec.ListOf(FLOAT)),
                        "dict[str, list[float]]",
                        "{'key':{'kind':'primitive','name':'str'},'kind':'dict',"
                                + "'value':{'item':{'kind':'primitive','name':'float'},'kind':'list'}}"),
                Arguments.of(
                        ADDRESS,
                        "<class 'Address'>",
                        "{'fields':{'city':{'kind':'primitive','name':'str'},'zip':{'kind':'primitive','name':'str'}},"
                                + "'kind':'typed_dict','name':'Address','total':true}"),
                Arguments.of(
                        new TypeSpec.Struct("Part", Map.of("x", INT), TypeSpec.Struct.Presence.OPTIONAL),
                        "<class 'Part'>",
                        "{'fields':{'x':{'kind':'primitive','name':'int'}},"
                                + "'kind':'typed_dict','name':'Part','total':false}"),
                Arguments.of(new TypeSpec.Ref("Tree"), "Tree", "{'kind':'ref','name':'Tree'}"));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void a_type_has_the_document_and_the_text_of_the_reference(TypeSpec spec, String text, String json) {
        assertThat(spec.pythonText()).isEqualTo(text);
        assertThat(CanonicalJson.write(spec.toJson())).isEqualTo(json.replace('\'', '"'));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void a_type_is_read_back_from_its_document(TypeSpec spec) {
        TypeSpec read = TypeSpecs.of(JsonObject.of("a spec", spec.toJson()));

        assertThat(read).isEqualTo(spec);
    }

    @Test
    void a_named_object_inside_another_type_is_printed_by_its_name() {
        assertThat(new TypeSpec.ListOf(ADDRESS).pythonText()).isEqualTo("list[Address]");
        assertThat(TypeSpec.orNull(ADDRESS).pythonText()).isEqualTo("Address | None");
    }

    @Test
    void the_members_of_a_union_are_sorted_by_their_canonical_json_and_kept_once() {
        TypeSpec.Union union =
                new TypeSpec.Union(List.of(STR, NONE, new TypeSpec.ListOf(STR), INT, STR, new TypeSpec.DictOf(INT)));

        // {"item"… before {"key"… before {"kind"…, and among those NoneType before int before str.
        assertThat(union.members()).containsExactly(new TypeSpec.ListOf(STR), new TypeSpec.DictOf(INT), NONE, INT, STR);
    }

    @Test
    void unions_of_the_same_members_in_any_order_are_the_same_type() {
        assertThat(new TypeSpec.Union(List.of(INT, NONE))).isEqualTo(new TypeSpec.Union(List.of(NONE, INT)));
    }

    @Test
    void allowing_null_twice_changes_nothing() {
        TypeSpec once = TypeSpec.orNull(INT);

        assertThat(TypeSpec.orNull(once)).isEqualTo(once);
        assertThat(TypeSpec.orNull(ANY)).isEqualTo(ANY);
        assertThat(TypeSpec.orNull(new TypeSpec.Union(List.of(INT, STR))))
                .isEqualTo(new TypeSpec.Union(List.of(INT, STR, NONE)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "<class 'str'>; <class 'str'>",
                "<class 'int'>; <class 'int'>",
                "str | None; str | None",
                "list[str]; list[str]",
                "typing.Optional[int]; int | None",
                "typing.List[float]; list[float]",
                "<class 'datetime.datetime'>; typing.Any",
                "whatever; typing.Any"
            })
    void a_document_without_spec_is_understood_by_its_text(String stored, String meaning) {
        TypeSpec read = TypeSpecs.ofField(JsonObject.of("a field", Map.of("type", stored)));

        assertThat(read.pythonText()).isEqualTo(meaning);
    }

    @Test
    void a_primitive_that_only_the_reference_knows_takes_any_value() {
        TypeSpec read = TypeSpecs.of(JsonObject.of("a spec", Map.of("kind", "primitive", "name", "datetime")));

        assertThat(read).isEqualTo(ANY);
    }

    @Test
    void a_spec_of_unknown_kind_is_reported_as_unreadable() {
        assertThatThrownBy(() -> TypeSpecs.of(JsonObject.of("a spec", Map.of("kind", "tensor"))))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT))
                .hasMessageContaining("'tensor'");
    }
}
