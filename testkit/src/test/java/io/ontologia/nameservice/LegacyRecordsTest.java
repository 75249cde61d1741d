package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.nameservice.internal.object.ObjectNameservice;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreCrashed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records of schema version 1, in every layout. */
class LegacyRecordsTest {
    private static final Alias FULL = Alias.parse("full");
    private static final Alias BARE = Alias.parse("bare");
    private static final Alias DEAD = Alias.parse("dead");

    private final ObjectStore server = server();

    @ParameterizedTest
    @EnumSource(Layout.class)
    void they_read_as_records_of_version_2(Layout layout) {
        Nameservice names = on(server, layout, 1);

        NameRecord full = names.lookup(FULL).orElseThrow();
        NameRecord bare = names.lookup(BARE).orElseThrow();

        assertFull(full);
        assertThat(full.createdAt()).isEqualTo(Instant.ofEpochSecond(1_705_312_200));
        assertThat(bare.watermarks()).isEqualTo(new Watermarks(0, 0, 1, 0));
        assertThat(names.lookup(DEAD).orElseThrow().isRetracted()).isTrue();
        assertThat(names.concern(FULL, Concern.INDEX)).contains(full.index());
        assertThat(names.watermarks(FULL)).contains(new Watermarks(42, 1, 1, 1));
        assertThat(names.list(NameQuery.all()).records())
                .extracting(NameRecord::alias)
                .containsExactlyInAnyOrder(FULL, BARE, DEAD);
        assertThat(names.create(NewRecord.ledger(FULL))).isEqualTo(new CreateOutcome.Exists(full));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void the_first_write_migrates(Layout layout) {
        for (Concern concern : Concern.values()) {
            ObjectStore fresh = server();
            Nameservice names = on(fresh, layout, 1);
            NameRecord before = names.lookup(FULL).orElseThrow();
            ConcernValue next = ConcernValue.of(50, Map.of("state", "ready", "t", 50));

            assertThat(names.push(FULL, concern, before.concern(concern), next))
                    .isEqualTo(new PushOutcome.Updated(next));

            assertThat(on(fresh, layout, 2).lookup(FULL)).contains(before.with(concern, next));
            assertThat(on(fresh, layout, 3).legacy().orElseThrow().first().legacy())
                    .extracting(NameRecord::alias)
                    .containsExactlyInAnyOrder(BARE, DEAD);
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_retracted_one_takes_no_pushes_and_can_be_restored_or_purged(Layout layout) {
        Nameservice names = on(server, layout, 1);
        for (Concern concern : Concern.values()) {
            ConcernValue next = ConcernValue.of(50, Map.of("state", "ready", "t", 50));
            assertThatThrownBy(() -> names.push(
                            DEAD, concern, names.concern(DEAD, concern).orElseThrow(), next))
                    .isInstanceOf(NameRetractedException.class);
        }

        assertThat(names.restore(DEAD)).isInstanceOf(LifecycleOutcome.Changed.class);
        ConcernValue head = ConcernValue.of(50, Map.of("t", 50));
        assertThat(names.push(
                        DEAD, Concern.HEAD, names.concern(DEAD, Concern.HEAD).orElseThrow(), head))
                .isEqualTo(new PushOutcome.Updated(head));
        names.retract(DEAD, "");
        assertThat(names.purge(DEAD)).isEqualTo(new PurgeOutcome.Purged());
        assertThat(on(server, layout, 2).lookup(DEAD)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_batch_tells_first_then_migrates_and_then_finds_nothing_more(Layout layout) {
        Nameservice names = on(server, layout, 1);
        names.create(NewRecord.ledger(Alias.parse("current")));
        List<NameRecord> before = names.list(NameQuery.all()).records();
        List<Migration.Progress> progress = new ArrayList<>();
        Migration migration = new Migration(names, progress::add);

        Migration.Report dry = migration.dryRun();
        List<NameRecord> untouched = on(server, layout, 2).list(NameQuery.all()).records();
        Migration.Report done = migration.run();
        Migration.Report again = new Migration(on(server, layout, 3), p -> {}).run();

        assertThat(dry.migrated()).containsExactlyInAnyOrder(FULL, BARE, DEAD);
        assertThat(untouched).containsExactlyInAnyOrderElementsOf(before);
        assertThat(done).isEqualTo(dry);
        assertThat(done.looked()).isEqualTo(4);
        assertThat(progress).hasSize(2);
        assertThat(again.migrated()).isEmpty();
        assertThat(on(server, layout, 4).list(NameQuery.all()).records()).containsExactlyInAnyOrderElementsOf(before);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_batch_that_breaks_off_anywhere_can_be_run_again(Layout layout) {
        for (int step = 1; step < 100; step++) {
            ObjectStore fresh = server();
            List<NameRecord> before = on(fresh, layout, 1).list(NameQuery.all()).records();
            boolean died = false;
            try {
                new Migration(on(new FaultyObjectStore(fresh, FaultPlan.crashBefore(step)), layout, 2), p -> {}).run();
            } catch (StoreCrashed e) {
                died = true;
            }

            assertThat(on(fresh, layout, 3).list(NameQuery.all()).records())
                    .containsExactlyInAnyOrderElementsOf(before);
            new Migration(on(fresh, layout, 4), p -> {}).run();
            assertThat(on(fresh, layout, 5).legacy().orElseThrow().first().legacy())
                    .isEmpty();
            assertThat(on(fresh, layout, 6).list(NameQuery.all()).records())
                    .containsExactlyInAnyOrderElementsOf(before);
            if (!died) {
                return;
            }
        }
        throw new AssertionError("it does not end");
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void what_cannot_be_read_is_reported_and_does_not_stop_the_others(Layout layout) {
        server.put("ns@v2/bad/main.json", Payload.of("{\"ledger_alias\":\"bad:main\",\"commit_address\":\"x\"}"));

        Migration.Report report = new Migration(on(server, layout, 1), p -> {}).run();

        assertThat(report.migrated()).containsExactlyInAnyOrder(FULL, BARE, DEAD);
        assertThat(report.failures()).hasSize(1);
        assertThat(report.failures().get(0).reason().getMessage())
                .contains("bad/main.json")
                .contains("commit_t");
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void an_address_at_t_0_survives_the_migration(Layout layout) {
        put(
                "zero",
                "{\"ledger_alias\":\"zero:main\",\"commit_address\":\"first\",\"commit_t\":0,\"updated_at\":1700000000.5}");
        Nameservice names = on(server, layout, 1);
        Alias zero = Alias.parse("zero");
        ConcernValue head = ConcernValue.of(0, Map.of("address", "first", "t", 0));
        ConcernValue next = ConcernValue.of(1, Map.of("address", "second", "t", 1));

        assertThat(names.lookup(zero).orElseThrow().head()).isEqualTo(head);
        assertThat(names.lookup(zero).orElseThrow().createdAt()).isEqualTo(Instant.ofEpochMilli(1_700_000_000_500L));
        new Migration(names, progress -> {}).run();

        assertThat(on(server, layout, 2).lookup(zero).orElseThrow().head()).isEqualTo(head);
        assertThat(names.push(zero, Concern.HEAD, head, next)).isEqualTo(new PushOutcome.Updated(next));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void an_object_without_version_and_alias_is_counted_as_failed(Layout layout) {
        put("odd", "{\"commit_address\":\"first\",\"commit_t\":3}");

        Migration.Report report = new Migration(on(server, layout, 1), progress -> {}).run();

        assertThat(report.failures()).hasSize(1);
        assertThat(report.failures().get(0).reason().getMessage())
                .contains("'v'")
                .contains("ledger_alias");
        assertThat(report.migrated()).hasSize(3);
    }

    private void put(String name, String json) {
        server.putIfAbsent("ns@v2/" + name + "/main.json", Payload.of(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static ObjectStore server() {
        ObjectStore store = ObjectStores.open("memory:", new SettableClock());
        store.put(
                "ns@v2/full/main.json",
                Payload.of(
                        "{\"ledger_alias\":\"full:main\",\"ledger_name\":\"full\",\"branch\":\"main\",\"commit_address\":\"c42\","
                                + "\"commit_t\":42,\"index_address\":\"i40\",\"index_t\":40,\"default_context_address\":\"ctx\","
                                + "\"status\":\"ready\",\"updated_at\":1705312200}"));
        store.put("ns@v2/bare/main.json", Payload.of("{\"ledger_alias\":\"bare:main\",\"v\":1,\"status\":\"ready\"}"));
        store.put(
                "ns@v2/dead/main.json",
                Payload.of(
                        "{\"ledger_alias\":\"dead:main\",\"commit_address\":\"c1\",\"commit_t\":1,\"index_address\":\"i1\","
                                + "\"index_t\":1,\"status\":\"retracted\"}"));
        return store;
    }

    private static void assertFull(NameRecord full) {
        assertThat(full.type()).isEqualTo(EntityType.LEDGER);
        assertThat(full.head()).isEqualTo(ConcernValue.of(42, Map.of("address", "c42", "t", 42)));
        assertThat(full.index())
                .isEqualTo(ConcernValue.of(1, Map.of("default", Map.of("address", "i40", "t", 40, "rev", 0))));
        assertThat(full.status()).isEqualTo(ConcernValue.of(1, Map.of("state", "ready")));
        assertThat(full.config()).isEqualTo(ConcernValue.of(1, Map.of("default_context", "ctx")));
    }

    private static Nameservice on(ObjectStore store, Layout layout, long seed) {
        return new ObjectNameservice(store, layout, new SettableClock(), new SplittableRandom(seed), Runnable::run);
    }
}
