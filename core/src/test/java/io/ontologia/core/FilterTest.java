package io.ontologia.core;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static io.ontologia.core.Fields.right;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FilterTest {
    enum Tier {
        GOLD
    }

    record Geo(double lat, double lon) {}

    record Address(String city, @Named("postal_code") String zip, Geo geo) {}

    record Customer(
            @Key String id,
            String displayName,
            @Named("class") String tier,
            @Nullable Integer age,
            Address homeAddress,
            List<String> tags)
            implements Entity {
        String shout() {
            return displayName;
        }
    }

    record Visit(
            String leftKey, String rightKey, @InstanceKey String visitId, int minutes)
            implements Relation<Customer, Customer> {}

    @Test
    void a_method_reference_names_the_stored_field() {
        assertThat(field(Customer::id).path()).hasToString("$.id");
        assertThat(field(Customer::displayName).path()).hasToString("$.display_name");
        assertThat(field(Customer::tier).path()).hasToString("$.class");
        assertThat(field(Customer::homeAddress).at(Address::zip).path()).hasToString("$.home_address.postal_code");
        assertThat(field(Customer::homeAddress).at("geo.lat").path()).hasToString("$.home_address.geo.lat");
        assertThat(left(Customer::displayName).path()).hasToString("left.$.display_name");
        assertThat(right(Customer::homeAddress).at(Address::geo).at(Geo::lon).path())
                .hasToString("right.$.home_address.geo.lon");
    }

    @Test
    void only_a_reference_to_an_accessor_is_a_field() {
        FieldRef<Customer, String> lambda = customer -> customer.displayName();
        FieldRef<Customer, String> method = Customer::shout;
        FieldRef<Customer, Integer> inherited = Customer::hashCode;

        for (FieldRef<Customer, ?> wrong : List.<FieldRef<Customer, ?>>of(lambda, method, inherited)) {
            assertRefused("not a method reference to a record's accessor", () -> field(wrong));
        }
    }

    @Test
    void the_ends_and_the_instance_key_of_a_relation_are_parts_of_its_identity() {
        assertThat(field(Visit::leftKey).path()).isEqualTo(FieldPath.LEFT_KEY);
        assertThat(field(Visit::rightKey).path()).isEqualTo(FieldPath.RIGHT_KEY);
        assertThat(field(Visit::visitId).path()).isEqualTo(FieldPath.INSTANCE_KEY);
        assertRefused(
                "Visit::visitId: it is part of the identity", () -> field("$.a").at(Visit::visitId));
        assertThat(field(Visit::minutes).path()).hasToString("$.minutes");
    }

    @Test
    @SuppressWarnings("NullAway") // callers without null checks do this
    void nothing_equals_null() {
        FieldExpression<Object> tier = field("$.tier");

        assertRefused("use isNull or isNotNull", () -> tier.eq(null));
        assertRefused("use isNull or isNotNull", () -> tier.ne(null));
        assertRefused("use isNull or isNotNull", () -> tier.in(Arrays.asList("a", null)));
        assertRefused("use isNull or isNotNull", () -> tier.any().eq(null));
        assertRefused("use isNull or isNotNull", () -> tier.anyPath("kind").ne(null));
        assertRefused("use isNull or isNotNull", () -> tier.startsWith(null));
    }

    @Test
    void what_json_cannot_hold_is_no_operand() {
        FieldExpression<Object> field = field("$.x");

        for (Object wrong : List.of(
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Float.NEGATIVE_INFINITY,
                "a\0b",
                List.of(1),
                Duration.ZERO,
                'c')) {
            assertRefused("invalid filter", () -> field.eq(wrong));
            assertRefused("invalid filter", () -> field.lt(wrong));
            assertRefused("invalid filter", () -> field.in(List.of("fine", wrong)));
        }
        assertRefused("NUL", () -> field.contains("\0"));
    }

    @Test
    void true_and_false_have_no_order() {
        FieldExpression<Object> field = field("$.x");

        assertRefused("have no order", () -> field.gt(true));
        assertRefused("have no order", () -> field.gte(false));
        assertRefused("have no order", () -> field.lt(true));
        assertRefused("have no order", () -> field.lte(true));
        assertRefused("have no order", () -> field.any().lt(false));
        assertThat(field.eq(true)).isEqualTo(field.isTrue());
        assertThat(field.eq(false)).isEqualTo(field.isFalse());
    }

    @Test
    void operands_take_one_form() {
        FieldExpression<Object> field = field("$.x");

        assertThat(field.eq(1)).isEqualTo(field.eq(1L)).isEqualTo(field.eq((short) 1));
        assertThat(field.eq(BigInteger.ONE)).isEqualTo(field.eq(1L));
        assertThat(field.eq(0.5f)).isEqualTo(field.eq(0.5));
        assertThat(field.eq(Tier.GOLD)).isEqualTo(field.eq("GOLD"));
        assertThat(field.eq(new BigInteger("9223372036854775808")))
                .isEqualTo(new Filter.At(
                        FieldPath.of("x"), new Filter.Compare(Filter.Op.EQ, new BigInteger("9223372036854775808"))));
    }

    @Test
    void list_items_are_only_tested_in_the_row_itself_and_by_valid_paths() {
        assertRefused(
                "cannot look into the ends", () -> field("left.$.tags").any().eq("x"));
        assertRefused("invalid path", () -> field("$.events").anyPath("").eq("x"));
        assertRefused("invalid path", () -> field("$.events").anyPath("a..b").eq("x"));
        assertRefused("invalid path", () -> field("$.events").at("a\"b"));
    }

    @Test
    void a_condition_on_groups_compares_with_a_number_or_text() {
        assertThat(new Aggregate.Having("n", Filter.Op.GT, 1).value()).isEqualTo(1L);
        assertRefused(
                "groups are compared with numbers and texts", () -> new Aggregate.Having("n", Filter.Op.EQ, true));
        assertRefused("is no JSON number", () -> new Aggregate.Having("n", Filter.Op.EQ, Double.NaN));
    }

    @Test
    void an_aggregate_has_a_plain_name() {
        for (String name : List.of("", "a b", "1st", "x; DROP TABLE commits", "a\"b")) {
            assertRefused("invalid aggregate", () -> Aggregate.count(name));
        }
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining(message);
    }
}
