package io.ontologia.store.sqlite;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Change;
import io.ontologia.core.CommitResult;
import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Relation;
import io.ontologia.core.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TenLinesTest {
    record Customer(
            @Key String id,
            String name,
            String tier,
            @Nullable Integer age) implements Entity {}

    record Product(@Key String sku, String name) implements Entity {}

    record Subscription(String leftKey, String rightKey, int seatCount, boolean active)
            implements Relation<Customer, Product> {}

    @TempDir
    Path folder;

    private Session open() {
        return Ontologia.open(
                "sqlite:///" + folder.resolve("onto.db"), Customer.class, Product.class, Subscription.class);
    }

    @Test
    void what_was_ensured_can_be_asked_for_now_and_as_it_was() {
        try (var session = open()) {
            session.ensure(
                    new Customer("c1", "Alice", "Gold", 32),
                    new Product("p1", "Analytics"),
                    new Subscription("c1", "p1", 5, true));
            session.commit();
            session.ensure(new Customer("c1", "Alice", "Silver", null), new Customer("c2", "Bob", "Gold", 40));
            session.commit(Map.of("why", "downgrade"));

            List<Customer> gold = session.entities(Customer.class)
                    .where(field(Customer::tier).eq("Gold"))
                    .list();
            List<Customer> before = session.entities(Customer.class).asOf(1).list();

            assertThat(gold).containsExactly(new Customer("c2", "Bob", "Gold", 40));
            assertThat(before).containsExactly(new Customer("c1", "Alice", "Gold", 32));
            assertThat(session.relations(Subscription.class)
                            .where(left(Customer::tier).eq("Silver"))
                            .list())
                    .containsExactly(new Subscription("c1", "p1", 5, true));
            assertThat(session.entities(Customer.class)
                            .groupBy(field(Customer::tier))
                            .aggregate(Aggregate.count("n"), Aggregate.avg("age", field(Customer::age))))
                    .hasSize(2)
                    .first()
                    .isEqualTo(Map.of("$.tier", "Gold", "n", 1L, "age", 40.0));
            assertThat(session.log().changes(2))
                    .extracting(Change::operation)
                    .containsExactly(Change.Operation.UPDATE_VERSION, Change.Operation.INSERT);
            assertThat(session.log().get(2).orElseThrow().metadata()).containsEntry("why", "downgrade");
        }
    }

    @Test
    void ensuring_the_same_again_writes_nothing() {
        try (var session = open()) {
            session.ensure(new Customer("c1", "Alice", "Gold", 32));
            session.commit();
        }
        try (var session = open()) {
            session.ensure(new Customer("c1", "Alice", "Gold", 32));

            assertThat(session.preview()).isEmpty();
            assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));
        }
    }
}
