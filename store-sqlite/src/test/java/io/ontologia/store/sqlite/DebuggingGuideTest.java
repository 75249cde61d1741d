package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queries of the debugging guide work on a store, and find nothing wrong with a good one. */
class DebuggingGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "debugging-sqlite.md");
    private static final Pattern SQL_BLOCK = Pattern.compile("```sql\\R(.*?)```", Pattern.DOTALL);
    private static final List<String> SHOW_GOOD_THINGS =
            List.of("FROM sqlite_sequence", "SELECT schema_version_id, created_at", "FROM onto_latest_state");

    record Customer(@Key String id, String name) implements Entity {}

    @TempDir
    Path folder;

    private static Stream<String> queries() throws IOException {
        return SQL_BLOCK
                .matcher(Files.readString(GUIDE))
                .results()
                .map((MatchResult block) -> block.group(1).replaceAll("(?m)^--.*$", ""))
                .flatMap(block -> Stream.of(block.split(";")))
                .map(String::strip)
                .filter(sql -> !sql.isEmpty());
    }

    @Test
    void every_query_of_the_guide_runs_and_a_good_store_is_found_good() throws IOException {
        RawFile file = new RawFile(folder.resolve("onto.db"));
        try (Session session = Ontologia.open(file.uri(), Customer.class)) {
            session.ensure(new Customer("c1", "Alice"));
            session.commit();
            session.ensure(new Customer("c1", "Bob"));
            session.commit();
        }

        List<String> queries = queries().toList();

        assertThat(queries).hasSizeGreaterThan(12);
        for (String query : queries) {
            List<String> rows = file.column(query);
            if (SHOW_GOOD_THINGS.stream().noneMatch(query::contains)) {
                assertThat(rows).as(query).isEmpty();
            } else {
                assertThat(rows).as(query).isNotEmpty();
            }
        }
    }
}
