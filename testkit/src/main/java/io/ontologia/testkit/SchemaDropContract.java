package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaDrop;
import io.ontologia.core.SchemaDropPlan;
import io.ontologia.core.SchemaDropRefusedException;
import io.ontologia.core.SchemaDropResult;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.StorageInfo.RowCounts;
import io.ontologia.core.TypeRef;
import io.ontologia.core.WriteLease;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How types are removed, on every backend. */
public abstract class SchemaDropContract extends StorageSuite {
    private static final TypeRef CUSTOMER = TypeRef.entity("Customer");
    private static final TypeRef BUYS = TypeRef.relation("Buys");
    private static final TypeRef KNOWS = TypeRef.relation("Knows");

    private static final OntologyType CUSTOMER_TYPE = entityType("Customer", text("name"));
    private static final OntologyType PRODUCT_TYPE = entityType("Product");
    private static final OntologyType BUYS_TYPE = relationType("Buys", "Customer", "Product", integer("n"));
    private static final OntologyType KNOWS_TYPE = relationType("Knows", "Customer", "Customer");
    private static final List<OntologyType> ALL = List.of(CUSTOMER_TYPE, PRODUCT_TYPE, BUYS_TYPE, KNOWS_TYPE);

    private void fill() {
        commit(
                ALL,
                entity("Customer", "c1", Map.of("name", "Alice")),
                entity("Product", "p1", Map.of()),
                relation("Buys", "c1", "p1", Map.of("n", 1L)));
        commit(ALL, relation("Buys", "c1", "p1", Map.of("n", 2L)));
    }

    private void registerOnly() {
        commit(ALL, entity("Product", "p1", Map.of()));
    }

    private SchemaDropPlan preview(TypeRef target, UnaryOperator<SchemaDrop> how) {
        try (Maintenance maintenance = maintain()) {
            return how.apply(maintenance.drop(target)).preview();
        }
    }

    private SchemaDropResult drop(TypeRef target, UnaryOperator<SchemaDrop> how) {
        try (Maintenance maintenance = maintain()) {
            SchemaDrop drop = how.apply(maintenance.drop(target));
            return drop.apply(drop.preview().token(), Map.of("why", "retired"));
        }
    }

    private List<TypeRef> types() {
        try (Maintenance maintenance = maintain()) {
            return maintenance.storage().schemas().stream()
                    .map(SchemaVersion::type)
                    .toList();
        }
    }

    @Test
    void a_plan_counts_rows_and_names_what_stands_in_the_way() {
        fill();

        SchemaDropPlan plan = preview(CUSTOMER, drop -> drop.withRelations("Buys"));

        assertThat(plan.target()).isEqualTo(CUSTOMER);
        assertThat(plan.affected()).containsExactly(CUSTOMER, BUYS);
        assertThat(plan.rowCounts()).isEqualTo(Map.of(CUSTOMER, new RowCounts(1, 1), BUYS, new RowCounts(1, 2)));
        assertThat(plan.dependents()).containsExactly(KNOWS);
        assertThat(plan.requiresPurge()).isTrue();
        assertThat(plan.obstacles())
                .containsExactly(
                        "it is used by relation Knows",
                        "there are rows: 1 versions of entity Customer, 2 versions of relation Buys");
        assertThat(newest().id()).isEqualTo(2);
    }

    @Test
    void an_entity_type_that_relations_use_is_not_dropped_alone() {
        registerOnly();

        assertThatThrownBy(() -> drop(CUSTOMER, drop -> drop))
                .isInstanceOfSatisfying(SchemaDropRefusedException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT);
                    assertThat(e)
                            .hasMessageContaining("relation Buys, relation Knows")
                            .hasMessageContaining("--cascade-relations");
                });
        assertThat(types()).hasSize(4);
    }

    @Test
    void a_type_with_rows_is_not_dropped_without_its_history() {
        fill();

        assertThatThrownBy(() -> drop(BUYS, drop -> drop))
                .isInstanceOfSatisfying(
                        SchemaDropRefusedException.class, e -> assertThat(e).hasMessageContaining("--purge-history"));
        assertThat(types()).hasSize(4);
        assertThat(newest().id()).isEqualTo(2);
    }

    @Test
    void an_unused_type_goes_in_one_commit_that_says_so() {
        registerOnly();

        SchemaDropResult result = drop(KNOWS, drop -> drop);

        assertThat(result.dropped()).containsExactly(KNOWS);
        assertThat(result.commitId()).isEqualTo(2);
        assertThat(types()).containsExactly(CUSTOMER, TypeRef.entity("Product"), BUYS);
        assertThat(newest().metadata())
                .isEqualTo(Map.of(
                        "kind",
                        "schema_drop",
                        "why",
                        "retired",
                        "purge_history",
                        false,
                        "target",
                        Map.of("type_kind", "relation", "type_name", "Knows"),
                        "dropped_types",
                        List.of(Map.of(
                                "type_kind",
                                "relation",
                                "type_name",
                                "Knows",
                                "schema_version_id",
                                1L,
                                "rows_purged",
                                0L))));
    }

    @Test
    void purging_deletes_every_version_of_every_row_and_nothing_else() {
        fill();

        SchemaDropResult result =
                drop(CUSTOMER, drop -> drop.cascadingRelations().purgingHistory());

        assertThat(result.dropped()).containsExactly(CUSTOMER, BUYS, KNOWS);
        assertThat(result.rowsPurged()).isEqualTo(Map.of(CUSTOMER, 1L, BUYS, 2L, KNOWS, 0L));
        assertThat(types()).containsExactly(TypeRef.entity("Product"));
        assertThat(entities("Product")).containsOnlyKeys("p1");
        try (Session session = Ontologia.openStored(uri(), options("reader"))) {
            assertThat(session.log().since(0)).hasSize(3);
            assertThat(session.log().changes(1)).hasSize(1);
            assertThat(session.log().changes(2)).isEmpty();
        }
    }

    @Test
    void a_type_that_comes_back_starts_empty_with_the_next_version() {
        fill();
        drop(BUYS, SchemaDrop::purgingHistory);

        commit(ALL, relation("Buys", "c1", "p1", Map.of("n", 3L)));

        try (Maintenance maintenance = maintain();
                Session session = open(ALL.toArray(OntologyType[]::new))) {
            assertThat(maintenance.storage().schemaVersions(BUYS))
                    .extracting(SchemaVersion::version)
                    .containsExactly(1L, 2L);
            assertThat(session.relations("Buys").withHistory().results())
                    .extracting(row -> row.value().fields().get("n"))
                    .containsExactly(3L);
        }
    }

    @Test
    void a_session_from_before_cannot_write_rows_of_a_dropped_type() {
        registerOnly();
        try (Session session = open(ALL.toArray(OntologyType[]::new))) {
            drop(KNOWS, drop -> drop);
            session.ensure(relation("Knows", "c1", "c2", Map.of()));

            assertThatThrownBy(session::commit).isInstanceOf(SchemaOutdatedException.class);
            session.discard();
        }
    }

    @Test
    void a_token_fits_one_plan_only() {
        fill();
        String token = preview(BUYS, SchemaDrop::purgingHistory).token();
        assertThat(preview(BUYS, SchemaDrop::purgingHistory).token()).isEqualTo(token);
        assertThat(preview(BUYS, drop -> drop).token()).isNotEqualTo(token);
        assertThat(preview(KNOWS, SchemaDrop::purgingHistory).token()).isNotEqualTo(token);
        commit(ALL, relation("Buys", "c1", "p1", Map.of("n", 3L)));

        try (Maintenance maintenance = maintain()) {
            assertThatThrownBy(() -> maintenance.drop(BUYS).purgingHistory().apply(token, Map.of()))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT))
                    .isNotInstanceOf(SchemaDropRefusedException.class);
        }
        assertThat(types()).contains(BUYS);
    }

    @Test
    void what_does_not_exist_or_does_not_belong_is_named() {
        registerOnly();

        assertThatThrownBy(() -> preview(TypeRef.entity("Nobody"), drop -> drop))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_FOUND));
        assertThatThrownBy(() -> preview(TypeRef.entity("Product"), drop -> drop.withRelations("Knows")))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }

    @Test
    void nobody_drops_while_somebody_else_holds_the_lock() {
        registerOnly();
        try (Maintenance other = Ontologia.maintain(uri(), options("other"));
                WriteLease lease = other.lock().acquire()) {
            assertThatThrownBy(() -> drop(KNOWS, drop -> drop))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.BUSY));
            assertThat(lease.renew()).isTrue();
        }
        assertThat(types()).contains(KNOWS);
    }
}
