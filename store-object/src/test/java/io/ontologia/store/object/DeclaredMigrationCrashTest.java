package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.SchemaStep;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.StepExpression;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreCrashed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A migration by declared steps whose process ends before each of its requests. */
class DeclaredMigrationCrashTest {
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final Model BEFORE =
            Model.of(new EntityType("Person", List.of(ID, FieldDef.of("n", Primitive.INT)), "id"));
    private static final Model AFTER = Model.of(
                    new EntityType("Person", List.of(ID, FieldDef.of("note", Primitive.STR)), "id"))
            .withSteps(
                    TypeRef.entity("Person"),
                    1,
                    List.of(new SchemaStep.Set("note", StepExpression.parse("'was ' || n"))));

    private final SettableClock clock = new SettableClock();

    private SessionOptions options(String runtimeId) {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults().clock(clock).leaseTtl(LEASE))
                .runtimeId(runtimeId);
    }

    private void migrate(String uri) {
        try (Maintenance maintenance = Ontologia.maintain(uri, options("operator"))) {
            maintenance.migration(AFTER, Upgraders.none()).force(Map.of(), Progress.none());
        }
    }

    @Test
    void it_leaves_the_old_or_the_new_state_and_can_be_run_again() {
        boolean crashed = true;
        int request = 0;
        while (crashed) {
            request++;
            ObjectStore server = ObjectStores.open("memory:", clock);
            String uri = TestStoreProvider.uriOf(server);
            try (Session session = Ontologia.open(uri, options("writer"), BEFORE)) {
                session.ensure(new Row.OfEntity("Person", "a", Map.of("n", 1L)));
                session.ensure(new Row.OfEntity("Person", "b", Map.of("n", 2L)));
                session.commit();
            }
            try {
                migrate(TestStoreProvider.uriOf(new FaultyObjectStore(server, FaultPlan.crashBefore(request))));
                crashed = false;
            } catch (StoreCrashed e) {
                clock.advance(LEASE);
            }
            assertThat(present(uri))
                    .as("a crash before request %d", request)
                    .isIn(List.of("{id=a, n=1}", "{id=b, n=2}"), List.of("{id=a, note=was 1}", "{id=b, note=was 2}"));

            migrate(uri);

            assertThat(present(uri)).containsExactly("{id=a, note=was 1}", "{id=b, note=was 2}");
            try (Session session = Ontologia.openStored(uri, options("reader"))) {
                assertThat(session.entities("Person").asOf(1).list())
                        .extracting(row -> row.fields().get("note"))
                        .containsExactly("was 1", "was 2");
            }
        }
        assertThat(request).isGreaterThan(10);
    }

    private List<String> present(String uri) {
        try (Session session = Ontologia.openStored(uri, options("reader"))) {
            return session.entities("Person").list().stream()
                    .map(row -> row.fields().toString())
                    .toList();
        }
    }
}
