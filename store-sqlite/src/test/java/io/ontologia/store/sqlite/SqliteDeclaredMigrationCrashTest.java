package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.SchemaStep;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.StepExpression;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A migration by declared steps whose process ends while it runs: what is on the disk then is the old state. */
class SqliteDeclaredMigrationCrashTest {
    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final Model BEFORE =
            Model.of(new EntityType("Person", List.of(ID, FieldDef.of("n", Primitive.INT)), "id"));
    private static final Model AFTER = Model.of(
                    new EntityType("Person", List.of(ID, FieldDef.of("note", Primitive.STR)), "id"))
            .withSteps(
                    TypeRef.entity("Person"),
                    1,
                    List.of(new SchemaStep.Set("note", StepExpression.parse("'was ' || n"))));

    private final SettableClock clock = new SettableClock();

    @TempDir
    Path folder;

    private static String uri(Path file) {
        return "sqlite:///" + file;
    }

    private SessionOptions options() {
        return SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock));
    }

    private void migrate(Path file, Progress progress) {
        try (Maintenance maintenance = Ontologia.maintain(uri(file), options())) {
            maintenance.migration(AFTER, Upgraders.none()).force(Map.of(), progress);
        }
    }

    @Test
    void it_leaves_the_old_state_and_can_be_run_again() {
        Path file = folder.resolve("onto.db");
        try (Session session = Ontologia.open(uri(file), options(), BEFORE)) {
            for (int i = 0; i < 3_000; i++) {
                session.ensure(new Row.OfEntity("Person", "p" + i, Map.of("n", (long) i)));
            }
            session.commit();
        }
        List<Path> copies = new ArrayList<>();

        migrate(file, (step, done, total) -> copies.add(copy(file, folder.resolve("copy" + copies.size()))));

        // The hold of the write lock that is in the copies has expired by then.
        clock.advance(Duration.ofHours(1));
        assertThat(copies).hasSizeGreaterThan(1);
        for (Path copy : copies) {
            try (Session session = Ontologia.openStored(uri(copy), options())) {
                assertThat(session.find("Person", "p7").orElseThrow().fields()).containsEntry("n", 7L);
                assertThat(session.head()).isEqualTo(1);
            }
            migrate(copy, Progress.none());
            assertMigrated(copy);
        }
        assertMigrated(file);
    }

    private void assertMigrated(Path file) {
        try (Session session = Ontologia.openStored(uri(file), options())) {
            assertThat(session.find("Person", "p7").orElseThrow().fields()).containsEntry("note", "was 7");
            assertThat(session.findAsOf("Person", "p7", 1).orElseThrow().fields())
                    .containsEntry("note", "was 7");
            assertThat(session.entities("Person").asOf(1).count()).isEqualTo(3_000);
        }
    }

    /** The files as they are at this moment: what the next process finds when this one ends here. */
    private static Path copy(Path file, Path target) {
        try {
            Files.createDirectories(target);
            for (String suffix : List.of("", "-wal")) {
                Path source = file.resolveSibling(file.getFileName() + suffix);
                if (Files.exists(source)) {
                    Files.copy(source, target.resolve(source.getFileName()));
                }
            }
            return target.resolve(file.getFileName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
