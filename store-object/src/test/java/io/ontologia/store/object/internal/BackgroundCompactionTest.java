package io.ontologia.store.object.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.LockHolder;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Window;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.kernel.Step;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BackgroundCompactionTest {
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");

    private final SettableClock clock = new SettableClock();
    private final StorageOptions options =
            StorageOptions.defaults().clock(clock).lockTimeout(Duration.ZERO);
    private final ObjectStore objects = ObjectStores.open(
            "memory:" + getClass().getName() + System.identityHashCode(this),
            ObjectStoreOptions.defaults().clock(clock));
    private ObjectStorage storage = open();
    private long committed;

    private ObjectStorage open() {
        return (ObjectStorage) OpenStores.open(objects, options, Threads.none());
    }

    @BeforeEach
    void register() {
        storage.register(List.of(NOTE), "test");
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private CommitResult commit(Storage where, long n) {
        return where.commit(new CommitRequest(
                List.of(new DesiredRow(
                        NOTE.ref(), new Identity.OfEntity("n" + n % 3), "{\"id\":\"x\",\"n\":" + n + "}")),
                Map.of(),
                Map.of(NOTE.ref(), 1L),
                "test",
                (type, stored, wanted) -> stored.equals(wanted)));
    }

    private void commit(int count) {
        commitMany(storage, count);
    }

    private void commitMany(Storage where, int count) {
        for (int i = 0; i < count; i++) {
            commit(where, committed++);
        }
    }

    private List<StoredRow> history() {
        try (Stream<StoredRow> rows = storage.rows(RowQuery.of(NOTE.ref(), new Window.History(0)))) {
            return rows.toList();
        }
    }

    private int files() {
        return upkeep().files(OptionalLong.empty()).files().size();
    }

    private Upkeep upkeep() {
        return storage.upkeep().orElseThrow();
    }

    @Test
    void a_step_merges_one_run_of_files_and_changes_no_answer() {
        commit(20);
        List<StoredRow> before = history();
        Step compaction = storage.backgroundCompaction();

        Optional<Duration> wait = compaction.step();

        assertThat(wait).hasValue(Duration.ofSeconds(1));
        assertThat(files()).isEqualTo(13);
        assertThat(history()).isEqualTo(before);
        assertThat(storage.check(Progress.none()))
                .filteredOn(Finding::isProblem)
                .isEmpty();
    }

    @Test
    void a_listener_hears_up_to_which_commit_files_were_merged() {
        commit(20);
        List<Long> heard = new ArrayList<>();
        upkeep().onCompaction(heard::add);
        Step compaction = storage.backgroundCompaction();

        compaction.step();
        compaction.step();
        compaction.step();

        assertThat(files()).isEqualTo(6);
        assertThat(heard).containsExactly(20L, 20L);
    }

    @Test
    void steps_go_on_until_there_is_nothing_to_merge_and_then_wait_longer() {
        commit(20);
        Step compaction = storage.backgroundCompaction();

        compaction.step();
        compaction.step();
        Optional<Duration> wait = compaction.step();

        assertThat(wait).hasValue(Duration.ofSeconds(30));
        assertThat(files()).isEqualTo(6);
    }

    @Test
    void what_others_merged_meanwhile_is_seen_and_nothing_is_written_again_and_again() {
        ObjectStorage other = open();
        clock.advance(Duration.ofMinutes(1));
        commitMany(other, 15);
        other.upkeep().orElseThrow().compact(Optional.empty(), "operator", Progress.none());
        Step compaction = storage.backgroundCompaction();
        assertThat(compaction.step()).hasValue(Duration.ofSeconds(30));
        commitMany(other, 3);
        other.upkeep().orElseThrow().compact(Optional.empty(), "operator", Progress.none());
        commitMany(other, 4);
        clock.advance(Duration.ofMinutes(1));

        for (int i = 0; i < 3; i++) {
            compaction.step();
        }
        int snapshots = objects.list(ListRequest.of("snapshots/")).objects().size();
        for (int i = 0; i < 6; i++) {
            compaction.step();
        }

        assertThat(objects.list(ListRequest.of("snapshots/")).objects()).hasSize(snapshots);
        assertThat(storage.check(Progress.none()))
                .filteredOn(Finding::isProblem)
                .isEmpty();
    }

    @Test
    void who_holds_the_lock_is_left_alone_and_the_merged_file_waits() {
        commit(8);
        Step compaction = storage.backgroundCompaction();
        LockHolder hold = storage.locks().acquire("operator", Duration.ZERO);

        Optional<Duration> putOff = compaction.step();
        int meanwhile = files();
        storage.locks().release(hold);
        compaction.step();
        clock.advance(Duration.ofHours(2));

        assertThat(putOff).hasValue(Duration.ofSeconds(30));
        assertThat(meanwhile).isEqualTo(8);
        assertThat(files()).isEqualTo(1);
        assertThat(upkeep().findGarbage(Duration.ZERO).keys()).isEmpty();
    }

    @Test
    void a_merged_file_that_waited_for_long_may_be_gone_and_is_made_again() {
        commit(8);
        Step compaction = storage.backgroundCompaction();
        LockHolder hold = storage.locks().acquire("operator", Duration.ZERO);
        compaction.step();
        storage.locks().release(hold);
        List<StoredRow> before = history();
        clock.advance(Duration.ofDays(2));
        assertThat(upkeep().collectGarbage(Duration.ofDays(1)).keys()).isNotEmpty();

        compaction.step();
        int without = files();
        compaction.step();

        assertThat(without).isEqualTo(8);
        assertThat(files()).isEqualTo(1);
        assertThat(history()).isEqualTo(before);
        assertThat(storage.check(Progress.none()))
                .filteredOn(Finding::isProblem)
                .isEmpty();
    }

    @Test
    void commits_between_merging_and_publishing_are_kept() {
        commit(8);
        Step compaction = storage.backgroundCompaction();
        LockHolder hold = storage.locks().acquire("operator", Duration.ZERO);
        compaction.step();
        storage.locks().release(hold);
        commit(storage, 100);

        compaction.step();

        assertThat(files()).isEqualTo(2);
        assertThat(history()).hasSize(9);
        assertThat(storage.check(Progress.none()))
                .filteredOn(Finding::isProblem)
                .isEmpty();
    }

    @Test
    void a_merged_file_that_others_made_superfluous_is_not_used() {
        commit(8);
        Step compaction = storage.backgroundCompaction();
        LockHolder hold = storage.locks().acquire("operator", Duration.ZERO);
        compaction.step();
        storage.locks().release(hold);
        upkeep().compact(Optional.empty(), "operator", Progress.none());
        List<StoredRow> before = history();

        compaction.step();

        assertThat(files()).isEqualTo(1);
        assertThat(history()).isEqualTo(before);
        assertThat(storage.check(Progress.none()))
                .filteredOn(Finding::isProblem)
                .isEmpty();
    }

    @Test
    void commits_succeed_right_after_a_step() {
        commit(9);
        storage.backgroundCompaction().step();

        assertThat(commit(storage, 50)).isInstanceOf(CommitResult.Committed.class);
    }
}
