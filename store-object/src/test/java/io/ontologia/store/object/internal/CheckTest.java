package io.ontologia.store.object.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.TypeIndex;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A check finds what others changed by hand. */
class CheckTest {
    private static final TypeRef NOTE = TypeRef.entity("Note");

    private final SettableClock clock = new SettableClock();
    private final String uri = "memory:" + UUID.randomUUID();
    private final ObjectStore server = objects();

    private ObjectStore objects() {
        return ObjectStores.open(uri, ObjectStoreOptions.defaults().clock(clock));
    }

    private ObjectStorage open() {
        clock.advance(Duration.ofMinutes(1));
        StorageOptions options = StorageOptions.defaults().clock(clock);
        return (ObjectStorage) OpenStores.open(objects(), options, Threads.none());
    }

    @BeforeEach
    void fourCommits() {
        try (ObjectStorage storage = open()) {
            storage.register(
                    List.of(new EntityType(
                            "Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id")),
                    "test");
            for (long n = 1; n <= 4; n++) {
                storage.commit(new CommitRequest(
                        List.of(new DesiredRow(NOTE, new Identity.OfEntity("x"), "{\"id\":\"x\",\"n\":" + n + "}")),
                        Map.of(),
                        Map.of(NOTE, 1L),
                        "test",
                        (ref, stored, wanted) -> stored.equals(wanted)));
            }
        }
    }

    private List<String> problems() {
        try (ObjectStorage storage = open()) {
            return storage.check(Progress.none()).stream()
                    .filter(Finding::isProblem)
                    .map(Finding::code)
                    .toList();
        }
    }

    private TypeIndex index() {
        return TypeIndex.parse(NOTE, server.get(Keys.index(NOTE)).orElseThrow().bytes());
    }

    private void putIndex(List<TypeIndex.Entry> entries) {
        server.put(Keys.index(NOTE), Payload.of(new TypeIndex(NOTE, 4, entries, Map.of()).bytes("by-hand")));
    }

    /** The index with something else in the place of some commits. */
    private void replace(int from, int to, TypeIndex.Entry... others) {
        List<TypeIndex.Entry> entries = new ArrayList<>(index().entries());
        entries.subList(from - 1, to).clear();
        entries.addAll(from - 1, List.of(others));
        putIndex(entries);
    }

    private String key(String pattern) {
        return server.list(ListRequest.of("commits/")).objects().stream()
                .map(ObjectSummary::key)
                .filter(key -> key.matches(pattern))
                .findFirst()
                .orElseThrow();
    }

    private String file(int commit) {
        return key("commits/" + commit + "-.*parquet");
    }

    @Test
    void a_store_in_order_has_no_problems() {
        assertThat(problems()).isEmpty();
    }

    @Test
    void a_snapshot_that_lacks_rows_of_a_commit() {
        replace(1, 3, new TypeIndex.Entry(1, 3, file(1), Optional.empty()));

        assertThat(problems()).containsExactlyInAnyOrder("row-count", "index-wrong-file");
    }

    @Test
    void an_index_that_names_the_file_of_another_attempt() {
        String other = "commits/2-dead0000/entities/Note.parquet";
        server.put(other, Payload.of(server.get(file(2)).orElseThrow().bytes()));
        replace(2, 2, new TypeIndex.Entry(2, 2, other, Optional.empty()));

        assertThat(problems()).containsExactly("index-wrong-file");
    }

    @Test
    void an_index_that_leaves_out_a_commit() {
        replace(2, 2);

        assertThat(problems()).containsExactly("index-misses-commit");
    }

    @Test
    void an_index_that_names_a_commit_twice() {
        TypeIndex.Entry second = index().entries().get(1);
        putIndex(List.of(
                index().entries().get(0),
                second,
                second,
                index().entries().get(2),
                index().entries().get(3)));

        assertThat(problems()).containsExactly("index-overlap");
    }

    @Test
    void a_file_that_is_not_the_one_that_was_written() {
        server.put(file(3), Payload.of(server.get(file(2)).orElseThrow().bytes()));

        assertThat(problems()).containsExactly("content-hash");
    }

    @Test
    void a_file_that_is_gone() {
        server.delete(file(3));

        assertThat(problems()).containsExactly("missing-file");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void a_manifest_that_is_gone(int commit) {
        server.delete(key("commits/" + commit + "-.*manifest.json"));

        assertThat(problems()).contains("broken-chain");
    }
}
