package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Cascade;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.CopyResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.Erasure;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.Window;
import io.ontologia.core.spi.HistoryWriter;
import io.ontologia.core.spi.PastRow;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.TypeHistory;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a whole store is copied to another one; see {@link EventCopyContract} for its events. */
public abstract class CopyContract extends CopySuite {
    private static final TypeRef CUSTOMER = TypeRef.entity("Customer");
    private static final TypeRef NOTE = TypeRef.entity("Note");
    private static final TypeRef STINT = TypeRef.relation("Stint");

    private static final OntologyType CUSTOMER_1 = entityType("Customer", text("name"));
    private static final OntologyType CUSTOMER_2 = entityType("Customer", text("name"), integer("visits"));
    private static final OntologyType NOTE_TYPE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("any", Primitive.ANY)), "id");
    private static final OntologyType UNUSED_TYPE = entityType("Unused");
    private static final OntologyType STINT_TYPE = new RelationType(
            "Stint", "Customer", "Customer", Optional.of("stint"), List.of(text("stint"), integer("n")));
    private static final OntologyType KNOWS_TYPE = relationType("Knows", "Customer", "Customer");
    private static final List<OntologyType> FIRST = List.of(CUSTOMER_1, NOTE_TYPE, UNUSED_TYPE, STINT_TYPE, KNOWS_TYPE);

    /** Seven commits: rows of all kinds, a migration, a type that is dropped with its rows, another that comes back. */
    private void fill() {
        commit(
                FIRST,
                entity("Customer", "c1", Map.of("name", "Alice")),
                entity("Customer", "ç 2/𝄞", Map.of("name", "Bob")),
                entity("Note", "n1", note("big", 123456789012345678L, "nothing", null, "list", List.of(1L, "x", 0.5))));
        clock.advance(Duration.ofSeconds(90));
        commit(
                FIRST,
                new Row.OfRelation("Stint", "c1", "ç 2/𝄞", "s1", Map.of("n", 1L)),
                new Row.OfRelation("Stint", "c1", "ç 2/𝄞", "s2", Map.of("n", 1L)),
                relation("Knows", "c1", "c1", Map.of()));
        commit(FIRST, new Row.OfRelation("Stint", "c1", "ç 2/𝄞", "s1", Map.of("n", 2L)));
        migrate();
        drop(TypeRef.relation("Knows"));
        drop(NOTE);
        commit(List.of(NOTE_TYPE), entity("Note", "n2", note("again", true)));
    }

    private static Map<String, @Nullable Object> note(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> value = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            value.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return Map.of("any", value);
    }

    private void migrate() {
        Upgrader upgrader = Upgrader.entity("Customer", 1, fields -> {
            fields.put("visits", 0L);
            return fields;
        });
        try (Maintenance maintenance = maintain()) {
            var migration = maintenance.migration(Model.of(CUSTOMER_2), Upgraders.of(upgrader));
            migration.apply(migration.preview().token(), Map.of("why", Map.of("nested", List.of(1L))), Progress.none());
        }
    }

    private void drop(TypeRef type) {
        try (Maintenance maintenance = maintain()) {
            var drop = maintenance.drop(type).purgingHistory();
            drop.apply(drop.preview().token(), Map.of());
        }
    }

    /** Everything that can be asked of a store. */
    private static List<Object> everything(Storage storage) {
        List<Object> answers = new ArrayList<>();
        try (Stream<CommitInfo> log = storage.commits(0, OptionalLong.empty())) {
            answers.add(log.toList());
        }
        for (SchemaVersion schema : storage.schemas()) {
            answers.add(storage.schemaVersions(schema.type()));
            for (Window window : List.of(new Window.Latest(), new Window.AsOf(2), new Window.History(0))) {
                try (Stream<StoredRow> rows = storage.rows(RowQuery.of(schema.type(), window))) {
                    answers.add(rows.toList());
                }
            }
        }
        for (long commit = 1; commit <= storage.head(); commit++) {
            try (var changes = storage.changes(commit)) {
                answers.add(changes.toList());
            }
        }
        return answers;
    }

    @Test
    void rows_that_ended_are_ended_in_the_copy() {
        commit(
                FIRST,
                entity("Customer", "c1", Map.of("name", "Alice")),
                entity("Customer", "c2", Map.of("name", "Bob")));
        try (Session session = Ontologia.openStored(uri(), options("writer"))) {
            session.retract(Cascade.NONE, RowRef.entity("Customer", "c1"));
            session.commit();
        }

        copy();

        try (Maintenance original = maintain();
                Maintenance copy = copyTarget()) {
            assertThat(everything(copy.storage())).isEqualTo(everything(original.storage()));
            assertThat(copy.check(Progress.none())).noneMatch(Finding::isProblem);
        }
        try (Session session = Ontologia.openStored(target(), options("reader"))) {
            assertThat(session.find("Customer", "c1")).isEmpty();
            assertThat(session.findAsOf("Customer", "c1", 1)).isPresent();
            session.ensureAll(List.of(entity("Customer", "c1", Map.of("name", "Alice"))));
            assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
            assertThat(session.find("Customer", "c1")).isPresent();
        }
    }

    @Test
    void a_copy_answers_everything_as_the_original_does() {
        fill();

        CopyResult result = copy();

        assertThat(result).isEqualTo(new CopyResult(7, 7, 5, 8, 0));
        try (Maintenance original = maintain();
                Maintenance copy = copyTarget()) {
            assertThat(everything(copy.storage())).isEqualTo(everything(original.storage()));
            assertThat(copy.storage().schemas()).isEqualTo(original.storage().schemas());
            assertThat(copy.check(Progress.none()))
                    .filteredOn(finding -> finding.isProblem())
                    .isEmpty();
        }
    }

    @Test
    void the_versions_of_dropped_types_are_not_given_to_others() {
        fill();

        copy();

        OntologyType knows = relationType("Knows", "Customer", "Customer", text("since"));
        try (Session session = Ontologia.open(target(), options("later"), Model.of(CUSTOMER_2, knows));
                Maintenance copy = copyTarget()) {
            assertThat(copy.storage().schemaVersions(TypeRef.relation("Knows")))
                    .extracting(SchemaVersion::version)
                    .containsExactly(1L, 2L);
            assertThat(session.relations("Knows").withHistory().list()).isEmpty();
        }
    }

    @Test
    void a_copy_goes_on_where_the_original_was() {
        fill();
        copy();

        try (Session session = Ontologia.openStored(target(), options("later"))) {
            session.ensure(entity("Customer", "c1", Map.of("name", "Alice", "visits", 0L)));
            assertThat(session.commit()).isInstanceOf(io.ontologia.core.CommitResult.NothingToDo.class);
            session.ensure(entity("Customer", "c1", Map.of("name", "Alice", "visits", 1L)));
            session.commit();

            assertThat(session.head()).isEqualTo(8);
            assertThat(session.log().diff(7, 8)).hasSize(1);
        }
    }

    @Test
    void what_was_copied_can_be_copied_back() {
        fill();
        copy();
        String third = newStore();

        try (Maintenance copy = copyTarget();
                Maintenance back = Ontologia.maintain(third, options("operator"));
                Maintenance original = maintain()) {
            copy.copyTo(back, Progress.none());

            assertThat(everything(back.storage())).isEqualTo(everything(original.storage()));
        }
    }

    @Test
    void a_store_without_commits_is_copied_with_its_types() {
        try (Session session = open(CUSTOMER_1, STINT_TYPE)) {
            assertThat(session.head()).isZero();
        }

        CopyResult result = copy();

        assertThat(result).isEqualTo(new CopyResult(0, 0, 2, 0, 0));
        try (Maintenance original = maintain();
                Maintenance copy = copyTarget()) {
            assertThat(copy.storage().schemas())
                    .isEqualTo(original.storage().schemas())
                    .extracting(SchemaVersion::type)
                    .containsExactly(CUSTOMER, STINT);
        }
    }

    @Test
    void a_store_with_content_takes_no_copy() {
        fill();
        try (Session session = Ontologia.open(target(), options("other"), Model.of(entityType("Mine", text("name"))))) {
            assertThat(session.head()).isZero();
        }

        assertThatThrownBy(this::copy)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT))
                .hasMessageContaining("another store");
        try (Maintenance copy = copyTarget()) {
            assertThat(copy.storage().schemas()).hasSize(1);
            assertThat(copy.storage().head()).isZero();
        }
    }

    @Test
    void a_copy_that_was_interrupted_left_nothing_to_see_and_can_be_begun_again() {
        fill();
        try (Maintenance original = maintain();
                Maintenance copy = copyTarget();
                StoreHistory history = original.storage().history();
                HistoryWriter writer = copy.storage().restore(original.storage().location(), "operator")) {
            writer.types(history.types());
            for (int i = 0; i < 3; i++) {
                writer.commit(history.next().orElseThrow(), history.purged(), history.erased(), history::rows);
            }
        }
        try (Maintenance copy = copyTarget()) {
            assertThat(copy.storage().head()).isZero();
            assertThat(copy.storage().schemas()).isEmpty();
        }

        copy();

        try (Maintenance original = maintain();
                Maintenance copy = copyTarget()) {
            assertThat(everything(copy.storage())).isEqualTo(everything(original.storage()));
        }
    }

    @Test
    void a_copy_of_a_store_with_erased_rows_has_its_digests_and_records() {
        OntologyType type = entityType("Guest", text("name"));
        commit(
                List.of(type),
                entity("Guest", "g1", Map.of("name", "Ann")),
                entity("Guest", "g2", Map.of("name", "Ben")));
        commit(List.of(type), entity("Guest", "g1", Map.of("name", "Anna")));
        try (Maintenance maintenance = maintain()) {
            Erasure erasure = maintenance.erasure(TypeRef.entity("Guest"), List.of(new Identity.OfEntity("g1")));
            erasure.apply(erasure.preview().token(), Map.of(), Progress.none());
        }

        CopyResult copied = copy();

        assertThat(copied.rows()).isEqualTo(1);
        try (Maintenance original = maintain();
                Maintenance copy = copyTarget()) {
            assertThat(copy.check(Progress.none())).noneMatch(Finding::isProblem);
            assertThat(copy.checkErased(Progress.none())).isEmpty();
            assertThat(copy.digest(OptionalLong.empty(), Progress.none())
                            .orElseThrow()
                            .digest())
                    .isEqualTo(original.digest(OptionalLong.empty(), Progress.none())
                            .orElseThrow()
                            .digest());
            assertThat(copy.storage().count(RowQuery.of(TypeRef.entity("Guest"), new Window.History(0))))
                    .isEqualTo(1);
        }
    }

    @Test
    void commits_without_rows_and_gaps_between_commits_stay_as_they_are() {
        try (Maintenance original = maintain();
                HistoryWriter writer = original.storage().restore("elsewhere", "operator")) {
            writer.types(List.of(new TypeHistory(CUSTOMER, TypeHistory.Status.KNOWN, List.of(version(1), version(4)))));
            writer.commit(
                    new CommitInfo(2, Instant.parse("2020-01-01T00:00:00.000001Z"), 1, Map.of("by", "hand")),
                    List.of(),
                    List.of(),
                    action -> action.accept(row("c1", 2, 1)));
            writer.commit(
                    new CommitInfo(3, Instant.parse("2020-01-02T00:00:00Z"), 0, Map.of()),
                    List.of(),
                    List.of(),
                    action -> {});
            writer.commit(
                    new CommitInfo(9, Instant.parse("2020-01-03T00:00:00Z"), 2, Map.of()),
                    List.of(),
                    List.of(),
                    action -> Stream.of(row("c1", 9, 4), row("c2", 9, 4)).forEach(action));
            writer.finish();
        }

        CopyResult result = copy();

        assertThat(result).isEqualTo(new CopyResult(9, 3, 1, 3, 0));
        try (Maintenance original = maintain();
                Maintenance copy = copyTarget();
                Stream<CommitInfo> log = copy.storage().commits(0, OptionalLong.empty())) {
            assertThat(log).extracting(CommitInfo::id).containsExactly(9L, 3L, 2L);
            assertThat(everything(copy.storage())).isEqualTo(everything(original.storage()));
            assertThat(copy.storage().schemaVersions(CUSTOMER))
                    .extracting(SchemaVersion::version)
                    .containsExactly(1L, 4L);
        }
    }

    private static SchemaVersion version(long number) {
        return new SchemaVersion(
                CUSTOMER,
                number,
                io.ontologia.kernel.CanonicalJson.writeAscii(CUSTOMER_1.document()),
                CUSTOMER_1.schemaHash(),
                Instant.parse("2019-12-31T23:59:59Z"),
                Optional.empty(),
                Optional.of("initial"));
    }

    private static PastRow row(String key, long commit, long version) {
        return new PastRow(
                CUSTOMER,
                new StoredRow(new Identity.OfEntity(key), "{\"id\":\"" + key + "\",\"name\":\"x\"}", commit, version));
    }
}
