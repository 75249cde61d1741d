package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over so much data the first answer comes from the files, and tables are made for who asks again. */
class LargeFilesTest {
    private static final int PAGES = 30;
    private static final Model MODEL = Model.of(
            new EntityType("Page", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("text", Primitive.STR)), "id"),
            new RelationType("Next", "Page", "Page", Optional.empty(), List.of(FieldDef.of("text", Primitive.STR))));

    @TempDir
    Path cache;

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final SplittableRandom random = new SplittableRandom(1);

    private Session open(String cacheName) {
        StorageOptions storage = StorageOptions.defaults()
                .clock(clock)
                .settings(Map.of("cache_dir", cache.resolve(cacheName).toString()));
        return Ontologia.open(
                TestStoreProvider.uriOf(server), SessionOptions.defaults().storage(storage), MODEL);
    }

    /** A megabyte that cannot be made much smaller. */
    private String text() {
        byte[] bytes = new byte[750_000];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    @BeforeEach
    void fill() {
        try (Session session = open("writer")) {
            for (int i = 0; i < PAGES; i++) {
                session.ensure(new Row.OfEntity("Page", "p" + i, Map.of("text", text())));
                session.ensure(new Row.OfRelation("Next", "p" + i, "p" + (i + 1) % PAGES, "", Map.of("text", text())));
            }
            session.commit();
            session.ensure(new Row.OfEntity("Page", "p0", Map.of("text", "short")));
            session.ensure(new Row.OfRelation("Next", "p0", "p1", "", Map.of("text", "short")));
            session.commit();
        }
    }

    private static void assertAnswers(Session session, String newest) {
        assertThat(session.entities("Page").count()).isEqualTo(PAGES);
        assertThat(session.relations("Next").count()).isEqualTo(PAGES);
        assertThat(session.find("Page", "p0").orElseThrow().fields()).containsEntry("text", newest);
        assertThat(session.find("Page", "nobody")).isEmpty();
    }

    @Test
    void every_answer_is_the_same() {
        for (int run = 0; run < 3; run++) {
            try (Session session = open("reader")) {
                assertAnswers(session, "short");
                assertAnswers(session, "short");
            }
        }
    }

    @Test
    void who_looks_up_first_finds_the_newest_version() {
        try (Session session = open("looks up")) {
            assertThat(session.find("Page", "p0").orElseThrow().fields()).containsEntry("text", "short");
        }
    }

    @Test
    void a_commit_between_two_questions_is_seen() {
        try (Session session = open("reader");
                Session other = open("writer")) {
            assertAnswers(session, "short");

            other.ensure(new Row.OfEntity("Page", "p0", Map.of("text", "shorter")));
            other.commit();

            assertAnswers(session, "shorter");
            session.ensure(new Row.OfEntity("Page", "p0", Map.of("text", "shorter")));
            session.ensure(new Row.OfRelation("Next", "p0", "p1", "", Map.of("text", "short")));
            assertThat(session.preview()).isEmpty();
            session.discard();
        }
    }
}
