package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.SettableClock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock object that cannot be read stops all writers until an operator replaces it. */
class DamagedLockTest {
    private static final String LOCK = "meta/locks/ontology_write.json";
    private static final EntityType NOTE = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final SessionOptions options =
            SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock));

    private void write(String key) {
        try (Session session = Ontologia.open(TestStoreProvider.uriOf(server), options, Model.of(NOTE))) {
            session.ensure(new Row.OfEntity("Note", key, Map.of()));
            session.commit();
        }
    }

    private Maintenance maintain() {
        return Ontologia.maintain(TestStoreProvider.uriOf(server), options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}", "{\"owner_id\": \"a\", \"acquired_at\": \"2026-01-01T00:00:00Z\"}"})
    void a_commit_names_the_way_out_and_passes_after_the_lock_was_replaced(String content) {
        write("a");
        server.put(LOCK, Payload.of(content));

        assertThatThrownBy(() -> write("b"))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT))
                .hasMessageContaining(LOCK)
                .hasMessageContaining("onto lock show");
        try (Maintenance operator = maintain()) {
            assertThat(operator.check(Progress.none()).stream().filter(Finding::isProblem))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.code()).isEqualTo("damaged-lock");
                        assertThat(finding.example()).isEqualTo(LOCK);
                    });
            operator.lock()
                    .replaceDamaged(operator.lock().damage().orElseThrow().breakToken());
            assertThat(operator.check(Progress.none()).stream().filter(Finding::isProblem))
                    .isEmpty();
        }
        write("b");
    }

    @Test
    void a_token_of_other_bytes_replaces_nothing() {
        write("a");
        server.put(LOCK, Payload.of("damaged"));
        try (Maintenance operator = maintain()) {
            String former = operator.lock().damage().orElseThrow().breakToken();
            server.put(LOCK, Payload.of("damaged in another way"));

            assertThatThrownBy(() -> operator.lock().replaceDamaged(former))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT));
        }
        assertThat(server.get(LOCK).orElseThrow().text()).isEqualTo("damaged in another way");
    }
}
