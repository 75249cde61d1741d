package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Cascade;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreCrashed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A process dies before its n-th request, for every n: what it was told is true, others see the state before or after and
 * never one between, the check finds nothing wrong, and work goes on.
 */
class CrashSweepIT {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final EntityType PERSON =
            new EntityType("Person", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");
    private static final EntityType PERSON_WITH_NOTE = new EntityType(
            "Person",
            List.of(
                    FieldDef.of("id", Primitive.STR),
                    FieldDef.of("n", Primitive.INT),
                    FieldDef.of("note", Primitive.STR)),
            "id");
    private static final RelationType KNOWS = new RelationType(
            "Knows", "Person", "Person", Optional.empty(), List.of(FieldDef.of("since", Primitive.INT)));

    private final SettableClock clock = new SettableClock();

    /** What the process does until it dies. */
    private interface Work {
        void run(String uri, Told told);
    }

    /** What must be true afterwards. */
    private interface Afterwards {
        void check(ObjectStore server, Told told);
    }

    /** What the process was told before it died. */
    private static final class Told {
        private boolean done;

        void itIsDone() {
            done = true;
        }
    }

    private SessionOptions options(String runtimeId) {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults().clock(clock).leaseTtl(LEASE))
                .runtimeId(runtimeId);
    }

    private Session open(String uri) {
        return Ontologia.open(uri, options("worker"), Model.of(PERSON, KNOWS));
    }

    private static Row person(String key, long n) {
        return new Row.OfEntity("Person", key, Map.of("n", n));
    }

    private int atEveryRequest(Runnable1<ObjectStore> prepare, Work work, Afterwards afterwards) {
        for (int request = 1; ; request++) {
            ObjectStore server = ObjectStores.open("memory:", clock);
            prepare.run(server);
            Told told = new Told();
            boolean crashed = false;
            try {
                work.run(TestStoreProvider.uriOf(new FaultyObjectStore(server, FaultPlan.crashBefore(request))), told);
            } catch (StoreCrashed e) {
                crashed = true;
            }
            // Whatever lock the dead one held, its time is over.
            clock.advance(LEASE);
            afterwards.check(server, told);
            requireSound(server);
            if (!crashed) {
                assertThat(told.done).isTrue();
                return request - 1;
            }
        }
    }

    private interface Runnable1<T> {
        void run(T value);
    }

    private void threeCommits(ObjectStore server) {
        try (Session session = open(TestStoreProvider.uriOf(server))) {
            for (long n = 1; n <= 3; n++) {
                session.ensure(person("a", n), person("b" + n, n));
                session.ensure(new Row.OfRelation("Knows", "a", "b" + n, "", Map.of("since", n)));
                session.commit();
            }
        }
    }

    /** The store is in order, its indices can be repaired, and the next commit goes through. */
    private void requireSound(ObjectStore server) {
        String uri = TestStoreProvider.uriOf(server);
        try (Maintenance maintenance = Ontologia.maintain(uri, options("operator"))) {
            assertThat(maintenance.check(Progress.none()).stream()
                            .filter(Finding::isProblem)
                            .toList())
                    .isEmpty();
            Upkeep upkeep = maintenance.storage().upkeep().orElseThrow();
            assertThat(upkeep.repairIndices())
                    .allSatisfy(state -> assertThat(state.status()).isEqualTo(Upkeep.IndexStatus.OK));
        }
        try (Session session = Ontologia.openStored(uri, options("next"))) {
            if (session.types().stream().anyMatch(type -> type.name().equals("Later"))) {
                return;
            }
        }
        EntityType later = new EntityType("Later", List.of(FieldDef.of("id", Primitive.STR)), "id");
        try (Session session = Ontologia.open(uri, options("next"), Model.of(later))) {
            session.ensure(new Row.OfEntity("Later", "x", Map.of()));
            assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
            assertThat(session.entities("Later").count()).isEqualTo(1);
        }
    }

    private Map<String, Object> people(ObjectStore server) {
        try (Session session = Ontologia.openStored(TestStoreProvider.uriOf(server), options("reader"))) {
            if (session.types().isEmpty()) {
                return Map.of();
            }
            Map<String, Object> found = new TreeMap<>();
            session.entities("Person")
                    .results()
                    .forEach(row -> found.put(
                            row.identity().toString(),
                            row.value()
                                    .fields()
                                    .getOrDefault("note", row.value().fields().get("n"))));
            return found;
        }
    }

    @Test
    void the_first_commit_of_a_new_store() {
        int requests = atEveryRequest(
                server -> {},
                (uri, told) -> {
                    try (Session session = open(uri)) {
                        session.ensure(person("a", 1), person("b", 2));
                        session.commit();
                        told.itIsDone();
                    }
                },
                (server, told) -> {
                    if (told.done) {
                        assertThat(people(server)).isEqualTo(Map.of("a", 1L, "b", 2L));
                    } else if (server.get("meta/head.json").isPresent()) {
                        assertThat(people(server)).isIn(Map.of(), Map.of("a", 1L, "b", 2L));
                    }
                });

        assertThat(requests).isGreaterThan(10);
    }

    @Test
    void a_commit_on_top_of_others() {
        Map<String, Object> before = Map.of("a", 3L, "b1", 1L, "b2", 2L, "b3", 3L);
        Map<String, Object> after = Map.of("a", 4L, "b1", 1L, "b2", 2L, "b3", 3L, "b4", 4L);

        int requests = atEveryRequest(
                this::threeCommits,
                (uri, told) -> {
                    try (Session session = open(uri)) {
                        session.ensure(person("a", 4), person("b4", 4));
                        session.ensure(new Row.OfRelation("Knows", "a", "b4", "", Map.of("since", 4L)));
                        session.commit();
                        told.itIsDone();
                    }
                },
                (server, told) -> assertThat(people(server)).isIn(told.done ? List.of(after) : List.of(before, after)));

        assertThat(requests).isGreaterThan(8);
    }

    @Test
    void a_complete_state_that_ends_rows_and_their_relations_can_be_written_again() {
        Map<String, Object> before = Map.of("a", 3L, "b1", 1L, "b2", 2L, "b3", 3L);
        Map<String, Object> after = Map.of("a", 4L, "b1", 1L, "c", 1L);

        int requests = atEveryRequest(
                this::threeCommits,
                (uri, told) -> {
                    complete(uri);
                    told.itIsDone();
                },
                (server, told) -> {
                    assertThat(people(server)).isIn(told.done ? List.of(after) : List.of(before, after));
                    String uri = TestStoreProvider.uriOf(server);
                    complete(uri);
                    assertThat(people(server)).isEqualTo(after);
                    try (Session session = Ontologia.openStored(uri, options("reader"))) {
                        assertThat(session.head()).isEqualTo(4);
                        assertThat(session.relations("Knows").count()).isEqualTo(1);
                        assertThat(session.relations("Knows").asOf(3).count()).isEqualTo(3);
                    }
                });

        assertThat(requests).isGreaterThan(8);
    }

    private void complete(String uri) {
        try (Session session = open(uri)) {
            Set<RowRef> all =
                    Set.of(RowRef.entity("Person", "a"), RowRef.entity("Person", "b1"), RowRef.entity("Person", "c"));
            session.ensure(person("a", 4), person("b1", 1), person("c", 1));
            try (Stream<RowRef> rows = session.entities("Person").refs()) {
                rows.filter(row -> !all.contains(row)).forEach(row -> session.retract(Cascade.RELATIONS, row));
            }
            session.commit();
        }
    }

    @Test
    void a_migration() {
        Map<String, Object> before = Map.of("a", 3L, "b1", 1L, "b2", 2L, "b3", 3L);
        Map<String, Object> after = Map.of("a", "was 3", "b1", "was 1", "b2", "was 2", "b3", "was 3");
        Upgraders upgraders = Upgraders.of(Upgrader.entity("Person", 1, fields -> {
            fields.put("note", "was " + fields.get("n"));
            return fields;
        }));

        int requests = atEveryRequest(
                this::threeCommits,
                (uri, told) -> {
                    try (Maintenance maintenance = Ontologia.maintain(uri, options("operator"))) {
                        var migration = maintenance.migration(Model.of(PERSON_WITH_NOTE, KNOWS), upgraders);
                        migration.apply(migration.preview().token(), Map.of(), Progress.none());
                        told.itIsDone();
                    }
                },
                (server, told) -> assertThat(people(server)).isIn(told.done ? List.of(after) : List.of(before, after)));

        assertThat(requests).isGreaterThan(10);
    }

    @Test
    void an_index_repair() {
        Map<String, Object> all = Map.of("a", 3L, "b1", 1L, "b2", 2L, "b3", 3L);

        int requests = atEveryRequest(
                server -> {
                    threeCommits(server);
                    server.delete("meta/indices/entities/Person.json");
                    server.delete("meta/indices/relations/Knows.json");
                },
                (uri, told) -> {
                    try (Maintenance maintenance = Ontologia.maintain(uri, options("operator"))) {
                        maintenance.storage().upkeep().orElseThrow().repairIndices();
                        told.itIsDone();
                    }
                },
                (server, told) -> assertThat(people(server)).isEqualTo(all));

        assertThat(requests).isGreaterThan(4);
    }

    @Test
    void a_compaction() {
        int requests = atEveryRequest(
                this::nineCommits,
                (uri, told) -> {
                    try (Maintenance maintenance = Ontologia.maintain(uri, options("operator"))) {
                        var rewrites = maintenance
                                .storage()
                                .upkeep()
                                .orElseThrow()
                                .compact(Optional.empty(), "operator", Progress.none());
                        assertThat(rewrites).hasSize(1);
                        told.itIsDone();
                    }
                },
                (server, told) -> requireNineCommits(server));

        assertThat(requests).isGreaterThan(8);
    }

    @Test
    void a_removal_of_files_that_a_snapshot_covers() {
        int requests = atEveryRequest(
                server -> {
                    nineCommits(server);
                    try (Maintenance maintenance =
                            Ontologia.maintain(TestStoreProvider.uriOf(server), options("operator"))) {
                        maintenance
                                .storage()
                                .upkeep()
                                .orElseThrow()
                                .compact(Optional.empty(), "operator", Progress.none());
                    }
                    clock.advance(Duration.ofDays(8));
                },
                (uri, told) -> {
                    try (Maintenance maintenance = Ontologia.maintain(uri, options("operator"))) {
                        var covered =
                                maintenance.storage().upkeep().orElseThrow().removeCovered(Duration.ofDays(7));
                        assertThat(covered.keys()).hasSize(8);
                        told.itIsDone();
                    }
                },
                (server, told) -> {
                    requireNineCommits(server);
                    if (told.done) {
                        assertThat(server.list(ListRequest.of("commits/")).objects())
                                .filteredOn(object -> object.key().endsWith("Person.parquet"))
                                .hasSize(1);
                    }
                });

        assertThat(requests).isGreaterThan(8);
    }

    private void nineCommits(ObjectStore server) {
        try (Session session = open(TestStoreProvider.uriOf(server))) {
            for (long n = 1; n <= 9; n++) {
                session.ensure(person("a", n), person("b" + n, n));
                session.commit();
            }
        }
    }

    private void requireNineCommits(ObjectStore server) {
        Map<String, Object> all = new TreeMap<>(Map.of("a", 9L));
        for (long n = 1; n <= 9; n++) {
            all.put("b" + n, n);
        }
        assertThat(people(server)).isEqualTo(all);
        assertThat(historyOf(server, "a")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    private List<Object> historyOf(ObjectStore server, String key) {
        try (Session session = Ontologia.openStored(TestStoreProvider.uriOf(server), options("reader"))) {
            return session.entities("Person").withHistory().results().stream()
                    .filter(row -> row.identity().toString().equals(key))
                    .map(row -> row.value().fields().get("n"))
                    .toList();
        }
    }

    @Test
    void a_copy_to_it() {
        ObjectStore source = ObjectStores.open("memory:", clock);
        threeCommits(source);

        int requests = atEveryRequest(
                server -> {},
                (uri, told) -> {
                    copy(source, uri);
                    told.itIsDone();
                },
                (server, told) -> {
                    if (!told.done && !isCopied(server)) {
                        copy(source, TestStoreProvider.uriOf(server));
                    }
                    assertThat(people(server)).isEqualTo(people(source));
                    assertThat(historyOf(server, "a")).containsExactly(1L, 2L, 3L);
                });

        assertThat(requests).isGreaterThan(20);
    }

    private void copy(ObjectStore source, String to) {
        try (Maintenance from = Ontologia.maintain(TestStoreProvider.uriOf(source), options("operator"));
                Maintenance target = Ontologia.maintain(to, options("operator"))) {
            from.copyTo(target, Progress.none());
        }
    }

    private boolean isCopied(ObjectStore server) {
        try (Session session = Ontologia.openStored(TestStoreProvider.uriOf(server), options("reader"))) {
            return session.head() > 0;
        }
    }

    @Test
    void a_clean_up() {
        Map<String, Object> all = Map.of("a", 3L, "b1", 1L, "b2", 2L, "b3", 3L);

        int requests = atEveryRequest(
                server -> {
                    threeCommits(server);
                    for (String orphan :
                            List.of("commits/4-dead0000/manifest.json", "commits/2-dead0000/entities/Person.parquet")) {
                        server.put(orphan, io.ontologia.objectstore.Payload.of("left behind"));
                    }
                    clock.advance(Duration.ofDays(8));
                },
                (uri, told) -> {
                    try (Maintenance maintenance = Ontologia.maintain(uri, options("operator"))) {
                        var garbage =
                                maintenance.storage().upkeep().orElseThrow().collectGarbage(Duration.ofDays(7));
                        assertThat(garbage.keys()).hasSize(2);
                        told.itIsDone();
                    }
                },
                (server, told) -> {
                    assertThat(people(server)).isEqualTo(all);
                    assertThat(server.get("commits/4-dead0000/manifest.json").isEmpty())
                            .isEqualTo(told.done);
                });

        assertThat(requests).isGreaterThan(4);
    }
}
