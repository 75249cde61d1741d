package io.ontologia.store.sqlite.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A statement that would run without end is ended, and one that the size of the file explains is not. */
class StepLimitTest {
    private static final String NUMBERS =
            "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT %d) SELECT count(*) FROM r";

    @TempDir
    Path folder;

    @Test
    void an_endless_statement_is_ended() throws SQLException {
        Path file = folder.resolve("a.db");
        try (SqlConnection connection = new SqlConnection(DriverManager.getConnection("jdbc:sqlite:" + file))) {
            connection.limitSteps(file);

            assertThatThrownBy(() -> connection.number(NUMBERS.formatted(-1)))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(SqlErrors.wrap("cannot read", e).kind())
                                    .isEqualTo(ErrorKind.CORRUPT));
            assertThat(connection.number("SELECT 1")).hasValue(1);
        }
    }

    @Test
    void steps_count_from_the_beginning_of_each_statement_and_the_limit_grows_with_the_file() throws Exception {
        Path file = folder.resolve("a.db");
        Path large = Files.write(folder.resolve("large"), new byte[200_000]);
        int some = 2_000_000;
        try (SqlConnection connection = new SqlConnection(DriverManager.getConnection("jdbc:sqlite:" + file))) {
            connection.limitSteps(large);

            for (int i = 0; i < 4; i++) {
                assertThat(connection.number(NUMBERS.formatted(some))).hasValue(some);
            }
            assertThat(connection.number(NUMBERS.formatted(3 * some))).hasValue(3L * some);
        }
    }
}
