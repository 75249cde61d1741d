package io.ontologia.store.object.internal.engine;

import static io.ontologia.store.object.internal.engine.Rows.LINK;
import static io.ontologia.store.object.internal.engine.Rows.THING;
import static io.ontologia.store.object.internal.engine.Rows.link;
import static io.ontologia.store.object.internal.engine.Rows.thing;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several files become one with the same rows, also those of other writers; plain Parquet readers can read it. */
class MergeTest {
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

    private DataFile merge(TypeRef type) {
        List<DataFile> files = rows.files(type);
        Path target = folder.resolve("merged.parquet");
        rows.engine().merge(type, files, target);
        return new DataFile(
                target, files.get(0).minCommitId(), files.get(files.size() - 1).maxCommitId());
    }

    private List<StoredRow> in(DataFile file, RowQuery query) {
        try (Stream<StoredRow> found =
                rows.engine().rows(query, type -> new Source.Files(List.of(file)), rows.latest())) {
            return found.toList();
        }
    }

    private static RowQuery history(TypeRef type) {
        return RowQuery.of(type, new Window.History(0));
    }

    /** What any reader of Parquet sees, in the order of the file. */
    private static List<String> plain(Path file, String columns) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT " + columns + " FROM '" + file + "'")) {
            List<String> lines = new ArrayList<>();
            while (rows.next()) {
                List<String> line = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    line.add(String.valueOf(rows.getObject(i)));
                }
                lines.add(String.join("|", line));
            }
            return lines;
        }
    }

    private static void foreign(Path target, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (" + sql + ") TO '" + target + "' (FORMAT parquet)");
        }
    }

    @Test
    void a_merged_file_has_the_same_rows_in_the_order_of_commits_and_keys() throws Exception {
        rows.commit(1, thing("b", "name", "x", "count", 1L), thing("a", "v", List.of(1L)));
        rows.commit(2, thing("c", "price", 1.5, "open", true));
        rows.commit(5, thing("a", "count", 2L), thing("b"));
        List<StoredRow> before = rows.rows(history(THING.ref()));
        Checksum sum = rows.engine().checksum(THING.ref(), rows.files(THING.ref()));

        DataFile merged = merge(THING.ref());

        assertThat(in(merged, history(THING.ref()))).isEqualTo(before);
        assertThat(rows.engine().checksum(THING.ref(), List.of(merged))).isEqualTo(sum);
        assertThat(sum.rows()).isEqualTo(5);
        assertThat(plain(merged.path(), "*"))
                .containsExactly(
                        "1|Thing|a|1|{\"v\":[1]}|null|null|null|null|null|[1]",
                        "1|Thing|b|1|{\"count\":1,\"name\":\"x\"}|null|x|1|null|null|null",
                        "2|Thing|c|1|{\"open\":true,\"price\":1.5}|null|null|null|1.5|true|null",
                        "5|Thing|a|1|{\"count\":2}|null|null|2|null|null|null",
                        "5|Thing|b|1|{}|null|null|null|null|null|null");
        assertThat(in(merged, EngineQueries.where(THING.ref(), "count", 2L))).hasSize(1);
    }

    @Test
    void columns_that_do_not_fit_together_are_left_to_the_json() throws Exception {
        EntityType later = new EntityType(
                "Thing",
                List.of(
                        FieldDef.of("id", TypeSpec.Primitive.STR),
                        FieldDef.of("name", TypeSpec.orNull(TypeSpec.Primitive.INT)),
                        FieldDef.of("size", TypeSpec.orNull(TypeSpec.Primitive.INT))),
                "id");
        rows.commit(1, thing("a", "name", "x"), thing("b", "count", new BigInteger("9223372036854775808")));
        rows.commit(2, 2, later, List.of(thing("c", "name", 7L, "size", 1L)));
        rows.commit(3, thing("d", "count", 1L));
        List<StoredRow> before = rows.rows(history(THING.ref()));

        DataFile merged = merge(THING.ref());

        assertThat(in(merged, history(THING.ref()))).isEqualTo(before);
        assertThat(plain(merged.path(), "entity_key, size")).containsExactly("a|null", "b|null", "c|1", "d|null");
        assertThat(in(merged, EngineQueries.where(THING.ref(), "name", "x"))).hasSize(1);
        assertThat(in(merged, EngineQueries.where(THING.ref(), "name", 7L))).hasSize(1);
        assertThat(in(merged, EngineQueries.where(THING.ref(), "size", 1L))).hasSize(1);
        assertThat(in(merged, EngineQueries.where(THING.ref(), "count", new BigInteger("9223372036854775808"))))
                .hasSize(1);
    }

    @Test
    void fields_that_differ_only_in_case_are_told_apart() {
        EntityType before = cased("Size", TypeSpec.Primitive.INT);
        EntityType after = cased("size", TypeSpec.Primitive.STR);
        rows.commit(1, 1, before, List.of(thing("a", "Size", 7L)));
        rows.commit(2, 2, after, List.of(thing("b", "size", "large")));
        List<StoredRow> all = rows.rows(history(THING.ref()));

        DataFile merged = merge(THING.ref());
        rows.latest().rebuild(THING.ref(), List.of(merged), 2, "f");

        assertThat(in(merged, history(THING.ref()))).isEqualTo(all);
        assertThat(in(merged, EngineQueries.where(THING.ref(), "Size", 7L))).hasSize(1);
        assertThat(in(merged, EngineQueries.where(THING.ref(), "size", "large")))
                .hasSize(1);
        assertThat(in(merged, EngineQueries.where(THING.ref(), "Size", "large")))
                .isEmpty();
        assertThat(rows.rows(EngineQueries.where(THING.ref(), "Size", 7L))).hasSize(1);
        assertThat(rows.rows(EngineQueries.where(THING.ref(), "Size", "large"))).isEmpty();
        assertThat(rows.latest().find(THING.ref(), List.of(new Identity.OfEntity("a"), new Identity.OfEntity("b"))))
                .hasSize(2);
    }

    private static EntityType cased(String field, TypeSpec.Primitive type) {
        return new EntityType(
                "Thing",
                List.of(FieldDef.of("id", TypeSpec.Primitive.STR), FieldDef.of(field, TypeSpec.orNull(type))),
                "id");
    }

    @Test
    void many_rows_stay_in_order() throws Exception {
        for (int commit = 1; commit <= 5; commit++) {
            rows.commit(
                    commit,
                    1,
                    THING,
                    IntStream.range(0, 30_000)
                            .mapToObj(i -> thing("k" + (i * 7919L) % 100_003, "count", (long) i))
                            .toList());
        }

        DataFile merged = merge(THING.ref());

        List<String> order = plain(merged.path(), "lpad(CAST(commit_id AS VARCHAR), 4, '0') || entity_key");
        assertThat(order).hasSize(150_000).isSorted();
        assertThat(rows.engine().checksum(THING.ref(), List.of(merged)))
                .isEqualTo(rows.engine().checksum(THING.ref(), rows.files(THING.ref())));
    }

    @Test
    void a_checksum_tells_rows_apart() {
        DataFile one = rows.commit(1, link("ab", "c"));
        DataFile other = rows.commit(1, link("a", "bc"));
        DataFile changed = rows.commit(1, link("ab", "c", "v", 1L));
        DataFile later = rows.commit(2, link("ab", "c"));

        assertThat(Stream.of(
                                List.of(one),
                                List.of(other),
                                List.of(changed),
                                List.of(later),
                                List.of(one, one),
                                List.<DataFile>of())
                        .map(files -> rows.engine().checksum(LINK.ref(), files))
                        .distinct())
                .hasSize(6);
        assertThat(rows.engine().checksum(LINK.ref(), List.of(one, later)))
                .isEqualTo(rows.engine().checksum(LINK.ref(), List.of(later, one)));
    }

    @Test
    void files_of_other_writers_are_read_by_their_json_and_merged() throws Exception {
        Path first = folder.resolve("foreign1.parquet");
        Path second = folder.resolve("foreign2.parquet");
        foreign(first, """
                SELECT 1::INTEGER AS commit_id, 'Thing' AS entity_type, k AS entity_key, NULL::INTEGER AS schema_version_id,
                    '{"name": "x", "count": ' || k || '}' AS fields_json, 'not x' AS name, 5 AS count, 1 AS extra
                FROM (VALUES ('2'), ('1')) t(k)""");
        foreign(second, """
                SELECT '{"name":"y"}'::JSON AS fields_json, ['y'] AS name, '1' AS entity_key, 'Thing' AS entity_type,
                    2::BIGINT AS schema_version_id, 3::BIGINT AS commit_id""");
        List<DataFile> files = List.of(new DataFile(first, 1, 1), new DataFile(second, 3, 3));
        DataFile ours = rows.commit(4, thing("3", "name", "x"));
        List<DataFile> all = List.of(files.get(0), files.get(1), ours);

        Path target = folder.resolve("merged.parquet");
        rows.engine().merge(THING.ref(), all, target);
        DataFile merged = new DataFile(target, 1, 4);

        for (List<DataFile> source : List.of(all, List.of(merged))) {
            try (Stream<StoredRow> found = rows.engine()
                    .rows(
                            EngineQueries.where(THING.ref(), "name", "x"),
                            type -> new Source.Files(source),
                            rows.latest())) {
                assertThat(found)
                        .extracting(row -> row.identity() + "@" + row.commitId() + " v" + row.schemaVersion())
                        .containsExactly("2@1 v1", "3@4 v1");
            }
        }
        assertThat(plain(target, "commit_id, entity_key")).containsExactly("1|1", "1|2", "3|1", "4|3");
        assertThat(rows.engine().checksum(THING.ref(), List.of(merged)))
                .isEqualTo(rows.engine().checksum(THING.ref(), all));
    }

    @Test
    void an_explanation_shows_what_was_pushed_down() {
        rows.commit(1, thing("a", "count", 1L), thing("b", "count", 9L));

        String plan = rows.engine()
                .explain(EngineQueries.where(THING.ref(), "count", 5L), rows::source, rows.latest())
                .text();

        assertThat(plan).contains("PARQUET").contains("count=5");
    }
}
