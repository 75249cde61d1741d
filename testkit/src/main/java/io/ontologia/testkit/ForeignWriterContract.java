package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.EventOptions;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Migration;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.RelationType;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.kernel.CanonicalJson;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A writer that follows the specification alone and one of ours take turns on one store, and both see the same state after
 * every step: rows of the present and the past, schemas, events, dead letters and sessions. {@code
 * -Dontologia.foreign.steps=1000} makes the run longer.
 */
public abstract class ForeignWriterContract extends StorageSuite {
    private static final int KEYS = 6;
    private static final int TYPES = 4;
    private static final int VERSIONS = 5;
    private static final EntityType CUSTOMER = entityType("Customer", text("name"));
    private static final RelationType KNOWS = relationType("Knows", "Customer", "Customer", integer("n"));
    private static final EventOptions EVENTS =
            EventOptions.of(Map.of("event_max_attempts", String.valueOf(ForeignBus.MAX_ATTEMPTS)));

    /** The foreign writer of a store. */
    protected abstract ForeignWriter foreign(String uri) throws Exception;

    /** How many steps are taken when the property does not say so. */
    protected int steps() {
        return 40;
    }

    /**
     * What {@code fsck} may say of a store that another implementation wrote to: it keeps no digests, and files that were merged
     * by two programs leave some behind.
     */
    protected Set<String> toleratedFindings() {
        return Set.of("digest-missing", "digest-gap", "orphan");
    }

    @Test
    void both_writers_see_the_same_state_after_every_step() {
        Seeds.forEach("foreign writer and ours", 1, this::takeTurns);
    }

    private void takeTurns(RandomGenerator random) throws Exception {
        // The session stays open over most steps, so that it meets what the other writer changed.
        try (Turns turns = new Turns(random)) {
            int steps = Integer.getInteger("ontologia.foreign.steps", steps());
            for (int step = 0; step < steps; step++) {
                clock.advance(Duration.ofSeconds(1));
                turns.step(step);
            }
            turns.compareAll();
        }
        try (Maintenance maintenance = maintain()) {
            assertThat(maintenance.check(Progress.none()))
                    .filteredOn(finding -> !toleratedFindings().contains(finding.code()))
                    .isEmpty();
        }
    }

    private static EntityType partType(String name, int version) {
        FieldDef[] fields = new FieldDef[version];
        for (int i = 1; i <= version; i++) {
            fields[i - 1] = integer("f" + i);
        }
        return entityType(name, fields);
    }

    /** A type whose schema changes, as both must see it. */
    private static final class Parts {
        final Map<String, Long> numbers = new TreeMap<>();
        final List<String> versions = new ArrayList<>();

        Map<String, String> rows() {
            Map<String, String> rows = new TreeMap<>();
            numbers.forEach((key, number) ->
                    rows.put(key, CanonicalJson.write(ForeignParts.row(key, number, versions.size()))));
            return rows;
        }
    }

    /** One run. The maps hold what both must see. */
    private final class Turns implements AutoCloseable {
        private final ForeignWriter foreign;
        private final RandomGenerator random;
        private final Map<String, String> names = new TreeMap<>();
        private final Map<String, Long> numbers = new TreeMap<>();
        private final Map<Long, Map<String, String>> past = new TreeMap<>();
        private final List<String> history = new ArrayList<>();
        private final Map<String, Parts> parts = new TreeMap<>();
        private Session ours;
        private ForeignBusTurns bus;
        private long head;

        Turns(RandomGenerator random) throws Exception {
            this.random = random;
            ours = open(CUSTOMER, KNOWS);
            foreign = foreign(uri());
            bus = new ForeignBusTurns(clock, ours.storage().events(EVENTS), foreign.bus(), random);
        }

        void step(int number) throws Exception {
            switch (random.nextInt(20)) {
                case 0, 1, 2 -> commitOurs();
                case 3, 4, 5 -> commitForeign();
                case 6 -> {
                    defineOurs();
                    compareParts();
                }
                case 7 -> {
                    defineForeign();
                    compareParts();
                }
                case 8 -> {
                    compactOurs();
                    compareParts();
                }
                case 9 -> {
                    compactForeign();
                    compareParts();
                }
                default -> {
                    bus.step(number);
                    bus.compare();
                    return;
                }
            }
            compareRows();
        }

        private Map<String, String> someNames() {
            Map<String, String> some = new LinkedHashMap<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                some.put("c" + random.nextInt(KEYS), "name '\"ü" + random.nextInt(100));
            }
            return some;
        }

        private Map<String, Long> someNumbers() {
            Map<String, Long> some = new LinkedHashMap<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                some.put("c" + random.nextInt(KEYS) + ">c" + random.nextInt(KEYS), random.nextLong(1000));
            }
            return some;
        }

        /** We store only what differs. The foreign writer stores all that it is given. */
        private void commitOurs() {
            Map<String, String> wanted = someNames();
            Map<String, Long> related = someNumbers();
            wanted.forEach((key, name) -> ours.ensure(entity("Customer", key, Map.of("id", key, "name", name))));
            related.forEach((ends, n) ->
                    ours.ensure(relation("Knows", ends.split(">", -1)[0], ends.split(">", -1)[1], Map.of("n", n))));
            wanted.entrySet().removeIf(row -> row.getValue().equals(names.get(row.getKey())));
            related.entrySet().removeIf(row -> row.getValue().equals(numbers.get(row.getKey())));
            if (ours.commit() instanceof CommitResult.Committed committed) {
                committed(committed.commitId(), wanted, related);
            } else {
                assertThat(wanted).isEmpty();
                assertThat(related).isEmpty();
            }
        }

        private void commitForeign() throws Exception {
            Map<String, String> wanted = someNames();
            Map<String, Long> related = someNumbers();
            Optional<Long> id = foreign.commit(wanted, related);
            if (id.isEmpty()) {
                waitForOurLock();
                id = foreign.commit(wanted, related);
            }
            committed(id.orElseThrow(), wanted, related);
        }

        /** We keep the lock between commits; a foreign writer gets it when it expired. */
        private void waitForOurLock() {
            clock.advance(Duration.ofSeconds(31));
        }

        private void committed(long id, Map<String, String> wanted, Map<String, Long> related) {
            assertThat(id).isEqualTo(head + 1);
            head = id;
            names.putAll(wanted);
            numbers.putAll(related);
            past.put(id, new TreeMap<>(names));
            new TreeMap<>(wanted).forEach((key, name) -> history.add(id + " " + key + " " + name));
        }

        /** Chooses a type and adds a version to it, with parts. */
        private String nextVersion() {
            String name = "Part" + random.nextInt(TYPES);
            Parts type = parts.computeIfAbsent(name, unknown -> new Parts());
            int version = type.versions.size() + 1;
            if (version > VERSIONS) {
                return "";
            }
            if (version == 1) {
                for (int i = random.nextInt(1, 4); i > 0; i--) {
                    type.numbers.put("p" + i, random.nextLong(1000));
                }
            }
            type.versions.add(
                    version + " " + ForeignParts.hash(name, version) + " " + (version == 1 ? "initial" : "migration"));
            return name;
        }

        private void defineForeign() throws Exception {
            String name = nextVersion();
            if (name.isEmpty()) {
                return;
            }
            Parts type = Objects.requireNonNull(parts.get(name));
            Optional<Long> id = foreign.define(name, type.versions.size(), type.numbers);
            if (id.isEmpty()) {
                waitForOurLock();
                id = foreign.define(name, type.versions.size(), type.numbers);
            }
            committed(id.orElseThrow(), Map.of(), Map.of());
        }

        private void defineOurs() {
            String name = nextVersion();
            if (name.isEmpty()) {
                return;
            }
            ours.close();
            Parts type = Objects.requireNonNull(parts.get(name));
            int version = type.versions.size();
            long id = version == 1 ? register(name, type) : migrate(name, version);
            committed(id, Map.of(), Map.of());
            ours = open(CUSTOMER, KNOWS);
            bus.reopened(ours.storage().events(EVENTS));
        }

        private long register(String name, Parts type) {
            try (Session session = open(partType(name, 1))) {
                type.numbers.forEach(
                        (key, number) -> session.ensure(entity(name, key, ForeignParts.row(key, number, 1))));
                return ((CommitResult.Committed) session.commit()).commitId();
            }
        }

        private long migrate(String name, int version) {
            Upgrader upgrader = Upgrader.entity(name, version - 1, fields -> {
                fields.put("f" + version, Long.parseLong(String.valueOf(fields.get("f1"))) - 1 + version);
                return fields;
            });
            try (Maintenance maintenance = maintain()) {
                Migration migration = maintenance.migration(Model.of(partType(name, version)), Upgraders.of(upgrader));
                migration.apply(migration.preview().token(), Map.of(), Progress.none());
                return maintenance.storage().head();
            }
        }

        private void compactOurs() {
            ours.storage().upkeep().ifPresent(upkeep -> upkeep.compact(Optional.empty(), "session", Progress.none()));
        }

        private void compactForeign() throws Exception {
            if (!foreign.compact()) {
                waitForOurLock();
                foreign.compact();
            }
        }

        void compareAll() throws Exception {
            compareRows();
            compareParts();
            bus.compare();
        }

        private void compareRows() throws Exception {
            assertThat(ours.head()).isEqualTo(head);
            assertThat(foreign.head()).isEqualTo(head);
            assertThat(ourNames(head)).isEqualTo(names);
            assertThat(foreign.names(head)).isEqualTo(names);
            assertThat(ourNumbers()).isEqualTo(numbers);
            assertThat(foreign.numbers()).isEqualTo(numbers);
            if (head > 0) {
                long before = random.nextLong(1, head + 1);
                assertThat(ourNames(before)).isEqualTo(past.get(before));
                assertThat(foreign.names(before)).isEqualTo(past.get(before));
            }
            assertThat(ours.entities("Customer").withHistory().results().stream()
                            .map(row -> row.commitId() + " " + row.identity() + " "
                                    + row.value().fields().get("name"))
                            .toList())
                    .isEqualTo(history);
            assertThat(foreign.history()).isEqualTo(history);
        }

        private void compareParts() throws Exception {
            try (Session reader = Ontologia.openStored(uri(), options("reader"))) {
                for (Map.Entry<String, Parts> type : parts.entrySet()) {
                    String name = type.getKey();
                    assertThat(foreign.schemas(name)).isEqualTo(type.getValue().versions);
                    assertThat(reader.storage().schemaVersions(TypeRef.entity(name)).stream()
                                    .map(version -> version.version() + " " + version.schemaHash() + " "
                                            + version.reason().orElse(""))
                                    .toList())
                            .isEqualTo(type.getValue().versions);
                    assertThat(foreign.parts(name)).isEqualTo(type.getValue().rows());
                    assertThat(ourParts(reader, name)).isEqualTo(type.getValue().rows());
                }
            }
        }

        private Map<String, String> ourParts(Session reader, String name) {
            Map<String, String> found = new TreeMap<>();
            reader.entities(name).results().forEach(row -> {
                Map<String, @Nullable Object> fields = new TreeMap<>(row.value().fields());
                fields.put("id", row.identity().toString());
                found.put(row.identity().toString(), CanonicalJson.write(fields));
            });
            return found;
        }

        private Map<String, String> ourNames(long commitId) {
            Map<String, String> found = new TreeMap<>();
            var query = commitId == head
                    ? ours.entities("Customer")
                    : ours.entities("Customer").asOf(commitId);
            query.results()
                    .forEach(row -> found.put(
                            row.identity().toString(),
                            String.valueOf(row.value().fields().get("name"))));
            return found;
        }

        private Map<String, Long> ourNumbers() {
            Map<String, Long> found = new TreeMap<>();
            ours.relations("Knows").results().forEach(row -> {
                Identity.OfRelation ends = (Identity.OfRelation) row.identity();
                found.put(ends.leftKey() + ">" + ends.rightKey(), (Long)
                        row.value().fields().get("n"));
            });
            return found;
        }

        @Override
        public void close() throws SQLException {
            foreign.close();
            ours.close();
        }
    }
}
