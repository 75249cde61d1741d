package io.ontologia.store.sqlite;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static io.ontologia.store.sqlite.ForeignFile.entity;
import static io.ontologia.store.sqlite.ForeignFile.relation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Default;
import io.ontologia.core.Entity;
import io.ontologia.core.Indexed;
import io.ontologia.core.InstanceKey;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Relation;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that knows only the specification writes to the same file. */
class ForeignWriterTest {
    private static final String NOW = "2026-01-01T00:00:00.000000+00:00";

    record Customer(
            @Key String id,
            @Indexed String tier,
            double score,
            @Nullable Integer age,
            @Default("[]") List<String> tags) implements Entity {
        static Customer of(String id, String tier) {
            return new Customer(id, tier, 1, null, List.of());
        }
    }

    record Knows(
            String leftKey, String rightKey, @InstanceKey String since, String how)
            implements Relation<Customer, Customer> {}

    @TempDir
    Path folder;

    private ForeignFile foreign;
    private Session session;

    @BeforeEach
    void openBoth() throws SQLException {
        session = open(StorageOptions.Mode.READ_WRITE);
        foreign = new ForeignFile(folder.resolve("onto.db"));
    }

    @AfterEach
    void closeBoth() throws SQLException {
        session.discard();
        session.close();
        foreign.close();
    }

    private Session open(StorageOptions.Mode mode) {
        return Ontologia.open(
                "sqlite:///" + folder.resolve("onto.db"),
                SessionOptions.defaults()
                        .storage(StorageOptions.defaults().mode(mode).clock(new SettableClock())),
                Customer.class,
                Knows.class);
    }

    private static String json(String tier) {
        return "{ 'tier': '" + tier + "', 'id' : 'ignored', 'score': 1, 'age': null }";
    }

    private List<String> tiers() {
        return session.entities(Customer.class).list().stream()
                .map(customer -> customer.id() + " " + customer.tier())
                .toList();
    }

    @Test
    void a_text_is_found_however_it_was_written() throws Exception {
        foreign.commit(
                NOW,
                null,
                entity("Customer", "escaped", json("\\u0047old / \\u00e4")),
                entity("Customer", "half escaped", json("Gold \\/ \u00e4")),
                entity("Customer", "other", json("Golden / \u00e4")),
                entity("Customer", "plain", json("Gold / \u00e4")));
        long commit = foreign.commit(NOW, null, entity("Customer", "bytes", json("Gold / \u00e4")));
        foreign.execute("UPDATE entity_history SET fields_json = CAST(fields_json AS BLOB) WHERE entity_key = 'bytes'");

        for (var ofGold : List.of(
                field(Customer::tier).eq("Gold / \u00e4"),
                field(Customer::tier).startsWith("Gold "),
                field(Customer::tier).contains("ld /").and(field(Customer::tier).endsWith("d / \u00e4")))) {
            List<String> now = session.entities(Customer.class).where(ofGold).list().stream()
                    .map(Customer::id)
                    .toList();
            List<String> then = session.entities(Customer.class).where(ofGold).asOf(commit).list().stream()
                    .map(Customer::id)
                    .toList();

            assertThat(now).containsExactlyInAnyOrder("bytes", "escaped", "half escaped", "plain");
            assertThat(then).containsExactlyInAnyOrderElementsOf(now);
        }
    }

    @Test
    void what_it_writes_is_seen_by_the_next_query() throws Exception {
        session.ensure(Customer.of("c1", "Gold"));
        session.commit();

        foreign.commit(
                NOW,
                "{\"by\": \"other\"}",
                entity("Customer", "c1", json("Iron")),
                entity("Customer", "c2", json("Lead")),
                relation("Knows", "c1", "c2", "2020", "{'how': 'work'}"));

        assertThat(session.head()).isEqualTo(2);
        assertThat(tiers()).containsExactly("c1 Iron", "c2 Lead");
        assertThat(session.find(Customer.class, "c2")).contains(Customer.of("c2", "Lead"));
        assertThat(session.entities(Customer.class)
                        .where(field(Customer::tier).eq("Lead"))
                        .count())
                .isEqualTo(1);
        assertThat(session.relations(Knows.class)
                        .where(left(Customer::tier).eq("Iron"))
                        .list())
                .containsExactly(new Knows("c1", "c2", "2020", "work"));
        assertThat(session.entities(Customer.class).asOf(1).list()).containsExactly(Customer.of("c1", "Gold"));
        assertThat(session.entities(Customer.class).withHistory().count()).isEqualTo(3);
        assertThat(session.log().changes(2)).hasSize(3);
        assertThat(session.log().get(2).orElseThrow().metadata()).containsEntry("by", "other");
        foreign.assertSound();
    }

    @Test
    void ours_goes_on_after_it() throws Exception {
        foreign.commit(NOW, null, entity("Customer", "c1", json("Iron")));

        session.ensure(Customer.of("c1", "Gold"), Customer.of("c2", "Gold"));

        assertThat(session.commit()).isInstanceOfSatisfying(CommitResult.Committed.class, committed -> {
            assertThat(committed.commitId()).isEqualTo(2);
            assertThat(committed.inserted()).isEqualTo(1);
            assertThat(committed.updated()).isEqualTo(1);
        });
        foreign.assertSound();
    }

    /** Few rows and many are compared in different ways, so there may be others that do not matter. */
    private void ensureOthers(int count) {
        for (int i = 0; i < count; i++) {
            session.ensure(Customer.of("other" + i, "Gold"), new Knows("other" + i, "c1", "2020", "work"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void the_same_values_in_another_form_are_no_change(int others) throws Exception {
        ensureOthers(others);
        session.commit();
        long head = session.head();
        foreign.commit(
                NOW,
                null,
                entity("Customer", "c1", "{\n  'tags' : [ ],\n 'tier':'G\\u006fld', 'id':'c1', 'age':null, 'score':1}"),
                entity("Customer", "c2", "{'score': 1.0e0, 'tier': 'Gold', 'id': 'c2'}"),
                entity("Customer", "c3", "{'score': 1.00, 'tier': 'Gold', 'age': null}"),
                relation("Knows", "c1", "c2", "2020", "{'since': '2020', 'how': 'work'}"),
                relation("Knows", "c1", "c2", "2021", "{ 'how' : 'work' }"));

        ensureOthers(others);
        session.ensure(Customer.of("c1", "Gold"), Customer.of("c2", "Gold"), Customer.of("c3", "Gold"));
        session.ensure(new Knows("c1", "c2", "2020", "work"), new Knows("c1", "c2", "2021", "work"));

        assertThat(session.preview()).isEmpty();
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(head + 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void other_values_are_a_change_however_they_are_written(int others) throws Exception {
        ensureOthers(others);
        session.commit();
        foreign.commit(
                NOW,
                null,
                entity("Customer", "c1", "{'tier':'Gold','score':1.5}"),
                entity("Customer", "c2", "{'tier':'Gold','score':1,'tags':['x']}"),
                entity("Customer", "c3", "{'tier':'Gold','score':1,'color':'red'}"),
                entity("Customer", "c4", "{'tier':'Gold','score':'1'}"),
                entity("Customer", "c5", "{'tier':'Gold'"));
        ensureOthers(others);
        for (int i = 1; i <= 5; i++) {
            session.ensure(Customer.of("c" + i, "Gold"));
        }

        assertThat(session.commit())
                .isInstanceOfSatisfying(
                        CommitResult.Committed.class,
                        committed -> assertThat(committed.updated()).isEqualTo(5));
        assertThat(tiers()).hasSize(5 + others).allMatch(tier -> tier.endsWith("Gold"));
    }

    @Test
    void a_payload_that_is_no_json_is_reported_with_its_key_and_stops_nothing_else() throws Exception {
        foreign.commit(NOW, null, entity("Customer", "c5", "{'tier':'Gold'"));

        assertThatThrownBy(() -> session.entities(Customer.class).list())
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT))
                .hasMessageContaining("c5");
        assertThat(session.entities(Customer.class)
                        .where(field(Customer::tier).eq("Gold"))
                        .list())
                .isEmpty();
        assertThatThrownBy(() -> session.entities(Customer.class)
                        .withHistory()
                        .where(field(Customer::tier).eq("Gold"))
                        .list())
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT));
        session.ensure(Customer.of("c6", "Gold"));
        assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
    }

    @Test
    void history_that_it_changes_or_removes_is_seen_too() throws Exception {
        session.ensure(Customer.of("c1", "Gold"), Customer.of("c2", "Gold"));
        session.commit();
        session.ensure(Customer.of("c1", "Iron"));
        session.commit();

        foreign.execute("DELETE FROM entity_history WHERE commit_id = 2");
        assertThat(tiers()).containsExactly("c1 Gold", "c2 Gold");

        foreign.execute(
                "UPDATE entity_history SET fields_json = ? WHERE entity_key = 'c2'", "{\"tier\":\"Lead\",\"score\":1}");
        assertThat(tiers()).containsExactly("c1 Gold", "c2 Lead");
        foreign.assertLatestIsHistory();
    }

    @Test
    void a_session_for_reading_sees_it_and_changes_no_byte() throws Exception {
        session.ensure(Customer.of("c1", "Gold"), new Knows("c1", "c1", "2020", "self"));
        session.commit();
        foreign.commit(NOW, null, entity("Customer", "c1", json("Iron")), entity("Customer", "c2", json("Lead")));
        List<String> before = foreign.rows("SELECT * FROM onto_latest_state");

        try (Session reader = open(StorageOptions.Mode.READ_ONLY)) {
            assertThat(reader.entities(Customer.class).list())
                    .containsExactly(Customer.of("c1", "Iron"), Customer.of("c2", "Lead"));
            assertThat(reader.find(Customer.class, "c1")).contains(Customer.of("c1", "Iron"));
            assertThat(reader.relations(Knows.class)
                            .where(left(Customer::tier).eq("Iron"))
                            .count())
                    .isEqualTo(1);
            assertThat(reader.relations(Knows.class)
                            .where(left(Customer::tier).eq("Gold"))
                            .count())
                    .isZero();
        }

        assertThat(foreign.rows("SELECT * FROM onto_latest_state")).isEqualTo(before);
    }

    @Test
    void a_schema_that_it_migrated_stops_commits_of_sessions_from_before() throws Exception {
        session.ensure(Customer.of("c1", "Gold"));
        session.commit();
        foreign.execute("INSERT INTO schema_versions (type_kind, type_name, schema_version_id, schema_json,"
                + " schema_hash, created_at, reason) SELECT type_kind, type_name, 2, schema_json, schema_hash,"
                + " created_at, 'migration' FROM schema_versions WHERE type_name = 'Customer'");

        session.ensure(Customer.of("c2", "Gold"));

        assertThatThrownBy(session::commit)
                .isInstanceOfSatisfying(
                        SchemaOutdatedException.class,
                        e -> assertThat(e.types()).containsExactly(TypeRef.entity("Customer")));
        assertThat(session.head()).isEqualTo(1);
        session.discard();
        session.ensure(new Knows("c1", "c2", "2020", "work"));
        assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
        foreign.assertSound();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void rows_of_an_older_schema_version_are_written_again_when_they_are_wanted(int rows) throws Exception {
        List<Customer> all = IntStream.range(0, rows)
                .mapToObj(i -> Customer.of("c" + i, "Gold"))
                .toList();
        session.ensureAll(all);
        session.commit();
        foreign.execute("INSERT INTO schema_versions (type_kind, type_name, schema_version_id, schema_json,"
                + " schema_hash, created_at, reason) SELECT type_kind, type_name, 2, schema_json, schema_hash,"
                + " created_at, 'migration' FROM schema_versions WHERE type_name = 'Customer'");

        try (Session later = open(StorageOptions.Mode.READ_WRITE)) {
            assertThat(later.entities(Customer.class).list()).isEmpty();
            assertThatThrownBy(() -> later.find(Customer.class, "c0")).hasMessageContaining("version 1 of its schema");
            assertThat(later.entities(Customer.class).omitted()).isEqualTo(rows);
            later.ensureAll(all);

            assertThat(later.commit()).isInstanceOf(CommitResult.Committed.class);
            assertThat(later.entities(Customer.class).list()).containsExactlyInAnyOrderElementsOf(all);
            assertThat(later.find(Customer.class, "c0")).contains(all.get(0));
            assertThat(later.entities(Customer.class).omitted()).isZero();
        }
    }

    @Test
    void its_timestamps_may_lack_a_fraction_or_end_in_z() throws Exception {
        foreign.commit("2026-01-01T00:00:00Z", null, entity("Customer", "c1", json("a")));
        foreign.commit("2026-01-01T00:00:01+00:00", null, entity("Customer", "c1", json("b")));
        foreign.commit("2026-01-01T00:00:01.500000+00:00", null, entity("Customer", "c1", json("c")));
        foreign.commit("2026-01-01T00:00:02Z", null, entity("Customer", "c1", json("d")));
        var customers = session.entities(Customer.class);

        for (String expected : List.of(
                "2025-12-31T23:59:59.999999Z 0",
                "2026-01-01T00:00:00Z 1",
                "2026-01-01T00:00:00.5Z 1",
                "2026-01-01T00:00:01Z 2",
                "2026-01-01T00:00:01.499999Z 2",
                "2026-01-01T00:00:01.5Z 3",
                "2026-01-01T00:00:01.999999Z 3",
                "2026-01-01T00:00:02Z 4",
                "2027-01-01T00:00:00Z 4")) {
            String[] parts = expected.split(" ", -1);
            assertThat(customers.asOf(Instant.parse(parts[0])).list())
                    .as(expected)
                    .isEqualTo(customers.asOf(Long.parseLong(parts[1])).list());
        }
        session.ensure(Customer.of("c1", "e"));
        session.commit();
        assertThat(session.log().last(1).get(0).at()).isEqualTo(Instant.parse("2026-01-01T00:00:02Z"));
    }

    @Test
    void rows_without_schema_version_are_of_the_first() throws Exception {
        foreign.execute("INSERT INTO commits (created_at) VALUES (?)", NOW);
        foreign.execute("INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id)"
                + " VALUES ('Customer', 'c1', '{\"tier\":\"Gold\",\"score\":1}', 1)");

        assertThat(tiers()).containsExactly("c1 Gold");
        session.ensure(Customer.of("c1", "Gold"));
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));
    }

    @Test
    void writers_may_take_turns_in_any_order() {
        Seeds.forEach("foreign writer", 20, random -> {
            TreeMap<String, String> expected = new TreeMap<>();
            session.entities(Customer.class).list().forEach(c -> expected.put(c.id(), c.tier()));
            for (int turn = 0; turn < 10; turn++) {
                String key = "c" + random.nextInt(5);
                String tier = "t" + random.nextInt(3);
                if (random.nextBoolean()) {
                    foreign.commit(NOW, null, entity("Customer", key, json(tier)));
                } else {
                    session.ensure(Customer.of(key, tier));
                    session.commit();
                }
                expected.put(key, tier);
                if (random.nextInt(3) == 0) {
                    assertThat(tiers())
                            .isEqualTo(expected.entrySet().stream()
                                    .map(entry -> entry.getKey() + " " + entry.getValue())
                                    .toList());
                }
            }
            assertThat(tiers()).hasSize(expected.size());
            foreign.assertSound();
        });
    }
}
