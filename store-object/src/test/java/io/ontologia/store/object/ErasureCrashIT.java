package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.Erasure;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Outbox;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreCrashed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A process that erases a row dies before each of its requests. Then the erasure is made again. */
class ErasureCrashIT {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final TypeRef PERSON = TypeRef.entity("Person");
    private static final String SECRET = "Xyzzy-Plugh-4711";
    private static final Model MODEL = Model.of(
            new EntityType("Person", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id"));

    private final SettableClock clock = new SettableClock();

    private SessionOptions options(String runtimeId) {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults().clock(clock).leaseTtl(LEASE))
                .runtimeId(runtimeId);
    }

    private ObjectStore filled() {
        ObjectStore server =
                ObjectStores.open("memory:", ObjectStoreOptions.defaults().clock(clock));
        try (Session session = Ontologia.open(TestStoreProvider.uriOf(server), options("worker"), MODEL)) {
            session.ensure(person(SECRET, 1), person("b", 1));
            session.commit();
            session.ensure(person(SECRET, 2));
            session.commit(Map.of(), Outbox.of(NewEvent.of("shop", "about", Map.of("who", SECRET))));
        }
        return server;
    }

    private static Row person(String key, long n) {
        return new Row.OfEntity("Person", key, Map.of("n", n));
    }

    private void erase(String uri) {
        try (Maintenance maintenance = Ontologia.maintain(uri, options("eraser"))) {
            Erasure erasure = maintenance.erasure(PERSON, List.of(new Identity.OfEntity(SECRET)));
            erasure.apply(erasure.preview().token(), Map.of(), Progress.none());
        }
    }

    private static List<String> keys(Maintenance maintenance) {
        try (Stream<StoredRow> rows = maintenance.storage().rows(RowQuery.of(PERSON, new Window.History(0)))) {
            return rows.map(row -> row.identity().toString()).toList();
        }
    }

    @Test
    void an_erasure_is_whole_or_not_there_and_can_be_made_again() {
        boolean crashed = true;
        int request = 0;
        while (crashed) {
            ObjectStore server = filled();
            crashed = false;
            try {
                erase(TestStoreProvider.uriOf(new FaultyObjectStore(server, FaultPlan.crashBefore(++request))));
            } catch (StoreCrashed e) {
                crashed = true;
            }
            clock.advance(LEASE);
            String uri = TestStoreProvider.uriOf(server);
            try (Maintenance maintenance = Ontologia.maintain(uri, options("operator"))) {
                assertThat(keys(maintenance))
                        .isIn(List.of(SECRET, "b", SECRET), List.of("b", SECRET, SECRET), List.of("b"));
                assertThat(maintenance.check(Progress.none())).noneMatch(Finding::isProblem);
                if (keys(maintenance).size() > 1) {
                    erase(uri);
                }
                maintenance.finishErasures(Progress.none());
                clock.advance(Duration.ofHours(2));
                maintenance.storage().upkeep().orElseThrow().collectGarbage(Duration.ofHours(1));
                assertThat(keys(maintenance)).containsExactly("b");
                assertThat(maintenance.checkErased(Progress.none())).isEmpty();
                assertThat(maintenance.check(Progress.none())).noneMatch(Finding::isProblem);
            }
            assertThat(StoredTexts.in(server, SECRET))
                    .as("before request %s", request)
                    .isEmpty();
        }
        assertThat(request).isGreaterThan(20);
    }
}
