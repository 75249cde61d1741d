package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Maintenance;
import io.ontologia.core.Migration;
import io.ontologia.core.MigrationPlan;
import io.ontologia.core.MigrationResult;
import io.ontologia.core.Model;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The types, upgraders and rows that the suites for migrations share. */
abstract class MigrationSuite extends StorageSuite {
    static final TypeRef CUSTOMER = TypeRef.entity("Customer");
    static final TypeRef ORDER = TypeRef.entity("Order");

    static final OntologyType CUSTOMER_1 = entityType("Customer", text("name"), text("tier"));
    static final OntologyType CUSTOMER_2 = entityType(
            "Customer",
            text("first"),
            text("last"),
            text("tier"),
            integer("visits").withDefault(0L));
    static final OntologyType CUSTOMER_3 = entityType("Customer", text("full"), text("tier"));
    static final OntologyType ORDER_1 = entityType("Order", integer("cents"));
    static final OntologyType ORDER_2 = entityType("Order", integer("cents"), text("currency"));

    static final Upgrader SPLIT_NAME = Upgrader.entity("Customer", 1, fields -> {
        String[] parts = String.valueOf(fields.remove("name")).split(" ", 2);
        fields.put("first", parts[0]);
        fields.put("last", parts[1]);
        return fields;
    });
    static final Upgrader JOIN_NAME = Upgrader.entity(
            "Customer",
            2,
            fields -> new TreeMap<>(
                    Map.of("full", fields.get("last") + ", " + fields.get("first"), "tier", "" + fields.get("tier"))));
    static final Upgrader IN_EUROS = Upgrader.entity("Order", 1, fields -> {
        fields.put("currency", "EUR");
        return fields;
    });

    static Row alice(String tier) {
        return entity("Customer", "c1", Map.of("name", "Alice Adams", "tier", tier));
    }

    static final Row BOB = entity("Customer", "c2", Map.of("name", "Bob Brown", "tier", "Silver"));

    final MigrationPlan preview(Upgraders upgraders, OntologyType... types) {
        try (Maintenance maintenance = maintain()) {
            return maintenance.migration(Model.of(types), upgraders).preview();
        }
    }

    final MigrationResult migrate(Upgraders upgraders, OntologyType... types) {
        try (Maintenance maintenance = maintain()) {
            Migration migration = maintenance.migration(Model.of(types), upgraders);
            return migration.apply(migration.preview().token(), Map.of(), Progress.none());
        }
    }

    final List<Long> versions(TypeRef type) {
        try (Maintenance maintenance = maintain()) {
            return maintenance.storage().schemaVersions(type).stream()
                    .map(SchemaVersion::version)
                    .toList();
        }
    }

    final void assertUnchanged(long head) {
        assertThat(newest().id()).isEqualTo(head);
        assertThat(versions(CUSTOMER)).containsExactly(1L);
        assertThat(entities("Customer").get("c1")).containsEntry("name", "Alice Adams");
        try (Maintenance maintenance = maintain()) {
            assertThat(maintenance.lock().holder()).isEmpty();
        }
    }
}
