package io.ontologia.cli.internal.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.Upkeep;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportViewsTest {
    private static final EntityType CUSTOMER_1 = customer(FieldDef.of("age", Primitive.INT));
    private static final EntityType CUSTOMER_2 =
            customer(FieldDef.of("age", Primitive.STR), FieldDef.of("tags", new TypeSpec.ListOf(Primitive.STR)));
    private static final EntityType NOTE = new EntityType(
            "Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("commit_id", Primitive.INT)), "id");
    private static final EntityType EMPTY = new EntityType("Empty", List.of(FieldDef.of("id", Primitive.STR)), "id");
    private static final RelationType STINT = new RelationType(
            "Stint",
            "Customer",
            "Customer",
            Optional.of("stint"),
            List.of(FieldDef.of("stint", Primitive.STR), FieldDef.of("n", Primitive.INT)));

    @TempDir
    Path folder;

    private static EntityType customer(FieldDef... more) {
        List<FieldDef> fields = new ArrayList<>(List.of(FieldDef.of("id", Primitive.STR)));
        fields.addAll(List.of(more));
        return new EntityType("Customer", fields, "id");
    }

    private String uri() {
        return Backend.FOLDER.uri(folder, "store's");
    }

    /** Snapshots and files of commits, two schema versions of one type, a type that was purged and came back. */
    private void fill() {
        try (Session session =
                Ontologia.open(uri(), SessionOptions.defaults(), Model.of(CUSTOMER_1, NOTE, EMPTY, STINT))) {
            for (long i = 0; i < 10; i++) {
                session.ensure(new Row.OfEntity("Customer", "c" + i % 4, Map.of("age", i)));
                session.ensure(new Row.OfEntity("Note", "old", Map.of("commit_id", i)));
                session.ensure(new Row.OfRelation("Stint", "c1", "c2", "s" + i % 2, Map.of("n", i)));
                session.commit();
            }
        }
        try (Maintenance maintenance = Ontologia.maintain(uri(), SessionOptions.defaults())) {
            Upkeep upkeep = maintenance.storage().upkeep().orElseThrow();
            assertThat(upkeep.compact(Optional.empty(), "test", Progress.none()))
                    .hasSize(6);
            var drop = maintenance.drop(TypeRef.entity("Note")).purgingHistory();
            drop.apply(drop.preview().token(), Map.of());
            var migration =
                    maintenance.migration(Model.of(CUSTOMER_2), Upgraders.of(Upgrader.entity("Customer", 1, fields -> {
                        fields.put("age", "age " + fields.get("age"));
                        fields.put("tags", List.of("x"));
                        return fields;
                    })));
            migration.apply(migration.preview().token(), Map.of(), Progress.none());
        }
        try (Session session = Ontologia.open(uri(), SessionOptions.defaults(), Model.of(CUSTOMER_2, NOTE))) {
            session.ensure(new Row.OfEntity("Customer", "c0", Map.of("age", "it's \"old\"", "tags", List.of())));
            session.ensure(new Row.OfEntity("Note", "new", Map.of("commit_id", 7L)));
            session.commit();
        }
    }

    private OntoRun export(String... args) {
        List<String> all = new ArrayList<>(List.of("export", "views", "--storage-uri", uri()));
        all.addAll(List.of(args));
        return new Workspace(folder).run(all.toArray(String[]::new)).succeeded();
    }

    private static List<String> ask(String script, String question) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckdb.createStatement()) {
            statement.execute(script);
            try (ResultSet found = statement.executeQuery(question)) {
                while (found.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                        row.add(found.getString(i));
                    }
                    rows.add(String.join(" | ", row));
                }
            }
        }
        return rows;
    }

    private List<String> ours(TypeRef type, Window window) {
        try (Maintenance maintenance = Ontologia.maintain(uri(), SessionOptions.defaults());
                Stream<StoredRow> rows = maintenance.storage().rows(RowQuery.of(type, window))) {
            return rows.map(row -> row.identity() + " | " + row.commitId() + " | " + row.schemaVersion() + " | "
                            + row.fieldsJson())
                    .sorted()
                    .toList();
        }
    }

    private static List<String> theirs(String script, TypeRef type, String view) throws SQLException {
        String identity = type.name().equals("Stint")
                ? "left_key || ' -> ' || right_key || ' [' || instance_key || ']'"
                : "entity_key";
        return ask(script, "SELECT " + identity + ", commit_id, schema_version_id, fields_json FROM \"" + view + "\"")
                .stream()
                .sorted()
                .toList();
    }

    @Test
    void duckdb_finds_in_the_views_what_we_find() throws SQLException {
        fill();

        String script = export("--engine", "duckdb").out();

        for (TypeRef type : List.of(
                TypeRef.entity("Customer"),
                TypeRef.entity("Note"),
                TypeRef.entity("Empty"),
                TypeRef.relation("Stint"))) {
            String view = type.name().equals("Stint") ? "rel_Stint" : type.name();
            assertThat(theirs(script, type, view)).as(view).isEqualTo(ours(type, new Window.Latest()));
            assertThat(theirs(script, type, view + "_history")).as(view).isEqualTo(ours(type, new Window.History(0)));
        }
        assertThat(script).contains("snapshots/entities/Customer-1-8.parquet");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5, 9, 12})
    void duckdb_finds_in_the_views_of_the_past_what_we_find(long commit) throws SQLException {
        fill();

        String script =
                export("--engine", "duckdb", "--as-of", Long.toString(commit)).out();

        for (TypeRef type : List.of(TypeRef.entity("Customer"), TypeRef.entity("Note"), TypeRef.relation("Stint"))) {
            String view = (type.name().equals("Stint") ? "rel_" : "") + type.name() + "_as_of_" + commit;
            assertThat(theirs(script, type, view)).as(view).isEqualTo(ours(type, new Window.AsOf(commit)));
        }
    }

    @Test
    void fields_are_columns_whatever_version_of_the_schema_wrote_them() throws SQLException {
        fill();

        String script = export("--engine", "duckdb").out();

        assertThat(ask(script, "SELECT age, tags FROM \"Customer_history\" WHERE entity_key = 'c0' ORDER BY commit_id"))
                .containsExactly("0 | null", "4 | null", "8 | null", "age 8 | [\"x\"]", "it's \"old\" | []");
        assertThat(ask(script, "SELECT commit_id, field_commit_id + 1 FROM \"Note\""))
                .containsExactly("13 | 8");
        assertThat(ask(script, "SELECT sum(n) FROM \"rel_Stint\"")).containsExactly("17");
    }

    @Test
    void other_engines_get_the_same_files_in_their_own_words() {
        fill();

        String spark = export("--engine", "spark").out();
        String trino = export("--engine", "trino").out();

        assertThat(spark)
                .contains("CREATE OR REPLACE TEMPORARY VIEW `Customer` AS", "FROM parquet.`file://", "get_json_object(")
                .doesNotContain("\"Customer\"");
        assertThat(trino)
                .contains(
                        "external_location = 'file://",
                        "WHERE \"$path\" IN (",
                        "CREATE OR REPLACE VIEW \"rel_Stint_history\" AS",
                        "json_extract_scalar(fields_json, '$.n')");
        assertThat(Stream.of(spark, trino).map(sql -> sql.split("Customer-1-8\\.parquet", -1).length - 1))
                .containsOnly(1);
    }

    @Test
    void a_document_holds_the_script() {
        fill();

        OntoRun json = export("--engine", "DuckDB", "--as-of", "9", "--json");

        assertThat(json.at("engine")).isEqualTo("duckdb");
        assertThat(json.at("commit_id")).isEqualTo(9L);
        assertThat((String) json.at("sql"))
                .isEqualTo(export("--engine", "duckdb", "--as-of", "9").out());
    }

    @Test
    void what_cannot_be_exported_is_refused() {
        Workspace shop = Workspace.shop(folder, Backend.SQLITE);

        OntoRun sqlite = shop.onto("export", "views", "--engine", "duckdb").failedWith(4);
        shop.onto("export", "views").failedWith(2);
        shop.onto("export", "views", "--engine", "excel").failedWith(2);
        shop.onto("export").failedWith(2);

        assertThat(sqlite.err()).contains("only object stores", "onto copy");
    }
}
