package io.ontologia.store.sqlite;

import static io.ontologia.core.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Author;
import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Relation;
import io.ontologia.core.Result;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.testkit.SqliteSpecification;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statements of the specification, word by word, on our files; and our queries on files that were made with them. */
class SpecificationTest {
    record Customer(@Key String id, String tier) implements Entity {}

    record Product(@Key String sku) implements Entity {}

    record Owns(String leftKey, String rightKey, int count) implements Relation<Customer, Product> {}

    @TempDir
    Path folder;

    private Session open() {
        return Ontologia.open(
                "sqlite:///" + folder.resolve("onto.db"),
                SessionOptions.defaults().author(Author.none()),
                Customer.class,
                Product.class,
                Owns.class);
    }

    private ForeignFile file() throws Exception {
        return new ForeignFile(folder.resolve("onto.db"));
    }

    private void fill(Session session) {
        session.ensure(new Customer("c1", "Gold"), new Customer("c2", "Iron"), new Product("p1"));
        session.commit();
        session.ensure(new Customer("c1", "Iron"), new Owns("c1", "p1", 1), new Owns("c2", "p1", 2));
        session.commit();
        session.ensure(new Customer("c2", "Gold"), new Owns("c1", "p1", 3));
        session.commit();
    }

    private static <T> List<String> texts(Stream<Result<T>> results) {
        return results.map(result -> result.value() + " of " + result.commitId())
                .sorted()
                .toList();
    }

    private static List<String> customers(List<String> rows) {
        return rows.stream()
                .map(row -> row.split("\\|"))
                .map(row -> "Customer[id=" + row[0] + ", tier=" + row[1].replaceAll(".*\"tier\":\"(\\w+)\".*", "$1")
                        + "] of " + row[2])
                .sorted()
                .toList();
    }

    @Test
    void the_tables_and_indexes_are_those_of_the_specification() throws Exception {
        open().close();
        Path other = folder.resolve("spec.db");
        try (ForeignFile ours = file();
                ForeignFile spec = new ForeignFile(other)) {
            for (String table : SqliteSpecification.TABLES) {
                spec.execute(table);
            }
            for (String table : spec.rows("SELECT name FROM sqlite_master WHERE type = 'table'")) {
                for (String pragma : List.of("table_xinfo", "foreign_key_list")) {
                    String sql = "SELECT * FROM pragma_" + pragma + "('" + table + "')";
                    assertThat(ours.rows(sql)).as(sql).isEqualTo(spec.rows(sql));
                }
            }
            for (String index : spec.rows("SELECT name FROM sqlite_master WHERE type = 'index'")) {
                String sql = "SELECT * FROM pragma_index_xinfo('" + index + "')";
                assertThat(ours.rows(sql)).as(sql).isEqualTo(spec.rows(sql)).isNotEmpty();
            }
            assertThat(ours.rows("PRAGMA journal_mode")).containsExactly("wal");
        }
    }

    @Test
    void its_queries_find_in_our_files_what_ours_do() throws Exception {
        try (Session session = open();
                ForeignFile file = file()) {
            fill(session);
            var customers = session.entities(Customer.class);

            assertThat(customers(file.rows(SqliteSpecification.LATEST_ENTITIES, "Customer", "Customer")))
                    .isEqualTo(texts(customers.results().stream()));
            for (long commit = 0; commit <= 4; commit++) {
                assertThat(customers(file.rows(SqliteSpecification.ENTITIES_AS_OF, "Customer", commit, "Customer")))
                        .isEqualTo(texts(customers.asOf(commit).results().stream()));
            }
            assertThat(customers(file.rows(SqliteSpecification.ENTITY_HISTORY, "Customer")))
                    .isEqualTo(texts(customers.withHistory().results().stream()));
            assertThat(file.rows(SqliteSpecification.LATEST_ENTITY, "Customer", "c1"))
                    .containsExactly("{\"id\":\"c1\",\"tier\":\"Iron\"}|2");
            assertThat(file.rows(SqliteSpecification.LATEST_RELATIONS, "Owns", "Owns"))
                    .containsExactlyInAnyOrder("c1|p1||{\"count\":3}|3", "c2|p1||{\"count\":2}|2");
            assertThat(file.rows(SqliteSpecification.WHOSE_LEFT_END_IS, "Owns", "Owns", "Customer", "Customer", "Gold"))
                    .containsExactly("c2|p1||{\"count\":2}|2");
            assertThat(session.relations(Owns.class)
                            .where(left(Customer::tier).eq("Gold"))
                            .list())
                    .containsExactly(new Owns("c2", "p1", 2));
        }
    }

    @Test
    void a_commit_is_stored_as_the_write_protocol_says() throws Exception {
        try (Session session = open();
                ForeignFile file = file()) {
            session.ensure(new Customer("c1", "Gold"), new Owns("c1", "p1", 1));
            session.commit(Map.of("by", "Zoë", "n", 1));

            assertThat(file.rows("SELECT id, metadata_json FROM commits"))
                    .containsExactly("1|{\"by\":\"Zoë\",\"n\":1}");
            assertThat(file.rows("SELECT created_at FROM commits"))
                    .allMatch(text -> text.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}\\+00:00"));
            assertThat(file.rows("SELECT * FROM entity_history"))
                    .containsExactly("1|Customer|c1|{\"id\":\"c1\",\"tier\":\"Gold\"}|1|1");
            assertThat(file.rows("SELECT * FROM relation_history")).containsExactly("1|Owns|c1|p1||{\"count\":1}|1|1");
            assertThat(file.rows("SELECT r.type_name FROM schema_registry r JOIN schema_versions v USING (type_kind,"
                            + " type_name, schema_json) WHERE v.schema_version_id = 1 AND v.reason = 'initial'"))
                    .containsExactlyInAnyOrder("Customer", "Product", "Owns");
            assertThat(file.rows("SELECT * FROM locks")).isEmpty();
            session.ensure(new Customer("c2", "Gold"));
            session.commit();
            assertThat(file.rows("SELECT metadata_json FROM commits WHERE id = 2"))
                    .containsExactly("null");
            file.assertSound();
        }
    }
}
