package io.ontologia.core;

import static io.ontologia.core.TypeSpec.Primitive.ANY;
import static io.ontologia.core.TypeSpec.Primitive.BOOL;
import static io.ontologia.core.TypeSpec.Primitive.FLOAT;
import static io.ontologia.core.TypeSpec.Primitive.INT;
import static io.ontologia.core.TypeSpec.Primitive.STR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordTypesTest {
    enum Tier {
        GOLD,
        SILVER
    }

    record Address(String city, @Nullable String zip) {}

    record Everything(
            @Key String id,
            String text,
            int small,
            Long large,
            short tiny,
            byte tiniest,
            BigInteger huge,
            double real,
            Float single,
            boolean flag,
            Tier tier,
            Instant at,
            LocalDate day,
            UUID uuid,
            Object anything,
            @Nullable Integer maybe,
            List<String> tags,
            List<@Nullable Integer> gaps,
            @Nullable List<Address> addresses,
            Map<String, Double> prices,
            Map<String, List<Object>> nested,
            Address home,
            @Nullable Address work)
            implements Entity {}

    record Product(
            @Key String sku,
            @Named("label") String productName,
            @Indexed String maker) implements Entity {}

    @Named("Client")
    record Customer(
            @Key String customerId,
            @Indexed Tier tier,
            @Default("[]") List<String> tags,
            @Default("3") double score,
            @Nullable @Default("null") Integer age)
            implements Entity {}

    record Subscription(String leftKey, String rightKey, int seatCount, boolean active)
            implements Relation<Customer, Product> {}

    record Stint(@InstanceKey String stintId, String rightKey, String leftKey, String role)
            implements Relation<Customer, Product> {}

    record HTTPServer2Name(@Key String hostName, String ipV4Address, String URLPath, int x2) implements Entity {}

    @Test
    void every_java_type_has_its_spec() {
        OntologyType type = typeOf(Everything.class);

        TypeSpec address = new TypeSpec.Struct("Address", Map.of("city", STR, "zip", TypeSpec.orNull(STR)));
        assertThat(type.fields())
                .extracting(FieldDef::name, FieldDef::type)
                .containsExactly(
                        tuple("id", STR),
                        tuple("text", STR),
                        tuple("small", INT),
                        tuple("large", INT),
                        tuple("tiny", INT),
                        tuple("tiniest", INT),
                        tuple("huge", INT),
                        tuple("real", FLOAT),
                        tuple("single", FLOAT),
                        tuple("flag", BOOL),
                        tuple("tier", STR),
                        tuple("at", STR),
                        tuple("day", STR),
                        tuple("uuid", STR),
                        tuple("anything", ANY),
                        tuple("maybe", TypeSpec.orNull(INT)),
                        tuple("tags", new TypeSpec.ListOf(STR)),
                        tuple("gaps", new TypeSpec.ListOf(TypeSpec.orNull(INT))),
                        tuple("addresses", TypeSpec.orNull(new TypeSpec.ListOf(address))),
                        tuple("prices", new TypeSpec.DictOf(FLOAT)),
                        tuple("nested", new TypeSpec.DictOf(new TypeSpec.ListOf(ANY))),
                        tuple("home", address),
                        tuple("work", TypeSpec.orNull(address)));
    }

    @Test
    void components_become_fields_in_snake_case() {
        OntologyType type = typeOf(HTTPServer2Name.class);

        assertThat(type.name()).isEqualTo("HTTPServer2Name");
        assertThat(type.fields())
                .extracting(FieldDef::name)
                .containsExactly("host_name", "ip_v4_address", "url_path", "x2");
    }

    @Test
    void names_can_be_given() {
        assertThat(typeOf(Customer.class).name()).isEqualTo("Client");
        assertThat(typeOf(Product.class).field("label")).isPresent();
        assertThat(typeOf(Product.class).field("product_name")).isEmpty();
    }

    @Test
    void an_entity_has_key_indexes_and_defaults() {
        EntityType type = (EntityType) typeOf(Customer.class);

        assertThat(type.keyField()).isEqualTo("customer_id");
        assertThat(type.payload()).isEqualTo(type.fields());
        assertThat(type.fields())
                .filteredOn(field -> field.indexed() == FieldDef.Index.YES)
                .extracting(FieldDef::name)
                .containsExactly("tier");
        assertThat(type.field("tags").orElseThrow().defaultValue()).contains(new FieldDef.Default(List.of()));
        assertThat(type.field("score").orElseThrow().defaultValue()).contains(new FieldDef.Default(3.0));
        assertThat(type.field("age").orElseThrow().defaultValue()).contains(new FieldDef.Default(null));
        assertThat(type.field("tier").orElseThrow().defaultValue()).isEmpty();
    }

    @Test
    void a_relation_has_ends_that_are_not_among_its_fields() {
        RelationType type = (RelationType) typeOf(Subscription.class);

        assertThat(type.left()).isEqualTo("Client");
        assertThat(type.right()).isEqualTo("Product");
        assertThat(type.instanceKeyField()).isEmpty();
        assertThat(type.fields()).extracting(FieldDef::name).containsExactly("seat_count", "active");
    }

    @Test
    void an_instance_key_is_a_field_but_not_payload() {
        RelationType type = (RelationType) typeOf(Stint.class);

        assertThat(type.instanceKeyField()).isEqualTo(Optional.of("stint_id"));
        assertThat(type.fields()).extracting(FieldDef::name).containsExactly("stint_id", "role");
        assertThat(type.payload()).extracting(FieldDef::name).containsExactly("role");
    }

    private static OntologyType typeOf(Class<?> record) {
        Model model = Model.ofRecords(List.of(record, Customer.class, Product.class).stream()
                .distinct()
                .toList());
        return model.types().iterator().next();
    }
}
