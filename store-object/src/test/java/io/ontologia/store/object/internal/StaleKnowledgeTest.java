package io.ontologia.store.object.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Registry;
import io.ontologia.store.object.internal.layout.TypeIndex;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a process knows of a store that others changed since: it must neither act nor answer by it. */
class StaleKnowledgeTest {
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");
    private static final EntityType TAG = new EntityType("Tag", NOTE.payload(), "id");

    private final SettableClock clock = new SettableClock();
    private final StorageOptions options =
            StorageOptions.defaults().clock(clock).lockTimeout(Duration.ZERO);
    private final String uri = "memory:" + UUID.randomUUID();
    private final ObjectStore server = objects();

    private ObjectStore objects() {
        return ObjectStores.open(uri, ObjectStoreOptions.defaults().clock(clock));
    }

    /** A process of its own; whatever lock another one held, its time is over. */
    private ObjectStorage process() {
        clock.advance(Duration.ofMinutes(1));
        return (ObjectStorage) OpenStores.open(objects(), options, Threads.none());
    }

    private static CommitResult commit(Storage where, EntityType type, long n) {
        return where.commit(new CommitRequest(
                List.of(new DesiredRow(type.ref(), new Identity.OfEntity("x"), "{\"id\":\"x\",\"n\":" + n + "}")),
                Map.of(),
                Map.of(type.ref(), 1L),
                "test",
                (ref, stored, wanted) -> stored.equals(wanted)));
    }

    @Test
    void nothing_to_do_is_not_said_by_what_was_read_at_opening() {
        ObjectStorage first = process();
        first.register(List.of(NOTE), "test");
        commit(first, NOTE, 1);
        ObjectStorage early = process();
        ObjectStorage other = process();
        commit(other, NOTE, 2);
        clock.advance(Duration.ofMinutes(1));

        CommitResult result = commit(early, NOTE, 1);

        assertThat(result).isInstanceOf(CommitResult.Committed.class);
        assertThat(commit(early, NOTE, 1)).isInstanceOf(CommitResult.NothingToDo.class);
    }

    @Test
    void who_was_idle_does_not_take_back_what_others_put_into_an_index() {
        ObjectStorage idle = process();
        idle.register(List.of(NOTE, TAG), "test");
        commit(idle, NOTE, 1);
        commit(idle, TAG, 1);
        ObjectStorage other = process();
        for (long n = 2; n <= 17; n++) {
            commit(other, NOTE, n);
        }
        other.upkeep().orElseThrow().compact(Optional.empty(), "operator", Progress.none());
        other.close();
        TypeIndex before = index();

        idle.close();

        assertThat(before.entries()).anyMatch(entry -> !entry.isOfOneCommit());
        assertThat(index().entries()).isEqualTo(before.entries());
        assertThat(index().upTo()).isEqualTo(before.upTo());
    }

    private TypeIndex index() {
        return TypeIndex.parse(
                NOTE.ref(), server.get(Keys.index(NOTE.ref())).orElseThrow().bytes());
    }

    @Test
    void the_beginning_of_a_copy_is_no_garbage() {
        ObjectStorage copy = process();
        server.put(Keys.RESTORE, Payload.of("{}"));
        server.put("commits/1-abcdef01/manifest.json", Payload.of("{}"));
        clock.advance(Duration.ofDays(30));
        Upkeep upkeep = copy.upkeep().orElseThrow();

        assertThat(upkeep.findGarbage(Duration.ZERO).keys()).isEmpty();
        server.delete(Keys.RESTORE);
        assertThat(upkeep.findGarbage(Duration.ZERO).keys()).containsExactly("commits/1-abcdef01/manifest.json");
    }

    @Test
    void a_change_that_waits_is_given_up_only_when_its_commit_can_no_longer_be_made() {
        ObjectStorage first = process();
        first.register(List.of(NOTE), "test");
        commit(first, NOTE, 1);
        StoredObject head = server.get(Keys.HEAD).orElseThrow();
        new Catalog(server, new Chain(server), clock, new SplittableRandom(1))
                .change(
                        Head.parse(head.bytes()),
                        current ->
                                current.waitingFor(new Registry.Pending(2, "commits/2-late/manifest.json", current)));

        ObjectStorage other = process();
        other.register(List.of(TAG), "other");

        assertThat(server.putIfMatch(Keys.HEAD, Payload.of("late"), head.etag()))
                .isInstanceOf(PutOutcome.Refused.class);
        assertThat(commit(other, TAG, 1)).isInstanceOf(CommitResult.Committed.class);
        assertThat(other.check(Progress.none())).filteredOn(Finding::isProblem).isEmpty();
    }
}
