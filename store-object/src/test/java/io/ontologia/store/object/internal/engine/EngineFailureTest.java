package io.ontologia.store.object.internal.engine;

import static io.ontologia.store.object.internal.engine.Rows.THING;
import static io.ontologia.store.object.internal.engine.Rows.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBPreparedStatement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures are told, in our words, and never look like the end of the rows. */
class EngineFailureTest {
    private static final RowQuery ALL = RowQuery.of(THING.ref(), new Window.Latest());

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

    private void assertFails(ErrorKind kind, RowQuery query, DataFile... files) {
        assertThatThrownBy(() -> {
                    try (Stream<StoredRow> found =
                            rows.engine().rows(query, type -> new Source.Files(List.of(files)), rows.latest())) {
                        assertThat(found.toList()).isEmpty();
                    }
                })
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @Test
    void fields_that_are_no_json_are_told_when_a_query_looks_into_them() throws Exception {
        Path file = folder.resolve("broken.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT 1::BIGINT AS commit_id, 'Thing' AS entity_type, 'k' || i AS entity_key,"
                    + " 1::BIGINT AS schema_version_id, CASE WHEN i = 9000 THEN '{' ELSE '{}' END AS fields_json"
                    + " FROM range(10000) r(i)) TO '" + file + "' (FORMAT parquet)");
        }

        assertFails(ErrorKind.CORRUPT, EngineQueries.where(THING.ref(), "v", "x"), new DataFile(file, 1, 1));
    }

    @Test
    void a_file_that_is_not_parquet_or_not_there_is_told() throws Exception {
        Path file = folder.resolve("text.parquet");
        Files.writeString(file, "this is no Parquet file, although it is long enough", StandardCharsets.UTF_8);

        assertFails(ErrorKind.CORRUPT, ALL, new DataFile(file, 1, 1));
        assertFails(ErrorKind.UNAVAILABLE, ALL, new DataFile(folder.resolve("nothing.parquet"), 1, 1));
    }

    @Test
    void a_result_that_stops_in_the_middle_is_not_taken_for_whole() throws Exception {
        try (Database database =
                        Database.open(new EngineOptions("256MB", 2, folder.resolve("other"), List.of(folder)));
                Reading reading = Reading.begin(database);
                PreparedStatement statement = reading.connection()
                        .prepareStatement("SELECT CASE WHEN i < 900000 THEN i ELSE CAST('x' || i AS BIGINT) END"
                                + " FROM range(1000000) r(i)")) {
            DuckDBChunkedResult result =
                    statement.unwrap(DuckDBPreparedStatement.class).query();
            while (result.nextChunk()) {
                assertThat(result.chunk().rowCount()).isPositive();
            }

            assertThatThrownBy(reading::requireWhole)
                    .isInstanceOf(OntologiaException.class)
                    .hasMessageContaining("stopped in the middle");
        }
    }

    @Test
    void a_closed_engine_says_so() {
        rows.commit(1, thing("a"));
        rows.close();

        assertFails(ErrorKind.CLOSED, ALL, rows.files(THING.ref()).get(0));
    }

    @Test
    void a_stream_that_is_not_read_to_its_end_lets_go_of_everything() throws SQLException {
        rows.commit(1, thing("a"), thing("b"));

        for (int i = 0; i < 200; i++) {
            try (Stream<StoredRow> found = rows.engine().rows(ALL, rows::source, rows.latest())) {
                assertThat(found.findFirst()).isPresent();
            }
        }
        assertThat(rows.count(ALL)).isEqualTo(2);
    }
}
