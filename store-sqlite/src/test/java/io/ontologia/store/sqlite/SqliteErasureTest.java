package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Erasure;
import io.ontologia.core.ErasureRemains;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.Window;
import io.ontologia.testkit.ErasedContentContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteErasureTest extends ErasedContentContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }

    /** The pages of SQLite are not compressed: file, write-ahead log and the file beside them are searched as they are. */
    @Override
    protected List<String> placesOf(String text) {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> found = new ArrayList<>();
            for (Path file : files.toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
                    found.add(file.toString());
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void collectGarbage() {}

    private Connection sqlite() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("onto.db"));
    }

    @Test
    void a_reader_of_an_earlier_state_keeps_the_content_until_it_ends() throws SQLException {
        fill();
        try (Maintenance open = maintain();
                Connection reader = sqlite();
                Statement reading = reader.createStatement()) {
            reader.setAutoCommit(false);
            reading.executeQuery("SELECT count(*) FROM entity_history").close();

            ErasureRemains remains = eraseImpatiently();

            assertThat(remains.isEmpty()).isFalse();
            assertThat(remains.remedy()).contains("onto erase --finish");
            assertThat(keys(CUSTOMER, new Window.History(0))).containsExactly("other");
            assertThat(remaining()).extracting(Finding::code).containsExactly("erasure-unfinished");

            reader.rollback();
            assertThat(open.finishErasures(Progress.none()).isEmpty()).isTrue();
        }
        assertThat(remaining()).isEmpty();
        assertThat(placesOf(SECRET)).isEmpty();
    }

    private ErasureRemains eraseImpatiently() {
        SessionOptions options = options("operator");
        try (Maintenance impatient =
                Ontologia.maintain(uri(), options.storage(options.storage().lockTimeout(Duration.ofMillis(50))))) {
            Erasure erasure = ofSecret(impatient);
            return erasure.apply(erasure.preview().token(), Map.of(), Progress.none())
                    .remains();
        }
    }

    @Test
    void a_note_of_an_erasure_that_no_commit_records_is_found() throws SQLException {
        fill();
        erase();
        try (Connection connection = sqlite();
                Statement statement = connection.createStatement()) {
            // Removes a row of another key and hides that behind the erasure that took place.
            statement.execute("DELETE FROM entity_history WHERE entity_key = 'other'");
            statement.execute("INSERT INTO onto_erased_rows SELECT commit_id, type_kind, type_name,"
                    + " '00000000000000000000000000000000000000000000000000000000000000ff', erased_by"
                    + " FROM onto_erased_rows LIMIT 1");
        }

        assertThat(problems()).extracting(Finding::code).contains("erasure-unexplained", "digest-mismatch");
    }

    @Test
    void a_note_with_the_right_hash_and_no_erasure_is_found() throws SQLException {
        fill();
        erase();
        try (Connection connection = sqlite();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE onto_erased_rows SET erased_by = 3 WHERE commit_id = 1");
        }

        assertThat(problems()).extracting(Finding::code).containsExactly("erasure-unexplained");
    }

    @Test
    void rows_that_come_back_from_an_older_file_are_found() throws SQLException {
        fill();
        try (Connection connection = sqlite();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE kept AS SELECT * FROM entity_history");
        }
        erase();
        try (Connection connection = sqlite();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO entity_history SELECT * FROM kept WHERE entity_key = '" + KEY + "'");
        }

        assertThat(remaining()).extracting(Finding::code).contains("erased-row-present");
        assertThat(List.of(KEY)).isSubsetOf(keys(CUSTOMER, new Window.History(0)));
    }
}
