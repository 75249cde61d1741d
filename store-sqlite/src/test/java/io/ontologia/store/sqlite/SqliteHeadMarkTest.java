package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.HistoryWriter;
import io.ontologia.core.spi.StoreHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file beside a database names every newest commit, whatever made it. */
class SqliteHeadMarkTest {
    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final EntityType ITEM = new EntityType("Item", List.of(ID, FieldDef.of("n", Primitive.INT)), "id");
    private static final EntityType OTHER = new EntityType("Other", List.of(ID), "id");
    private static final EntityType WIDER =
            new EntityType("Item", List.of(ID, FieldDef.of("n", Primitive.INT), FieldDef.of("m", Primitive.INT)), "id");

    @TempDir
    Path folder;

    @BeforeEach
    void two_commits() {
        try (Session session = Ontologia.open(uri("onto.db"), SessionOptions.defaults(), Model.of(ITEM, OTHER))) {
            session.ensure(new Row.OfEntity("Item", "a", Map.of("n", 1L)));
            session.commit();
            session.ensure(new Row.OfEntity("Other", "a", Map.of()));
            session.commit();
        }
    }

    private String uri(String name) {
        return "sqlite:///" + folder.resolve(name);
    }

    private Maintenance maintain(String name) {
        return Ontologia.maintain(uri(name), SessionOptions.defaults());
    }

    /** Takes the database without its log, and says what the check finds. */
    private List<String> lostWithoutLog(String name) throws IOException {
        for (String suffix : List.of("", "-head")) {
            Files.copy(folder.resolve(name + suffix), folder.resolve("copy.db" + suffix));
        }
        try (Maintenance copy = maintain("copy.db")) {
            return copy.check(Progress.none()).stream()
                    .filter(Finding::isProblem)
                    .map(finding -> finding.code() + " " + finding.example())
                    .toList();
        }
    }

    @Test
    void a_migration_is_noted() throws IOException {
        try (Maintenance maintenance = maintain("onto.db")) {
            Upgrader upgrader = Upgrader.entity("Item", 1, fields -> {
                fields.put("m", 0L);
                return fields;
            });
            maintenance.migration(Model.of(WIDER), Upgraders.of(upgrader)).force(Map.of(), Progress.none());

            assertThat(lostWithoutLog("onto.db")).containsExactly("commits-lost commits 3 to 3");
        }
    }

    @Test
    void a_drop_is_noted() throws IOException {
        try (Maintenance maintenance = maintain("onto.db")) {
            var drop = maintenance.drop(TypeRef.entity("Other")).purgingHistory();
            drop.apply(drop.preview().token(), Map.of());

            assertThat(lostWithoutLog("onto.db")).containsExactly("commits-lost commits 3 to 3");
        }
    }

    @Test
    void the_end_of_a_copy_is_noted() throws IOException {
        try (Maintenance original = maintain("onto.db");
                Maintenance target = maintain("target.db");
                StoreHistory history = original.storage().history()) {
            try (HistoryWriter writer = target.storage().restore("onto.db", "copier")) {
                writer.types(history.types());
                Optional<CommitInfo> next = history.next();
                while (next.isPresent()) {
                    writer.commit(next.get(), history.purged(), history.erased(), history::rows);
                    next = history.next();
                }
                writer.finish();
            }

            assertThat(Files.readString(folder.resolve("target.db-head"))).startsWith("2 ");
        }
    }
}
