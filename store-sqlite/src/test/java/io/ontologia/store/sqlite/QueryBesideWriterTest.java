package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Fields;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.testkit.CommitLoop.Counter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another process is stopped inside a write transaction. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueryBesideWriterTest {
    private static final int COMMITS = 200;

    @TempDir
    private Path folder;

    @Test
    void queries_and_closing_do_not_wait_for_a_writer_until_the_lock_timeout() throws SQLException {
        Path file = folder.resolve("onto.db");
        String uri = "sqlite:///" + file;
        SessionOptions options =
                SessionOptions.defaults().storage(StorageOptions.defaults().lockTimeout(Duration.ofMinutes(30)));
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement();
                Session session = Ontologia.open(uri, options, Counter.class)) {
            // A run of commits leaves copies behind, which the next query would like to bring level.
            for (int i = 1; i <= COMMITS; i++) {
                session.ensure(new Counter("shared", "a", i));
                session.commit();
            }
            statement.execute("BEGIN IMMEDIATE");

            assertThat(session.find(Counter.class, "shared")).contains(new Counter("shared", "a", COMMITS));
            assertThat(session.entities(Counter.class)
                            .where(Fields.field(Counter::value).eq((long) COMMITS))
                            .count())
                    .isOne();
        }
    }
}
