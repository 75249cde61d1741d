package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.store.object.internal.Threads;
import io.ontologia.testkit.SettableClock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many requests work on objects costs, and how many of them one after the other. */
class RequestBudgetTest {
    private static final EntityType PERSON = type("Person");
    private static final EntityType PLACE = type("Place");
    private static final EntityType IDLE = type("Idle");

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final RoundTrips trips = new RoundTrips();
    private final ObjectStore counting = trips.counting(server);
    private final Later upkeep = new Later();

    private static EntityType type(String name) {
        return new EntityType(name, List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");
    }

    private Session open() {
        String uri = TestStoreProvider.uriOf(counting, () -> new Threads(trips, upkeep, false));
        return Ontologia.open(
                uri,
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)),
                Model.of(PERSON, PLACE, IDLE));
    }

    private static Row row(String type, String key, long n) {
        return new Row.OfEntity(type, key, Map.of("n", n));
    }

    @Test
    void a_warm_commit_costs_two_round_trips_until_it_is_visible() {
        try (Session session = open()) {
            session.ensure(row("Person", "a", 1), row("Place", "p", 1));
            session.commit();
            upkeep.run();
            trips.reset();

            session.ensure(row("Person", "a", 2), row("Place", "p", 2));
            session.commit();

            assertThat(trips.requests()).isEqualTo(2 + 2);
            assertThat(trips.sequential()).isEqualTo(2);
            trips.reset();
            upkeep.run();
            assertThat(trips.requests()).isLessThanOrEqualTo(2 + 3);
        }
    }

    @Test
    void a_burst_of_commits_shares_its_upkeep() {
        try (Session session = open()) {
            session.ensure(row("Person", "a", 0));
            session.commit();
            upkeep.run();
            for (long n = 1; n <= 10; n++) {
                session.ensure(row("Person", "a", n));
                session.commit();
            }
            trips.reset();

            upkeep.run();

            assertThat(trips.requests()).isEqualTo(1);
        }
    }

    @Test
    void a_query_of_the_latest_state_asks_only_whether_something_changed() {
        try (Session session = open()) {
            session.ensure(row("Person", "a", 1));
            session.commit();
            session.entities("Person").list();
            trips.reset();

            List<Row> found = session.entities("Person").list();

            assertThat(found).hasSize(1);
            assertThat(trips.requests()).isEqualTo(1);
        }
    }

    @Test
    void a_first_commit_on_a_store_with_data_takes_at_most_six_round_trips() {
        try (Session session = open()) {
            for (long n = 1; n <= 3; n++) {
                session.ensure(row("Person", "a", n), row("Place", "p" + n, n));
                session.commit();
            }
        }
        trips.reset();

        try (Session session = open()) {
            session.ensure(row("Person", "a", 4), row("Place", "p4", 4));
            session.commit();

            assertThat(trips.sequential()).isLessThanOrEqualTo(6);
        }
    }

    @Test
    void a_lost_index_costs_a_few_requests_and_not_one_for_every_commit() {
        int commits = 105;
        try (Session session = open()) {
            for (long n = 1; n <= commits; n++) {
                session.ensure(row("Person", "a", n));
                session.commit();
                upkeep.run();
            }
        }
        server.delete("meta/indices/entities/Person.json");

        try (Session session = open()) {
            trips.reset();

            assertThat(session.entities("Person").withHistory().count()).isEqualTo(commits);

            // Each file is fetched once, whatever happens; what is left is the search for them.
            assertThat(trips.requests() - commits).isLessThan(15);
        }
    }

    @Test
    void a_closed_session_leaves_the_indices_of_what_it_wrote_at_the_newest_commit() {
        try (Session session = open()) {
            session.ensure(row("Person", "a", 1));
            session.commit();
        }

        assertThat(server.get("meta/indices/entities/Person.json").orElseThrow().text())
                .contains("\"max_indexed_commit\":1");
        assertThat(server.get("meta/indices/entities/Idle.json")).isEmpty();
    }
}
