package io.ontologia.core;

import static io.ontologia.core.TypeSpec.Primitive.ANY;
import static io.ontologia.core.TypeSpec.Primitive.BOOL;
import static io.ontologia.core.TypeSpec.Primitive.FLOAT;
import static io.ontologia.core.TypeSpec.Primitive.INT;
import static io.ontologia.core.TypeSpec.Primitive.STR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.internal.SchemaDocuments;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The hashes are those of Python's {@code hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",",
 * ":")).encode()).hexdigest()} for the same documents.
 */
class SchemaDocumentTest {
    private static final EntityType CUSTOMER = new EntityType(
            "Customer",
            List.of(
                    FieldDef.of("id", STR),
                    FieldDef.of("tier", STR).withIndex(),
                    FieldDef.of("age", TypeSpec.orNull(INT)).withDefault(null),
                    FieldDef.of("tags", new TypeSpec.ListOf(STR)).withDefault(List.of()),
                    FieldDef.of("profile", new TypeSpec.DictOf(ANY)),
                    FieldDef.of(
                            "size",
                            new TypeSpec.Struct("Größe", Map.of("width", FLOAT, "height", TypeSpec.orNull(FLOAT))))),
            "id");
    private static final RelationType EMPLOYMENT = new RelationType(
            "Employment",
            "Person",
            "Company",
            Optional.of("stint_id"),
            List.of(FieldDef.of("stint_id", STR), FieldDef.of("role", STR)));
    private static final RelationType SUBSCRIPTION = new RelationType(
            "Subscription", "Customer", "Product", Optional.empty(), List.of(FieldDef.of("active", BOOL)));

    @Test
    void an_entity_type_has_the_document_of_the_reference() {
        EntityType type = new EntityType("Product", List.of(FieldDef.of("sku", STR)), "sku");

        assertThat(CanonicalJson.writeAscii(type.document()))
                .isEqualTo("{\"entity_name\":\"Product\",\"fields\":{\"sku\":{\"index\":false,\"primary_key\":true,"
                        + "\"type\":\"<class 'str'>\",\"type_spec\":{\"kind\":\"primitive\",\"name\":\"str\"}}}}");
    }

    @Test
    void a_relation_type_has_the_document_of_the_reference() {
        assertThat(CanonicalJson.writeAscii(SUBSCRIPTION.document()))
                .isEqualTo("{\"fields\":{\"active\":{\"index\":false,\"type\":\"<class 'bool'>\","
                        + "\"type_spec\":{\"kind\":\"primitive\",\"name\":\"bool\"}}},\"instance_key_field\":null,"
                        + "\"left_type\":\"Customer\",\"relation_name\":\"Subscription\",\"right_type\":\"Product\"}");
    }

    @Test
    void the_schema_hash_is_the_one_that_python_computes() {
        assertThat(CUSTOMER.schemaHash()).isEqualTo("9512f334a7c5a086ad4c20091c9fab026e5088d3edb2f8634f475b100fec2587");
        assertThat(EMPLOYMENT.schemaHash())
                .isEqualTo("73e2b0bdd80c62007bf2f573b427ae392495b84081568657af76f21c15fa9168");
        assertThat(SUBSCRIPTION.schemaHash())
                .isEqualTo("285650839955d2b81704cd0fcb0dc797bfa9d8bd8bd20bc3379edad5af6d1589");
    }

    @Test
    void the_order_of_declaration_and_the_defaults_are_not_part_of_the_hash() {
        EntityType one = new EntityType("T", List.of(FieldDef.of("id", STR), FieldDef.of("n", INT)), "id");
        EntityType other =
                new EntityType("T", List.of(FieldDef.of("n", INT).withDefault(7L), FieldDef.of("id", STR)), "id");

        assertThat(one.schemaHash()).isEqualTo(other.schemaHash());
    }

    @Test
    void a_type_is_read_back_from_its_document_without_its_defaults() {
        for (OntologyType type : List.of(CUSTOMER, EMPLOYMENT, SUBSCRIPTION)) {
            OntologyType read = SchemaDocuments.read(type.kind(), CanonicalJson.writeAscii(type.document()));

            assertThat(read.ref()).isEqualTo(type.ref());
            assertThat(read.document()).isEqualTo(type.document());
            assertThat(read.schemaHash()).isEqualTo(type.schemaHash());
            assertThat(read.fields()).allMatch(field -> field.defaultValue().isEmpty());
        }
    }

    @Test
    void a_stored_document_that_is_none_is_reported_as_corrupt() {
        for (String broken : List.of("", "[]", "{}", "{\"entity_name\":\"T\",\"fields\":{\"id\":5}}")) {
            assertThatThrownBy(() -> SchemaDocuments.read(TypeKind.ENTITY, broken))
                    .as(broken)
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT));
        }
    }

    @Test
    void an_entity_type_has_one_key_field_that_is_a_plain_text() {
        FieldDef id = FieldDef.of("id", STR);

        assertRefused("no key field", () -> new EntityType("T", List.of(id), "key"));
        assertRefused("'n' is not a plain text", () -> new EntityType("T", List.of(FieldDef.of("n", INT)), "n"));
        assertRefused(
                "'n' is not a plain text",
                () -> new EntityType("T", List.of(FieldDef.of("n", TypeSpec.orNull(STR))), "n"));
        assertRefused("two fields called 'id'", () -> new EntityType("T", List.of(id, id), "id"));
        assertRefused("invalid type name 'no spaces'", () -> new EntityType("no spaces", List.of(id), "id"));
    }

    @Test
    void an_instance_key_is_a_required_plain_text_among_the_fields() {
        FieldDef key = FieldDef.of("k", STR);

        assertRefused("'k' is not one of its fields", () -> relation(Optional.of("k"), List.of()));
        assertRefused("not a required plain text", () -> relation(Optional.of("k"), List.of(key.withDefault("x"))));
        assertRefused("not a required plain text", () -> relation(Optional.of("k"), List.of(FieldDef.of("k", INT))));
        assertRefused(
                "'left_key' cannot be a field",
                () -> relation(Optional.empty(), List.of(FieldDef.of("left_key", STR))));
        assertThat(relation(Optional.of("k"), List.of(key)).payload()).isEmpty();
    }

    @Test
    void a_default_fits_its_type_and_takes_its_form() {
        assertThat(FieldDef.of("price", FLOAT).withDefault(1L).defaultValue()).contains(new FieldDef.Default(1.0));
        assertRefused(
                "invalid default of field 'n': field 'n' is a text and not <class 'int'>",
                () -> FieldDef.of("n", INT).withDefault("7"));
        assertRefused("must not be null", () -> FieldDef.of("n", INT).withDefault(null));
    }

    @Test
    void a_field_name_is_an_identifier() {
        for (String name : List.of("", "1st", "a b", "a.b", "a-b", "ä", "x".repeat(129))) {
            assertRefused("invalid field name", () -> FieldDef.of(name, STR));
        }
    }

    private static RelationType relation(Optional<String> instanceKey, List<FieldDef> fields) {
        return new RelationType("R", "A", "B", instanceKey, fields);
    }

    private static void assertRefused(String cause, Runnable declaration) {
        assertThatThrownBy(declaration::run)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining(cause);
    }
}
