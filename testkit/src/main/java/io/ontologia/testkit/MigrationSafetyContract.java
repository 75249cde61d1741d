package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Migration;
import io.ontologia.core.MissingUpgradersException;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.Query;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.SchemaDrop;
import io.ontologia.core.Session;
import io.ontologia.core.UpgradeFailedException;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.WriteLease;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a migration is refused, what others see meanwhile, and that nothing changes unless all does; on every backend. */
public abstract class MigrationSafetyContract extends MigrationSuite {
    private void apply(String token, Upgraders upgraders, OntologyType... types) {
        try (Maintenance maintenance = maintain()) {
            maintenance.migration(Model.of(types), upgraders).apply(token, Map.of(), Progress.none());
        }
    }

    @Test
    void a_token_no_longer_fits_after_another_commit() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        String token = preview(Upgraders.of(SPLIT_NAME), CUSTOMER_2).token();
        commit(List.of(CUSTOMER_1), BOB);

        assertThatThrownBy(() -> apply(token, Upgraders.of(SPLIT_NAME), CUSTOMER_2))
                .isInstanceOfSatisfying(OntologiaException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT);
                    assertThat(e).hasMessageContaining("newest commit was 1 and is 2");
                    assertThat(e.remedy()).contains("preview");
                });
        assertUnchanged(2);
    }

    @Test
    void a_token_does_not_fit_another_model() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        String token = preview(Upgraders.of(SPLIT_NAME), CUSTOMER_2).token();

        assertThatThrownBy(() -> apply(token, Upgraders.of(SPLIT_NAME), CUSTOMER_3))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT));
        assertThatThrownBy(() -> apply("no token", Upgraders.of(SPLIT_NAME), CUSTOMER_2))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT));
        assertUnchanged(1);
    }

    @Test
    void missing_upgraders_are_named_by_type_and_version() {
        commit(List.of(CUSTOMER_1, ORDER_1), alice("Gold"), entity("Order", "o1", Map.of("cents", 1L)));

        assertThatThrownBy(() -> migrate(Upgraders.of(JOIN_NAME), CUSTOMER_2, ORDER_2))
                .isInstanceOfSatisfying(MissingUpgradersException.class, e -> {
                    assertThat(e.missing()).isEqualTo(Map.of(CUSTOMER, List.of(1L), ORDER, List.of(1L)));
                    assertThat(e).hasMessageContaining("entity Customer from version 1");
                });
        assertUnchanged(1);
    }

    @Test
    void a_failing_upgrader_is_named_with_key_and_old_data_and_no_type_is_migrated() {
        commit(List.of(CUSTOMER_1, ORDER_1), alice("Gold"), entity("Order", "o7", Map.of("cents", 4711L)));
        Upgrader failing = Upgrader.entity("Order", 1, fields -> {
            throw new IllegalStateException("no currency");
        });

        assertThatThrownBy(() -> migrate(Upgraders.of(SPLIT_NAME, failing), CUSTOMER_2, ORDER_2))
                .isInstanceOf(UpgradeFailedException.class)
                .hasMessageContaining("entity Order")
                .hasMessageContaining("'o7'")
                .hasMessageContaining("4711")
                .hasMessageContaining("no currency");
        assertUnchanged(1);
    }

    @Test
    void what_an_upgrader_makes_must_fit_the_new_type() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        Upgrader incomplete = Upgrader.entity("Customer", 1, fields -> new TreeMap<>(Map.of("first", 1L)));

        assertThatThrownBy(() -> migrate(Upgraders.of(incomplete), CUSTOMER_2))
                .isInstanceOf(UpgradeFailedException.class)
                .hasMessageContaining("field 'first' is a number")
                .hasMessageContaining("field 'last' is missing");
        assertUnchanged(1);
    }

    @Test
    void an_upgrader_cannot_change_the_key() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        Upgrader renaming = Upgrader.entity("Customer", 1, fields -> {
            fields.put("id", "other");
            return SPLIT_NAME.function().apply(fields);
        });

        assertThatThrownBy(() -> migrate(Upgraders.of(renaming), CUSTOMER_2))
                .isInstanceOf(UpgradeFailedException.class);
        assertUnchanged(1);
    }

    @Test
    void a_relation_with_rows_cannot_get_an_instance_key() {
        RelationType plain = relationType("Job", "Customer", "Customer", text("role"));
        RelationType keyed = new RelationType(
                "Job", "Customer", "Customer", Optional.of("stint"), List.of(text("stint"), text("role")));
        commit(List.of(CUSTOMER_1, plain), relation("Job", "c1", "c2", Map.of("role", "boss")));

        assertThatThrownBy(() -> preview(Upgraders.none(), CUSTOMER_1, keyed))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("relation Job")
                .hasMessageContaining("instance key");
    }

    @Test
    void a_session_from_before_the_migration_cannot_write_any_more() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        try (Session session = open(CUSTOMER_1)) {
            migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2);
            session.ensure(BOB);

            assertThatThrownBy(session::commit).isInstanceOf(SchemaOutdatedException.class);
            session.discard();
        }
        assertThatThrownBy(() -> open(CUSTOMER_1)).isInstanceOf(SchemaOutdatedException.class);
    }

    @Test
    void a_session_from_before_the_migration_reads_nothing_without_an_error() {
        commit(List.of(CUSTOMER_1, ORDER_1), alice("Gold"), entity("Order", "o1", Map.of("cents", 1L)));
        try (Session session = open(CUSTOMER_1, ORDER_1)) {
            Query<Row> query = session.entities("Customer");
            Query<Row> past = query.asOf(1);
            assertThat(query.list()).hasSize(1);
            migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2, ORDER_1);

            assertOutdated(query::list);
            assertOutdated(() -> query.stream().close());
            assertOutdated(() -> query.resultStream().close());
            assertOutdated(query::results);
            assertOutdated(query::first);
            assertOutdated(query::count);
            assertOutdated(query::omitted);
            assertOutdated(() -> query.countWhere(field("$.tier").isNotNull()));
            assertOutdated(() -> query.aggregate(Aggregate.count("n")));
            assertOutdated(past::list);
            assertOutdated(query.withHistory()::list);
            assertOutdated(() -> session.find("Customer", "c1"));
            assertOutdated(session.traverse("Customer")::list);
            assertThat(session.find("Order", "o1")).isPresent();
            assertThat(session.entities("Order").count()).isEqualTo(1);
        }
    }

    @Test
    void a_filter_that_looks_into_a_migrated_entity_is_refused_too() {
        RelationType placed = relationType("Placed", "Customer", "Order", text("via"));
        commit(
                List.of(CUSTOMER_1, ORDER_1, placed),
                alice("Gold"),
                entity("Order", "o1", Map.of("cents", 1L)),
                relation("Placed", "c1", "o1", Map.of("via", "web")));
        try (Session session = open(CUSTOMER_1, ORDER_1, placed)) {
            Query<Row> query = session.relations("Placed");
            migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2, ORDER_1, placed);

            assertOutdated(query.where(field("left.$.name").eq("Alice Adams"))::list);
            assertOutdated(query.where(field("left.$.name").eq("Alice Adams"))::count);
            assertOutdated(query.orderBy(field("left.$.name").ascending())::list);
            assertOutdated(() -> query.groupBy(field("left.$.name")).aggregate(Aggregate.count("n")));
            assertOutdated(session.traverse("Order").via("Placed")::list);
            assertThat(query.where(field("right.$.cents").eq(1)).count()).isEqualTo(1);
            assertThat(query.list()).hasSize(1);
        }
    }

    @Test
    void a_session_from_before_a_type_was_dropped_says_so() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        try (Session session = open(CUSTOMER_1)) {
            try (Maintenance maintenance = maintain()) {
                SchemaDrop drop = maintenance.drop(CUSTOMER).purgingHistory();
                drop.apply(drop.preview().token(), Map.of());
            }
            assertThatThrownBy(session.entities("Customer")::list)
                    .isInstanceOf(SchemaOutdatedException.class)
                    .hasMessageContaining("has dropped the type");
        }
    }

    private static void assertOutdated(ThrowableAssert.ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOfSatisfying(
                        SchemaOutdatedException.class,
                        e -> assertThat(e.types()).containsExactly(CUSTOMER))
                .hasMessageContaining("opened with version 1 of its schema, and the store has version 2 now")
                .hasMessageContaining("open a new session");
    }

    @Test
    void nobody_migrates_while_somebody_else_holds_the_lock() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        try (Maintenance other = Ontologia.maintain(uri(), options("other"));
                WriteLease lease = other.lock().acquire()) {
            assertThatThrownBy(() -> migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2))
                    .isInstanceOfSatisfying(OntologiaException.class, e -> {
                        assertThat(e.kind()).isEqualTo(ErrorKind.BUSY);
                        assertThat(e).hasMessageContaining("'other'");
                    });

            assertThat(clock.now()).isEqualTo(SettableClock.START.plus(Migration.LOCK_TIMEOUT));
            assertThat(lease.isHeld()).isTrue();
        }
        assertUnchanged(1);
    }

    @Test
    void the_lock_is_held_while_rows_are_upgraded_and_free_afterwards() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        List<String> holders = new ArrayList<>();
        try (Maintenance watcher = Ontologia.maintain(uri(), options("watcher"))) {
            Upgrader watching = Upgrader.entity("Customer", 1, fields -> {
                watcher.lock().holder().ifPresent(holder -> holders.add(holder.ownerId()));
                return SPLIT_NAME.function().apply(fields);
            });

            migrate(Upgraders.of(watching), CUSTOMER_2);

            assertThat(holders).containsExactly("operator");
            assertThat(watcher.lock().holder()).isEmpty();
        }
    }

    @Test
    void readers_see_the_old_state_until_the_migration_is_done() {
        commit(List.of(CUSTOMER_1), alice("Gold"), BOB);
        List<Map<String, @Nullable Object>> seen = new ArrayList<>();
        try (Session reader = open(CUSTOMER_1)) {
            Upgrader watching = Upgrader.entity("Customer", 1, fields -> {
                reader.entities("Customer").list().forEach(row -> seen.add(row.fields()));
                return SPLIT_NAME.function().apply(fields);
            });

            migrate(Upgraders.of(watching), CUSTOMER_2);
        }

        assertThat(seen).hasSize(4).allSatisfy(fields -> assertThat(fields).containsKey("name"));
    }

    @Test
    void of_several_that_apply_one_plan_at_once_one_does_it() {
        commit(List.of(CUSTOMER_1), alice("Gold"), BOB);
        String token = preview(Upgraders.of(SPLIT_NAME), CUSTOMER_2).token();
        try (Racers racers = new Racers(3)) {
            List<String> outcomes = racers.race(number -> {
                try (Maintenance racer = Ontologia.maintain(uri(), patient("racer" + number))) {
                    racer.migration(Model.of(CUSTOMER_2), Upgraders.of(SPLIT_NAME))
                            .lockTimeout(Duration.ofMinutes(2))
                            .apply(token, Map.of(), Progress.none());
                    return "migrated";
                } catch (OntologiaException e) {
                    return e.kind().wireName();
                }
            });

            assertThat(outcomes).containsExactlyInAnyOrder("migrated", "conflict", "conflict");
        }
        assertThat(newest().id()).isEqualTo(2);
        assertThat(versions(CUSTOMER)).containsExactly(1L, 2L);
    }

    @Test
    void metadata_cannot_hide_what_the_migration_says_about_itself() {
        commit(List.of(CUSTOMER_1), alice("Gold"));

        try (Maintenance maintenance = maintain()) {
            Migration migration = maintenance.migration(Model.of(CUSTOMER_2), Upgraders.of(SPLIT_NAME));
            assertThatThrownBy(() -> migration.force(Map.of("kind", "nothing"), Progress.none()))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
        }
        assertUnchanged(1);
    }
}
