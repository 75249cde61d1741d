package io.ontologia.store.object.internal.engine;

import static io.ontologia.store.object.internal.engine.Rows.THING;
import static io.ontologia.store.object.internal.engine.Rows.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.SqlNames;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A data file of a shared store is input: nothing in it becomes part of a statement, and the engine stays in its folders. */
class HostileFilesTest {
    @TempDir
    Path folder;

    @TempDir
    Path elsewhere;

    private Rows rows;

    @BeforeEach
    void open() {
        rows = new Rows(folder);
    }

    @AfterEach
    void close() {
        rows.close();
    }

    /** The metadata of a file, where EVIL stands for a path that must not be written. */
    static Stream<String> footers() {
        return Stream.of(
                "x\" FROM (SELECT 1 AS \"x\"); COPY (SELECT 1) TO 'EVIL' (FORMAT csv); SELECT 1 AS \"x",
                "x\" VARCHAR); COPY (SELECT 1) TO 'EVIL' (FORMAT csv); CREATE TABLE y (\"x",
                "x\"; COPY (SELECT 1) TO 'EVIL' (FORMAT csv); --",
                "\"",
                "a b",
                "",
                "commit_id",
                "x".repeat(10_000),
                "x\u0000y",
                "../x",
                "x\ny");
    }

    @ParameterizedTest
    @MethodSource("footers")
    void a_column_name_in_a_footer_is_never_run(String name) throws Exception {
        Path evil = elsewhere.resolve("evil.csv");
        rows.commit(1, thing("a", "name", "one"));
        DataFile file = foreign(2, name.replace("EVIL", evil.toString()));
        List<DataFile> all = List.of(rows.files(THING.ref()).get(0), file);

        rows.latest().rebuild(THING.ref(), all, 2, "two");
        List<String> fromTable = keys(type -> new Source.Table(2));
        List<String> fromFiles = keys(type -> new Source.Files(all));
        Path merged = folder.resolve("merged.parquet");
        rows.engine().merge(THING.ref(), all, merged);

        assertThat(fromTable).containsExactlyInAnyOrder("a@1", "b@2");
        assertThat(fromFiles).containsExactlyInAnyOrder("a@1", "b@2");
        assertThat(rows.engine()
                        .checksum(THING.ref(), List.of(new DataFile(merged, 1, 2)))
                        .rows())
                .isEqualTo(2);
        assertThat(evil).doesNotExist();
    }

    @Test
    void a_column_that_the_footer_promises_and_the_file_lacks_is_damage() throws Exception {
        List<DataFile> all = List.of(foreign(1, "missing"));

        assertThatThrownBy(() -> rows.latest().rebuild(THING.ref(), all, 1, "one"))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("does not hold what its description says")
                .extracting(e -> ((OntologiaException) e).kind())
                .isEqualTo(ErrorKind.CORRUPT);
    }

    @Test
    void a_name_with_quotes_stays_one_name() throws SQLException {
        String name = "x\" FROM y; DROP TABLE \"z";
        try (Database database = Database.open(options());
                Connection connection = database.connect()) {
            Database.execute(connection, "CREATE TABLE t (" + SqlNames.quoted(name) + " INTEGER)");

            try (PreparedStatement statement = Database.prepare(connection, SqlFragment.of("SELECT * FROM t"))) {
                assertThat(statement.getMetaData().getColumnName(1)).isEqualTo(name);
            }
        }
    }

    @Test
    void a_second_statement_is_refused_and_none_is_run() throws SQLException {
        try (Database database = Database.open(options());
                Connection connection = database.connect()) {
            Database.execute(connection, "CREATE TABLE t (i INTEGER)");
            for (String sql : List.of(
                    "INSERT INTO t VALUES (1); SELECT 1",
                    "INSERT INTO t VALUES (1); ",
                    "INSERT INTO t VALUES (1) /* ; */",
                    "INSERT INTO t VALUES (1) -- ;\n",
                    "INSERT INTO t VALUES (1), ('",
                    "INSERT INTO \"t")) {
                assertThatThrownBy(() -> Database.execute(connection, sql))
                        .describedAs(sql)
                        .isInstanceOf(OntologiaException.class);
            }

            assertThat(count(connection, "SELECT count(*) FROM t")).isZero();
            assertThat(count(connection, "SELECT strlen('a;--/*''') AS \"b;--/*\"\"\""))
                    .isEqualTo(7);
        }
    }

    @Test
    void the_engine_reads_and_writes_only_in_its_folders() throws Exception {
        Path secret = Files.writeString(elsewhere.resolve("secret.txt"), "secret", StandardCharsets.UTF_8);
        Path link = Files.createSymbolicLink(folder.resolve("link.txt"), secret);
        Path own = Files.writeString(folder.resolve("own.txt"), "own", StandardCharsets.UTF_8);
        try (Database database = Database.open(options());
                Connection connection = database.connect()) {
            for (Path denied : List.of(secret, link, folder.resolve("../" + elsewhere.getFileName() + "/secret.txt"))) {
                assertDenied(connection, "SELECT * FROM read_text(" + Literals.path(denied) + ")");
            }
            assertDenied(connection, "COPY (SELECT 1) TO " + Literals.path(elsewhere.resolve("new.csv")));
            assertDenied(connection, "ATTACH " + Literals.path(elsewhere.resolve("new.duckdb")) + " AS other");
            assertDenied(connection, "LOAD httpfs");
            assertDenied(connection, "INSTALL httpfs");

            assertThat(count(connection, "SELECT count(*) FROM read_text(" + Literals.path(own) + ")"))
                    .isEqualTo(1);
        }
        try (Stream<Path> files = Files.list(elsewhere)) {
            assertThat(files).containsExactly(secret);
        }
    }

    @Test
    void the_configuration_of_the_engine_is_locked() throws SQLException {
        try (Database database = Database.open(options());
                Connection connection = database.connect()) {
            for (String change : List.of(
                    "enable_external_access = true",
                    "allowed_directories = ['/']",
                    "lock_configuration = false",
                    "autoload_known_extensions = true",
                    "memory_limit = '1TB'")) {
                assertThatThrownBy(() -> Database.execute(connection, "SET " + change))
                        .isInstanceOf(SQLException.class);
            }
        }
    }

    @Test
    void folders_with_special_names_can_be_used() throws Exception {
        Path odd = Files.createDirectories(folder.resolve("it's, [a] \"folder\""));
        Path linked = Files.createSymbolicLink(folder.resolve("linked"), odd);
        try (Rows other = new Rows(linked)) {
            other.commit(1, thing("a"));

            assertThat(other.keys(RowQuery.of(THING.ref(), new Window.Latest())))
                    .containsExactly("a@1");
        }
    }

    private EngineOptions options() {
        return new EngineOptions("256MB", 2, folder.resolve("other"), List.of(folder));
    }

    private static void assertDenied(Connection connection, String sql) {
        assertThatThrownBy(() -> Database.execute(connection, sql))
                .describedAs(sql)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Permission Error");
    }

    private static long count(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = Database.prepare(connection, SqlFragment.of(sql));
                ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    private List<String> keys(Function<TypeRef, Source> sources) {
        RowQuery query = RowQuery.of(THING.ref(), new Window.Latest());
        try (var found = rows.engine().rows(query, sources, rows.latest())) {
            return found.map(row -> row.identity() + "@" + row.commitId()).toList();
        }
    }

    /** A file of another writer, whose metadata names a column. */
    private DataFile foreign(long commitId, String column) throws SQLException, IOException {
        Path file = folder.resolve(commitId + "-foreign.parquet");
        String mark = new FieldColumns(Map.of("name", FieldKind.STR, column, FieldKind.STR), FieldColumns.Scope.CLOSED)
                .toJson();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT " + commitId + "::BIGINT AS commit_id, 'Thing' AS entity_type, 'b' AS"
                    + " entity_key, 1::BIGINT AS schema_version_id, '{\"name\":\"two\"}' AS fields_json, 'two' AS name)"
                    + " TO '" + file + "' (FORMAT parquet, KV_METADATA {\"ontologia.columns\": '"
                    + mark.replace("'", "''") + "'})");
        }
        return new DataFile(file, commitId, commitId);
    }
}
