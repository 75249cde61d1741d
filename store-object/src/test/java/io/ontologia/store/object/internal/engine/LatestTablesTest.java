package io.ontologia.store.object.internal.engine;

import static io.ontologia.store.object.internal.engine.LatestTables.Before.NONE;
import static io.ontologia.store.object.internal.engine.LatestTables.Before.SOME;
import static io.ontologia.store.object.internal.engine.Rows.LINK;
import static io.ontologia.store.object.internal.engine.Rows.THING;
import static io.ontologia.store.object.internal.engine.Rows.link;
import static io.ontologia.store.object.internal.engine.Rows.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.Window;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of latest versions are made from files, moved forward, doubted and made again. */
class LatestTablesTest {
    private static final TypeRef THINGS = THING.ref();

    @TempDir
    Path folder;

    private Rows rows;

    @BeforeEach
    void open() {
        rows = new Rows(folder);
    }

    @AfterEach
    void close() {
        rows.close();
    }

    private List<String> keysAt(long commitId) {
        return keysAt(RowQuery.of(THINGS, new Window.Latest()), commitId);
    }

    private List<String> keysAt(RowQuery query, long commitId) {
        try (Stream<StoredRow> found = rows.engine().rows(query, type -> new Source.Table(commitId), rows.latest())) {
            return found.map(row -> row.identity() + "@" + row.commitId()).toList();
        }
    }

    private static Identity key(String key) {
        return new Identity.OfEntity(key);
    }

    @Test
    void a_table_is_made_from_files_and_says_where_it_stands() {
        rows.commit(1, thing("a"), thing("b"));
        rows.commit(2, thing("b", "v", 1L), thing("c"));
        rows.commit(3, thing("a", "v", 2L));

        assertThat(rows.latest().applied(THINGS)).isEmpty();
        rows.latest().rebuild(THINGS, rows.files(THINGS), 2, "f1");
        assertThat(rows.latest().applied(THINGS)).contains(new LatestTables.Applied(2, "f1"));
        assertThat(keysAt(2)).containsExactly("a@1", "b@2", "c@2");
        rows.latest().rebuild(THINGS, rows.files(THINGS), 3, "f2");
        assertThat(rows.latest().applied(THINGS)).contains(new LatestTables.Applied(3, "f2"));
        assertThat(keysAt(3)).containsExactly("a@3", "b@2", "c@2");
    }

    @Test
    void a_table_without_files_is_empty() {
        rows.latest().rebuild(THINGS, List.of(), 5, "f");

        assertThat(keysAt(5)).isEmpty();
        assertThat(rows.latest().find(THINGS, List.of(key("a")))).isEmpty();
    }

    @Test
    void a_query_is_refused_by_a_table_that_stands_elsewhere() {
        rows.commit(1, thing("a"));

        assertThatThrownBy(() -> keysAt(1)).isInstanceOf(StaleLatestException.class);
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");
        assertThatThrownBy(() -> keysAt(2))
                .isInstanceOf(StaleLatestException.class)
                .hasMessageContaining("stands at commit 1 and not at commit 2");
        assertThatThrownBy(() -> rows.latest().find(THINGS, 2, List.of(key("a"))))
                .isInstanceOf(StaleLatestException.class);
        assertThat(keysAt(1)).containsExactly("a@1");
    }

    @Test
    void a_table_is_moved_forward_by_files_and_never_back() {
        rows.commit(1, thing("a"), thing("b"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");
        rows.commit(3, thing("b", "v", 1L));
        rows.commit(4, thing("b", "v", 2L), thing("c"));
        rows.commit(5, thing("a", "v", 1L));

        rows.latest().advance(THINGS, rows.files(THINGS), 4, "f", "g");
        assertThat(keysAt(4)).containsExactly("a@1", "b@4", "c@4");
        rows.latest().advance(THINGS, rows.files(THINGS).subList(0, 2), 3, "f", "h");
        assertThat(rows.latest().applied(THINGS)).contains(new LatestTables.Applied(4, "g"));
        rows.latest().advance(THINGS, rows.files(THINGS).subList(3, 4), 5, "g", "i");
        assertThat(keysAt(5)).containsExactly("a@5", "b@4", "c@4");
        rows.latest().advance(THINGS, List.of(), 9, "i", "j");
        assertThat(keysAt(9)).containsExactly("a@5", "b@4", "c@4");
    }

    @Test
    void who_takes_a_table_to_stand_elsewhere_does_not_move_it() {
        rows.commit(1, thing("a"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");

        assertThatThrownBy(() -> rows.latest().advance(THINGS, rows.files(THINGS), 4, "other", "g"))
                .isInstanceOf(StaleLatestException.class);
        assertThatThrownBy(() -> rows.latest().advance(written(THING, SOME, 1, 3, thing("b")), "other", "g"))
                .isInstanceOf(StaleLatestException.class);

        assertThat(rows.latest().applied(THINGS)).contains(new LatestTables.Applied(1, "f"));
        assertThat(keysAt(1)).containsExactly("a@1");
    }

    @Test
    void a_table_is_moved_forward_by_rows_at_hand() {
        rows.commit(1, thing("a", "name", "x"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");

        rows.latest().advance(written(THING, SOME, 2, 7, thing("b", "name", "y"), thing("a", "count", 1L)), "f", "g");

        assertThat(rows.latest().find(THINGS, 7, List.of(key("a"), key("b"), key("c"))))
                .containsExactlyInAnyOrder(
                        new StoredRow(key("a"), "{\"count\":1}", 7, 2),
                        new StoredRow(key("b"), "{\"name\":\"y\"}", 7, 2));
        assertThatThrownBy(() -> rows.latest().advance(written(LINK, NONE, 1, 8, link("a", "b")), "f", "g"))
                .isInstanceOf(StaleLatestException.class);
    }

    @Test
    void commits_that_are_applied_together_leave_what_the_last_of_each_row_wrote() {
        rows.commit(1, thing("a", "name", "x"), thing("z", "name", "stays"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");
        EntityType other = new EntityType(
                THING.name(),
                List.of(
                        FieldDef.of("id", TypeSpec.Primitive.STR),
                        FieldDef.of("colour", TypeSpec.orNull(TypeSpec.Primitive.STR))),
                "id");
        List<LatestTables.Written> commits = new ArrayList<>();
        commits.addAll(written(THING, SOME, 1, 2, thing("a", "name", "y"), thing("b", "count", 1L)));
        commits.addAll(written(THING, SOME, 1, 4, thing("b", "count", 2L)));
        commits.addAll(written(other, SOME, 2, 5, thing("a", "colour", "red"), thing("c", "colour", "blue")));

        rows.latest().advance(commits, "f", "g");

        assertThat(rows.latest().applied(THINGS)).contains(new LatestTables.Applied(5, "g"));
        assertThat(rows.latest().find(THINGS, 5, List.of(key("a"), key("b"), key("c"), key("z"))))
                .containsExactlyInAnyOrder(
                        new StoredRow(key("a"), "{\"colour\":\"red\"}", 5, 2),
                        new StoredRow(key("b"), "{\"count\":2}", 4, 1),
                        new StoredRow(key("c"), "{\"colour\":\"blue\"}", 5, 2),
                        new StoredRow(key("z"), "{\"name\":\"stays\"}", 1, 1));
        assertThat(keysAt(EngineQueries.where(THINGS, "colour", "red"), 5)).containsExactly("a@5");
    }

    @Test
    void types_whose_names_differ_in_case_have_tables_of_their_own() {
        EntityType other = new EntityType("THING", THING.fields(), "id");
        rows.commit(1, thing("a"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");
        rows.latest().rebuild(other.ref(), List.of(), 1, "f");
        rows.latest().rebuild(TypeRef.relation("Thing"), List.of(), 1, "f");

        assertThat(keysAt(1)).containsExactly("a@1");
        assertThat(keysAt(RowQuery.of(other.ref(), new Window.Latest()), 1)).isEmpty();
        assertThat(keysAt(RowQuery.of(TypeRef.relation("Thing"), new Window.Latest()), 1))
                .isEmpty();
        rows.latest().drop(other.ref());
        assertThat(rows.latest().applied(other.ref())).isEmpty();
        assertThat(keysAt(1)).containsExactly("a@1");
    }

    @Test
    void a_table_follows_its_type_to_other_fields() {
        EntityType changed = new EntityType(
                "Thing",
                List.of(
                        FieldDef.of("id", TypeSpec.Primitive.STR),
                        FieldDef.of("name", TypeSpec.orNull(TypeSpec.Primitive.INT)),
                        FieldDef.of("size", TypeSpec.orNull(TypeSpec.Primitive.INT)),
                        FieldDef.of("NAME", TypeSpec.orNull(TypeSpec.Primitive.STR)),
                        FieldDef.of("commit_id", TypeSpec.orNull(TypeSpec.Primitive.STR))),
                "id");
        rows.commit(1, thing("a", "name", "x"), thing("b", "name", "y"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");

        rows.latest()
                .advance(
                        written(
                                changed,
                                SOME,
                                2,
                                2,
                                thing("b", "name", 1L, "size", 3L, "NAME", "y", "commit_id", "z"),
                                thing("c", "size", 4L)),
                        "f",
                        "g");

        for (String filter : List.of("name=x:a@1", "name=1:b@2", "size=3:b@2", "NAME=y:b@2", "commit_id=z:b@2")) {
            String[] parts = filter.split("[=:]", -1);
            Object value = parts[1].matches("[0-9]") ? (Object) Long.valueOf(parts[1]) : parts[1];
            assertThat(keysAt(EngineQueries.where(THINGS, parts[0], value), 2))
                    .as(filter)
                    .containsExactly(parts[2]);
        }
    }

    @Test
    void few_and_many_rows_are_found() {
        List<DesiredRow> many = new ArrayList<>();
        IntStream.range(0, 10_000).forEach(i -> many.add(thing("k" + i, "count", (long) i)));
        rows.commit(1, 1, THING, many);
        rows.commit(2, link("a", "b", "v", 1L), link("a", "c'", "v", 2L), link("b", "b"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 2, "f");
        rows.latest().rebuild(LINK.ref(), rows.files(LINK.ref()), 2, "f");

        List<Identity> asked =
                many.stream().map(DesiredRow::identity).limit(5_000).collect(java.util.stream.Collectors.toList());
        asked.add(key("nobody"));
        assertThat(rows.latest().find(THINGS, asked)).hasSize(5_000);
        assertThat(rows.latest().find(THINGS, asked.subList(4_990, 5_001)))
                .extracting(StoredRow::identity)
                .containsExactlyInAnyOrderElementsOf(asked.subList(4_990, 5_000));
        assertThat(rows.latest().find(THINGS, List.of())).isEmpty();
        assertThat(rows.latest()
                        .find(
                                LINK.ref(),
                                List.of(
                                        new Identity.OfRelation("a", "c'", ""),
                                        new Identity.OfRelation("a", "a", ""),
                                        new Identity.OfRelation("b", "b", "x"))))
                .extracting(StoredRow::fieldsJson)
                .containsExactly("{\"v\":2}");
        List<Identity> links = new ArrayList<>();
        IntStream.range(0, 100).forEach(i -> links.add(new Identity.OfRelation("b", "b", i == 0 ? "" : "i" + i)));
        assertThat(rows.latest().find(LINK.ref(), links)).hasSize(1);
    }

    @Test
    void look_ups_find_the_same_before_and_after_they_are_worth_an_index() {
        rows.commit(1, thing("a", "count", 1L), thing("b", "count", 2L));
        rows.commit(1, link("a", "b"), link("b", "a"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");
        rows.latest().rebuild(LINK.ref(), rows.files(LINK.ref()), 1, "f");

        for (int i = 2; i < 40; i++) {
            rows.latest().advance(written(THING, SOME, 1, i, thing("b", "count", (long) i)), "f", "f");

            assertThat(rows.latest().find(THINGS, List.of(key("a"), key("b"), key("nobody"))))
                    .extracting(StoredRow::fieldsJson)
                    .containsExactlyInAnyOrder("{\"count\":1}", "{\"count\":" + i + "}");
            assertThat(rows.latest().find(LINK.ref(), List.of(new Identity.OfRelation("b", "a", ""))))
                    .hasSize(1);
        }
        assertThat(keysAt(39)).hasSize(2);
    }

    @Test
    void a_reader_sees_one_state_while_the_table_moves_on() {
        List<DesiredRow> many = new ArrayList<>();
        IntStream.range(0, 50_000).forEach(i -> many.add(thing("k" + i, "count", 1L)));
        rows.commit(1, 1, THING, many);
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");

        try (Stream<StoredRow> stream = rows.engine()
                .rows(RowQuery.of(THINGS, new Window.Latest()), type -> new Source.Table(1), rows.latest())) {
            Iterator<StoredRow> found = stream.iterator();
            assertThat(found.next().commitId()).isEqualTo(1);
            rows.latest().advance(written(THING, SOME, 1, 2, many.toArray(DesiredRow[]::new)), "f", "g");
            rows.latest().rebuild(THINGS, List.of(), 3, "h");
            int count = 1;
            while (found.hasNext()) {
                assertThat(found.next().commitId()).isEqualTo(1);
                count++;
            }
            assertThat(count).isEqualTo(50_000);
        }
        assertThat(keysAt(3)).isEmpty();
    }

    @Test
    void tables_outlive_the_engine_and_a_damaged_file_is_replaced() throws Exception {
        rows.commit(1, thing("a"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");
        rows.close();

        rows = new Rows(folder);
        assertThat(keysAt(1)).containsExactly("a@1");
        rows.close();
        Files.writeString(file(), "this is no database", StandardCharsets.UTF_8);
        rows = new Rows(folder);
        assertThat(rows.latest().applied(THINGS)).isEmpty();
        rows.latest().rebuild(THINGS, List.of(), 1, "f");
    }

    @Test
    void that_somebody_wanted_a_table_is_known_until_it_is_made_also_to_the_next_process() {
        assertThat(rows.latest().ask(THINGS)).isFalse();
        assertThat(rows.latest().ask(LINK.ref())).isFalse();
        assertThat(rows.latest().ask(THINGS)).isTrue();
        rows.close();

        rows = new Rows(folder);
        assertThat(rows.latest().ask(THINGS)).isTrue();
        rows.latest().rebuild(THINGS, List.of(), 0, "none");
        assertThat(rows.latest().ask(THINGS)).isFalse();
        assertThat(rows.latest().ask(LINK.ref())).isTrue();
    }

    @Test
    void closing_tables_ends_the_streams_that_read_them() {
        rows.commit(1, thing("a"), thing("b"));
        rows.latest().rebuild(THINGS, rows.files(THINGS), 1, "f");

        try (Stream<StoredRow> stream = rows.engine()
                .rows(RowQuery.of(THINGS, new Window.Latest()), type -> new Source.Table(1), rows.latest())) {
            Iterator<StoredRow> found = stream.iterator();
            assertThat(found.next().commitId()).isEqualTo(1);
            rows.latest().close();
            assertThatThrownBy(found::next)
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CLOSED));
        }
        try (LatestTables again = rows.engine().latest("test")) {
            again.rebuild(THINGS, rows.files(THINGS), 1, "g");
            assertThat(again.applied(THINGS)).contains(new LatestTables.Applied(1, "g"));
        }
    }

    private Path file() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("engine"))) {
            return files.filter(path -> path.toString().endsWith(".duckdb"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void a_second_engine_on_the_same_folder_gets_tables_of_its_own() {
        rows.latest().rebuild(THINGS, List.of(), 1, "f");

        try (Engine other = Engine.open(new EngineOptions("256MB", 1, folder.resolve("engine"), List.of(folder)));
                LatestTables tables = other.latest("test")) {
            assertThat(tables.applied(THINGS)).isEmpty();
        }
        try (LatestTables same = rows.engine().latest("test")) {
            assertThat(same.applied(THINGS)).isPresent();
        }
        assertThat(rows.latest().applied(THINGS)).isPresent();
    }

    private static List<LatestTables.Written> written(
            OntologyType type, LatestTables.Before before, long schemaVersion, long commitId, DesiredRow... rows) {
        return List.of(new LatestTables.Written(RowBatch.of(type, List.of(rows)), before, commitId, schemaVersion));
    }
}
