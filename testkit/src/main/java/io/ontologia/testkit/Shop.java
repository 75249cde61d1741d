package io.ontologia.testkit;

import io.ontologia.core.Default;
import io.ontologia.core.Entity;
import io.ontologia.core.Indexed;
import io.ontologia.core.InstanceKey;
import io.ontologia.core.Key;
import io.ontologia.core.Relation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The types that the contract suites of ontology stores work with. */
final class Shop {
    static final Class<?>[] TYPES = {
        Customer.class, Product.class, Maker.class, Subscription.class, Visit.class, MadeBy.class
    };

    private Shop() {}

    record Address(String city, @Nullable String zip) {}

    record Customer(
            @Key String id,
            String name,
            @Indexed String tier,
            @Nullable Integer age,
            @Default("[]") List<String> tags,
            @Nullable @Default("null") Address address)
            implements Entity {

        static Customer of(String id, String tier, @Nullable Integer age) {
            return new Customer(id, "Name of " + id, tier, age, List.of(), null);
        }

        Customer tagged(String... others) {
            return new Customer(id, name, tier, age, List.of(others), address);
        }

        Customer livingIn(String city) {
            return new Customer(id, name, tier, age, tags, new Address(city, null));
        }
    }

    record Product(@Key String sku, String name, double price) implements Entity {}

    record Maker(@Key String name, String country) implements Entity {}

    record Subscription(String leftKey, String rightKey, int seatCount, boolean active)
            implements Relation<Customer, Product> {}

    /** Many between the same two, told apart by the day. */
    record Visit(
            String leftKey, String rightKey, @InstanceKey String day, int minutes)
            implements Relation<Customer, Maker> {}

    record MadeBy(String leftKey, String rightKey) implements Relation<Product, Maker> {}
}
