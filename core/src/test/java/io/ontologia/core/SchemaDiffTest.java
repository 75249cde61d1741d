package io.ontologia.core;

import static io.ontologia.core.TypeSpec.Primitive.BOOL;
import static io.ontologia.core.TypeSpec.Primitive.INT;
import static io.ontologia.core.TypeSpec.Primitive.NONE;
import static io.ontologia.core.TypeSpec.Primitive.STR;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.CanonicalJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SchemaDiffTest {
    private static final FieldDef ID = FieldDef.of("id", STR);
    private static final FieldDef NAME = FieldDef.of("name", STR);

    @Test
    void the_same_type_does_not_differ() {
        assertThat(diff(entity(ID, NAME), entity(NAME, ID))).isEmpty();
    }

    @Test
    void fields_are_added_and_removed() {
        SchemaDiff diff = diff(entity(ID, NAME), entity(ID, FieldDef.of("b", INT), FieldDef.of("a", INT)))
                .orElseThrow();

        assertThat(diff.added()).containsExactly("a", "b");
        assertThat(diff.removed()).containsExactly("name");
        assertThat(diff.changed()).isEmpty();
        assertThat(diff.summary()).isEqualTo("entity T (stored version 3, added a, b, removed name)");
    }

    @Test
    void a_change_of_type_index_or_key_is_a_change() {
        assertThat(changed(entity(ID, NAME), entity(ID, FieldDef.of("name", INT))))
                .containsExactly("name");
        assertThat(changed(entity(ID, NAME), entity(ID, FieldDef.of("name", TypeSpec.orNull(STR)))))
                .containsExactly("name");
        assertThat(changed(entity(ID, NAME), entity(ID, NAME.withIndex()))).containsExactly("name");
        assertThat(changed(entity(ID, NAME.withIndex()), entity(ID, NAME))).containsExactly("name");
        assertThat(changed(entity(ID, NAME), new EntityType("T", List.of(ID, NAME), "name")))
                .containsExactly("id", "name");
    }

    @Test
    void the_ends_and_the_instance_key_of_a_relation_count() {
        RelationType before = relation("A", "B", Optional.empty());

        assertThat(changed(before, relation("C", "B", Optional.empty()))).containsExactly("__left_type__");
        assertThat(changed(before, relation("A", "C", Optional.empty()))).containsExactly("__right_type__");
        assertThat(changed(before, relation("A", "B", Optional.of("id")))).containsExactly("__instance_key_field__");
        assertThat(changed(relation("A", "B", Optional.of("id")), relation("A", "B", Optional.of("name"))))
                .containsExactly("__instance_key_field__");
    }

    @Test
    void defaults_do_not_count() {
        assertThat(diff(entity(ID, NAME), entity(ID, NAME.withDefault("x")))).isEmpty();
    }

    @Test
    void how_a_type_is_printed_does_not_count() {
        EntityType declared = entity(ID, FieldDef.of("age", new TypeSpec.Union(List.of(INT, NONE))));
        String json = CanonicalJson.writeAscii(declared.document());

        for (String text : List.of("typing.Optional[int]", "None | int", "Union[int, None]")) {
            String printedOtherwise = json.replace("\"int | None\"", "\"" + text + "\"");
            assertThat(printedOtherwise).isNotEqualTo(json);
            assertThat(SchemaDiff.between(stored(declared, printedOtherwise), declared))
                    .isEmpty();
        }
    }

    @Test
    void the_order_of_a_unions_members_does_not_count() {
        EntityType declared = entity(ID, FieldDef.of("age", new TypeSpec.Union(List.of(INT, NONE))));
        String json = CanonicalJson.writeAscii(declared.document());
        String none = "{\"kind\":\"primitive\",\"name\":\"NoneType\"}";
        String number = "{\"kind\":\"primitive\",\"name\":\"int\"}";

        String swapped = json.replace(none + "," + number, number + "," + none);

        assertThat(swapped).isNotEqualTo(json);
        assertThat(SchemaDiff.between(stored(declared, swapped), declared)).isEmpty();
    }

    @Test
    void a_document_from_before_type_specs_is_compared_by_its_text() {
        EntityType declared = entity(ID, FieldDef.of("flag", BOOL));
        String old = "{\"entity_name\":\"T\",\"fields\":{\"id\":{\"primary_key\":true,\"index\":false,"
                + "\"type\":\"<class 'str'>\"},\"flag\":{\"type\":\"<class 'bool'>\"}}}";

        assertThat(SchemaDiff.between(stored(declared, old), declared)).isEmpty();
        assertThat(SchemaDiff.between(stored(declared, old.replace("bool", "int")), declared))
                .isPresent();
    }

    private static EntityType entity(FieldDef... fields) {
        return new EntityType("T", List.of(fields), "id");
    }

    private static RelationType relation(String left, String right, Optional<String> instanceKey) {
        return new RelationType("R", left, right, instanceKey, List.of(ID, NAME));
    }

    private static Optional<SchemaDiff> diff(OntologyType before, OntologyType after) {
        return SchemaDiff.between(stored(before, CanonicalJson.writeAscii(before.document())), after);
    }

    private static Iterable<String> changed(OntologyType before, OntologyType after) {
        SchemaDiff diff = diff(before, after).orElseThrow();
        assertThat(diff.added()).isEmpty();
        assertThat(diff.removed()).isEmpty();
        return diff.changed().keySet();
    }

    private static SchemaVersion stored(OntologyType type, String json) {
        return new SchemaVersion(type.ref(), 3, json, "hash", Instant.EPOCH, Optional.empty(), Optional.empty());
    }

    @Test
    void an_optional_field_as_python_3_11_writes_it_is_the_same_type() {
        assertSame(TypeSpec.orNull(INT), "int | None");
        assertSame(TypeSpec.orNull(INT), "None | int");
        assertSame(new TypeSpec.Union(List.of(STR, INT, NONE)), "str | int | None");
        assertSame(TypeSpec.orNull(new TypeSpec.ListOf(STR)), "list[str] | None");
        assertSame(TypeSpec.orNull(new TypeSpec.DictOf(TypeSpec.Primitive.ANY)), "dict[str, typing.Any] | None");
        assertSame(TypeSpec.orNull(new TypeSpec.ListOf(TypeSpec.orNull(INT))), "list[int | None] | None");
        assertThat(diff("int | None", TypeSpec.orNull(STR))).isPresent();
        assertThat(diff("int | None", INT)).isPresent();
        assertThat(diff("shop.Address | None", TypeSpec.orNull(STR))).isPresent();
    }

    private static void assertSame(TypeSpec declared, String python) {
        assertThat(diff(python, declared)).as(python).isEmpty();
    }

    /** The difference from a field whose spec is a primitive of this name. */
    private static Optional<SchemaDiff> diff(String primitive, TypeSpec declared) {
        EntityType type = entity(ID, FieldDef.of("age", declared));
        String stored = CanonicalJson.writeAscii(type.document())
                .replace(
                        CanonicalJson.writeAscii(declared.toJson()),
                        CanonicalJson.writeAscii(Map.of("kind", "primitive", "name", primitive)));
        return SchemaDiff.between(stored(type, stored), type);
    }
}
