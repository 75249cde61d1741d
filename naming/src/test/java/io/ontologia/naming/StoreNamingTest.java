package io.ontologia.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Entity;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Key;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.NameFilter;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.Subscription;
import io.ontologia.nameservice.Subscriptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreNamingTest {
    private static final Alias MYDB = Alias.parse("mydb");

    /** Something to commit. */
    record Note(@Key String id, long n) implements Entity {}

    @TempDir
    Path folder;

    private final CutOffNames names = new CutOffNames(Nameservices.open("memory:"));

    private String sqlite() {
        return "sqlite:///" + folder.resolve("onto.db");
    }

    private String objects() {
        return "file://" + folder.resolve("objects");
    }

    private SessionOptions named() {
        return cached(SessionOptions.defaults().layer(StoreNaming.of(names, MYDB)));
    }

    private SessionOptions cached(SessionOptions options) {
        return options.storage(options.storage()
                .settings(Map.of("cache_dir", folder.resolve("cache").toString())));
    }

    private void commit(String uri, SessionOptions options, long... values) {
        try (Session session = Ontologia.open(uri, options, Note.class)) {
            for (long n : values) {
                session.ensure(new Note("a", n));
                session.commit();
            }
        }
    }

    private NameRecord record() {
        return names.lookup(MYDB).orElseThrow();
    }

    @Test
    void commits_move_the_head_of_a_record_that_names_the_store() {
        commit(sqlite(), named(), 1, 2, 2, 3);

        assertThat(record().head()).isEqualTo(ConcernValue.of(3, Map.of("address", sqlite() + "#3", "t", 3)));
        assertThat(record().config().payload().orElseThrow().text("storage_uri"))
                .contains(sqlite());
        assertThat(record().state()).contains("ready");
        assertThat(record().type().value()).isEqualTo("ledger");
    }

    @Test
    void who_only_reads_pushes_nothing() {
        commit(sqlite(), SessionOptions.defaults(), 1);

        try (Session session = Ontologia.open(sqlite(), named(), Note.class)) {
            assertThat(session.entities(Note.class).list()).hasSize(1);
        }

        assertThat(names.lookup(MYDB)).isEmpty();
    }

    @Test
    void a_nameservice_that_is_gone_fails_no_commit_and_is_caught_up_by_the_next() {
        commit(sqlite(), named(), 1);
        names.cutOff(true);
        commit(sqlite(), named(), 2, 3);
        names.cutOff(false);
        assertThat(record().head().watermark()).isEqualTo(1);

        commit(sqlite(), named(), 4);

        assertThat(record().head().watermark()).isEqualTo(4);
    }

    @Test
    void a_record_can_be_brought_to_its_store_at_any_time() {
        commit(sqlite(), SessionOptions.defaults(), 1, 2);
        StoreRecord ours = new StoreRecord(names, MYDB, sqlite());

        assertThat(ours.bring(2)).isEqualTo(new Publication.Moved(2));
        assertThat(ours.bring(2)).isEqualTo(new Publication.Level(2));
        assertThat(ours.bring(1)).isEqualTo(new Publication.Level(2));
    }

    @Test
    void the_record_of_another_store_is_left_alone() {
        commit(sqlite(), named(), 1);
        String other = "sqlite:///" + folder.resolve("other.db");

        commit(other, named(), 1, 2);

        assertThat(record().head().watermark()).isEqualTo(1);
        assertThat(new StoreRecord(names, MYDB, other).bring(2)).isInstanceOf(Publication.Diverged.class);
    }

    @Test
    void a_store_is_known_however_its_uri_is_written() {
        names.create(NewRecord.ledger(MYDB));
        names.push(
                MYDB,
                Concern.CONFIG,
                ConcernValue.unborn(),
                ConcernValue.of(1, Map.of("storage_uri", "sqlite:///" + folder + "/x/../onto.db")));

        commit(sqlite(), named(), 1);

        assertThat(record().head().watermark()).isEqualTo(1);
    }

    @Test
    void work_on_a_store_changes_nothing_in_the_record_of_another_one() {
        commit(sqlite(), named(), 1);
        NameRecord before = record();

        commit(objects(), named(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        try (Maintenance maintenance = Ontologia.maintain(objects(), named())) {
            maintenance.storage().upkeep().orElseThrow().compact(Optional.empty(), "me", Progress.none());
        }

        assertThat(record()).isEqualTo(before);
    }

    @Test
    void a_name_that_was_purged_is_made_again_by_the_next_commit() {
        try (Session session = Ontologia.open(sqlite(), named(), Note.class)) {
            session.ensure(new Note("a", 1));
            session.commit();
            new StoreRecord(names, MYDB, sqlite()).bring(1);
            names.retract(MYDB, "");
            names.purge(MYDB);
            session.ensure(new Note("a", 2));
            session.commit();
        }

        assertThat(record().head().watermark()).isEqualTo(2);
    }

    @Test
    void a_store_that_was_filled_from_elsewhere_is_told() {
        commit(sqlite(), cached(SessionOptions.defaults()), 1, 2, 3);

        try (Maintenance source = Ontologia.maintain(sqlite(), cached(SessionOptions.defaults()));
                Maintenance target = Ontologia.maintain(objects(), named())) {
            source.copyTo(target, Progress.none());
        }

        assertThat(record().head().watermark()).isEqualTo(3);
    }

    @Test
    void another_commit_with_the_same_number_is_a_divergence() {
        names.create(NewRecord.ledger(MYDB));
        names.push(
                MYDB, Concern.HEAD, ConcernValue.unborn(), ConcernValue.of(2, Map.of("address", "elsewhere", "t", 2)));

        Publication publication = new StoreRecord(names, MYDB, sqlite()).bring(2);

        assertThat(publication).isInstanceOf(Publication.Diverged.class);
        assertThat(record().head().watermark()).isEqualTo(2);
    }

    @Test
    void a_retracted_record_is_left_alone_and_fails_no_commit() {
        commit(sqlite(), named(), 1);
        names.retract(MYDB, "");

        commit(sqlite(), named(), 2);

        assertThat(record().head().watermark()).isEqualTo(1);
        assertThat(record().isRetracted()).isTrue();
    }

    @Test
    void a_compaction_shows_as_indexing_and_publishes_an_index() {
        commit(objects(), named(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);

        try (Maintenance maintenance = Ontologia.maintain(objects(), named())) {
            List<Upkeep.Rewrite> rewrites =
                    maintenance.storage().upkeep().orElseThrow().compact(Optional.empty(), "me", Progress.none());
            assertThat(rewrites).isNotEmpty();
        }

        assertThat(names.states()).containsExactly("indexing", "ready");
        assertThat(record().index())
                .isEqualTo(ConcernValue.of(1, Map.of("default", Map.of("address", objects(), "t", 12, "rev", 0))));
    }

    @Test
    void a_compaction_in_the_background_of_a_session_publishes_an_index() {
        Subscriptions news = new Subscriptions(names);
        SessionOptions options = cached(SessionOptions.defaults().layer(StoreNaming.of(news.observed(), MYDB)));
        commit(objects(), options, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        Map<String, String> settings = new HashMap<>(options.storage().settings());
        settings.put("background_compaction", "true");

        try (Subscription indices = news.subscribe(NameFilter.all().alias(MYDB).concern(Concern.INDEX));
                Session session = Ontologia.open(
                        objects(), options.storage(options.storage().settings(settings)), Note.class)) {
            assertThat(session.head()).isEqualTo(12);
            NameEvent event = indices.next(Duration.ofMinutes(1)).orElseThrow();
            while (!(event instanceof NameEvent.Moved)) {
                event = indices.next(Duration.ofMinutes(1)).orElseThrow();
            }
        }

        assertThat(record().index())
                .isEqualTo(ConcernValue.of(1, Map.of("default", Map.of("address", objects(), "t", 12, "rev", 0))));
    }

    @Test
    void a_nameservice_that_is_gone_delays_no_compaction_and_gets_the_last_state() {
        commit(objects(), named(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        names.cutOff(true);

        try (Maintenance maintenance = Ontologia.maintain(objects(), named())) {
            assertThat(maintenance.storage().upkeep().orElseThrow().compact(Optional.empty(), "me", Progress.none()))
                    .isNotEmpty();
            names.cutOff(false);
        }

        assertThat(record().index().watermark()).isEqualTo(1);
        assertThat(record().state()).contains("ready");
    }

    @Test
    void an_index_does_not_go_back() {
        commit(objects(), named(), 1, 2, 3);
        StoreRecord ours = new StoreRecord(names, MYDB, objects());

        ours.indexed(3);
        ours.indexed(2);

        assertThat(record().index())
                .isEqualTo(ConcernValue.of(1, Map.of("default", Map.of("address", objects(), "t", 3, "rev", 0))));
    }

    @Test
    void a_migration_shows_as_migrating_and_moves_the_head() {
        commit(sqlite(), named(), 1);
        EntityType wider = new EntityType(
                "Note",
                List.of(
                        FieldDef.of("id", TypeSpec.Primitive.STR),
                        FieldDef.of("n", TypeSpec.Primitive.INT),
                        FieldDef.of("more", TypeSpec.orNull(TypeSpec.Primitive.STR))),
                "id");

        try (Maintenance maintenance = Ontologia.maintain(sqlite(), named())) {
            var migration = maintenance.migration(
                    Model.of(wider),
                    Upgraders.of(new Upgrader(
                            TypeRef.entity("Note"), 1, fields -> Map.of("id", "a", "n", 1L, "more", "x"))));
            migration.apply(migration.preview().token(), Map.of(), Progress.none());
        }

        assertThat(names.states()).containsExactly("migrating", "ready");
        assertThat(record().head().watermark()).isEqualTo(2);
    }

    @Test
    void a_store_is_opened_by_its_name() {
        String service = folder.resolve("names").toUri().toString();
        SessionOptions options = SessionOptions.defaults();
        SessionOptions byName = options.storage(options.storage().settings(Map.of("nameservice_uri", service)));
        try (var shared = Nameservices.open(service)) {
            new StoreRecord(shared, MYDB, sqlite()).bring(0);

            commit("ns://mydb", byName, 1, 2);

            assertThat(shared.concern(MYDB, Concern.HEAD).orElseThrow().watermark())
                    .isEqualTo(2);
            try (Session session = Ontologia.open(sqlite(), Note.class)) {
                assertThat(session.find(Note.class, "a")).contains(new Note("a", 2));
            }
            shared.retract(MYDB, "");
            assertThatThrownBy(() -> Ontologia.open("ns://mydb:main", byName, Note.class))
                    .isInstanceOf(NameRetractedException.class);
            assertThatThrownBy(() -> Ontologia.open("ns://nobody", byName, Note.class))
                    .isInstanceOf(NameNotFoundException.class);
            assertThatThrownBy(() -> Ontologia.open("ns://mydb", Note.class)).hasMessageContaining("nameservice_uri");
        }
    }
}
