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
import io.ontologia.core.spi.Upkeep;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that are replaced carry a hash of their own content. It is checked unless another program replaced them. */
class SealedObjectsTest {
    private static final String HEAD = "meta/head.json";
    private static final String REGISTRY = "meta/schema/registry.json";
    private static final String INDEX = "meta/indices/entities/Note.json";
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);

    private SessionOptions options() {
        return SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock));
    }

    @BeforeEach
    void three_commits() {
        for (String key : List.of("a", "b", "c")) {
            write(key);
        }
    }

    private void write(String key) {
        clock.advance(Duration.ofSeconds(1));
        try (Session session = Ontologia.open(TestStoreProvider.uriOf(server), options(), Model.of(NOTE))) {
            session.ensure(new Row.OfEntity("Note", key, Map.of("n", 1L)));
            session.commit();
        }
    }

    private List<String> keys() {
        try (Session session = Ontologia.open(TestStoreProvider.uriOf(server), options(), Model.of(NOTE))) {
            return session.entities("Note").list().stream()
                    .map(row -> ((Row.OfEntity) row).key())
                    .sorted()
                    .toList();
        }
    }

    private Maintenance maintain() {
        return Ontologia.maintain(TestStoreProvider.uriOf(server), options());
    }

    private List<String> problems() {
        try (Maintenance maintenance = maintain()) {
            return maintenance.check(Progress.none()).stream()
                    .filter(Finding::isProblem)
                    .map(Finding::code)
                    .toList();
        }
    }

    private void change(String key, String from, String to) {
        String text = server.get(key).orElseThrow().text();
        assertThat(text).contains(from);
        int at = text.lastIndexOf(from);
        server.put(key, Payload.of(text.substring(0, at) + to + text.substring(at + from.length())));
    }

    private Map<String, @Nullable Object> fields(String key) {
        return new LinkedHashMap<>(
                JsonObject.parse(key, server.get(key).orElseThrow().bytes()).fields());
    }

    private void assertDamaged(String key) {
        assertThatThrownBy(this::keys)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT))
                .hasMessageContaining(key)
                .hasMessageContaining("hash");
        assertThatThrownBy(this::problems)
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining(key);
    }

    @ParameterizedTest
    @CsvSource({
        HEAD + ", '\"commit_id\":3', '\"commit_id\":2'",
        HEAD + ", '\"digest\":\"', '\"digest\":\"0'",
        HEAD + ", '\"updated_at\":\"2026', '\"updated_at\":\"2066'",
        REGISTRY + ", '\"schema_version_id\":1', '\"schema_version_id\":2'",
        REGISTRY + ", '\"purged\":{\"entity\":{}', '\"purged\":{\"entity\":{\"Note\":2}'"
    })
    void a_changed_head_or_registry_is_an_error_that_names_it(String key, String from, String to) {
        change(key, from, to);

        assertDamaged(key);
    }

    @Test
    void a_changed_index_is_not_used_and_is_named_and_repaired() {
        change(INDEX, "\"max_commit_id\":2", "\"max_commit_id\":3");

        assertThat(keys()).containsExactly("a", "b", "c");
        assertThat(problems()).containsExactly("damaged-index");

        try (Maintenance maintenance = maintain()) {
            Upkeep upkeep = maintenance.storage().upkeep().orElseThrow();
            upkeep.repairIndices();
        }

        assertThat(problems()).isEmpty();
        assertThat(keys()).containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @ValueSource(strings = {HEAD, REGISTRY, INDEX})
    void an_object_that_another_program_replaced_is_taken_as_it_is(String key) {
        Map<String, @Nullable Object> fields = fields(key);
        assertThat(fields).containsKey("document_seal");
        // The program keeps the fields that it does not know, and changes those that every writer changes.
        fields.put(key.equals(HEAD) ? "updated_at" : "attempt_id", "2026-01-01T00:00:03.500000+00:00");
        fields.put("foreign", "field");
        server.put(key, Payload.of(CanonicalJson.bytes(fields)));

        assertThat(keys()).containsExactly("a", "b", "c");
        assertThat(problems()).isEmpty();
        write("d");
        assertThat(keys()).containsExactly("a", "b", "c", "d");
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {HEAD, REGISTRY, INDEX})
    void an_object_of_an_earlier_version_has_no_hash(String key) {
        Map<String, @Nullable Object> fields = fields(key);
        fields.remove("document_seal");
        server.put(key, Payload.of(CanonicalJson.bytes(fields)));

        assertThat(keys()).containsExactly("a", "b", "c");
        assertThat(problems()).isEmpty();
        write("d");
        assertThat(keys()).containsExactly("a", "b", "c", "d");
    }

    @Test
    void a_manifest_that_was_changed_together_with_its_hash_does_not_have_its_digest() {
        String manifest =
                JsonObject.parse(HEAD, server.get(HEAD).orElseThrow().bytes()).text("manifest_path");
        String before = JsonObject.parse(
                        manifest, server.get(manifest).orElseThrow().bytes())
                .text("parent_manifest_path");
        Map<String, @Nullable Object> fields = fields(before);
        fields.remove("document_sha256");
        fields.put("metadata", Map.of("by", "another"));
        fields.put("document_sha256", Sha256.hex(CanonicalJson.bytes(fields)));
        server.put(before, Payload.of(CanonicalJson.bytes(fields)));

        assertThat(problems()).containsExactly("digest-mismatch");
    }
}
