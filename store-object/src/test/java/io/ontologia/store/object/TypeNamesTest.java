package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The catalog of type names that other implementations read is written, checked and repaired. */
class TypeNamesTest {
    private static final String TYPES = "meta/schema/types.json";
    private static final Model MODEL =
            Model.of(new EntityType("Customer", List.of(FieldDef.of("id", Primitive.STR)), "id"));

    private final SettableClock clock = new SettableClock();
    private final ObjectStore store = ObjectStores.open("memory:", clock);

    private SessionOptions options() {
        return SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock));
    }

    private List<TypeRef> register(ObjectStore through) {
        try (Maintenance maintenance = Ontologia.maintain(TestStoreProvider.uriOf(through), options())) {
            return maintenance.storage().register(MODEL.types(), "test");
        }
    }

    private List<String> findings() {
        try (Maintenance maintenance = Ontologia.maintain(TestStoreProvider.uriOf(store), options())) {
            return maintenance.check(Progress.none()).stream()
                    .map(Finding::code)
                    .toList();
        }
    }

    private void assertRight() {
        assertThat(store.get(TYPES).orElseThrow().text())
                .contains("\"entities\":[\"Customer\"]")
                .contains("\"relations\":[]");
        assertThat(findings()).isEmpty();
    }

    /** Fails every write of the catalog, as a server does that is out of reach for a moment. */
    private static final class WithoutTypes extends ForwardingObjectStore {
        WithoutTypes(ObjectStore target) {
            super(target);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }

        @Override
        public ETag put(String key, Payload payload) {
            if (key.equals(TYPES)) {
                throw new OntologiaException(ErrorKind.UNAVAILABLE, "cannot write", "the server is away", "try again");
            }
            return super.put(key, payload);
        }
    }

    @Test
    void a_catalog_that_could_not_be_written_fails_no_registration_and_is_written_by_the_next() {
        assertThat(register(new WithoutTypes(store))).containsExactly(TypeRef.entity("Customer"));
        assertThat(store.get(TYPES)).isEmpty();
        assertThat(findings()).containsExactly("types-catalog");

        assertThat(register(store)).isEmpty();

        assertRight();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "[]", "{\"entities\": [\"Other\"], \"relations\": []}"})
    void a_wrong_catalog_is_found_and_repaired_with_the_indices(String content) {
        register(store);
        assertRight();
        store.put(TYPES, Payload.of(content));
        assertThat(findings()).containsExactly("types-catalog");

        try (Maintenance maintenance = Ontologia.maintain(TestStoreProvider.uriOf(store), options())) {
            maintenance.storage().upkeep().orElseThrow().repairIndices();
        }

        assertRight();
    }
}
