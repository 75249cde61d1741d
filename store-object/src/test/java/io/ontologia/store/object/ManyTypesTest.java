package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.SettableClock;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Stores with many types of which few are written. */
class ManyTypesTest {
    private static final int TYPES = 300;
    private static final Model MODEL =
            Model.of(IntStream.range(0, TYPES).mapToObj(ManyTypesTest::type).toArray(OntologyType[]::new));

    private final SettableClock clock = new SettableClock();
    private final RoundTrips trips = new RoundTrips();
    private final ObjectStore store = trips.counting(ObjectStores.open("memory:", clock));

    private static EntityType type(int number) {
        return new EntityType("T" + number, List.of(FieldDef.of("id", Primitive.STR)), "id");
    }

    private Session open() {
        return Ontologia.open(
                TestStoreProvider.uriOf(store),
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)),
                MODEL);
    }

    private int requestsOfClosing(Row... rows) {
        Session session = open();
        for (Row row : rows) {
            session.ensure(row);
            session.commit();
        }
        trips.reset();
        session.close();
        return trips.requests();
    }

    @Test
    void closing_costs_nothing_for_types_that_were_not_written() {
        int one = requestsOfClosing(row(1, "a"));
        int two = requestsOfClosing(row(1, "b"), row(2, "b"));

        assertThat(one).isLessThan(20);
        assertThat(two).isLessThan(20);
    }

    @Test
    void an_index_that_lacks_nothing_is_in_order() {
        requestsOfClosing(row(1, "a"), row(2, "a"));
        requestsOfClosing(row(1, "b"));

        try (Session session = open()) {
            Upkeep upkeep = session.storage().upkeep().orElseThrow();
            assertThat(upkeep.verifyIndices())
                    .extracting(Upkeep.IndexState::status)
                    .containsOnly(Upkeep.IndexStatus.OK);
            assertThat(session.storage().check(Progress.none()))
                    .extracting(Finding::code)
                    .doesNotContain("index-lag");
            assertThat(session.entities("T2").count()).isEqualTo(1);
            assertThat(session.entities("T3").count()).isZero();
        }
    }

    @Test
    void all_indices_follow_once_in_a_hundred_commits() {
        requestsOfClosing(row(2, "a"));
        requestsOfClosing(IntStream.range(0, 100).mapToObj(i -> row(1, "k" + i)).toArray(Row[]::new));

        try (Session session = open()) {
            assertThat(session.storage().upkeep().orElseThrow().verifyIndices())
                    .extracting(Upkeep.IndexState::upTo)
                    .containsOnly(101L);
        }
    }

    private static Row row(int type, String key) {
        return new Row.OfEntity("T" + type, key, Map.of());
    }
}
