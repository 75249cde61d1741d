package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Session;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what writers of a {@link CommitLoop} were told with what is in the file. */
final class CommitCheck {
    /** A commit that a writer was told has been made. */
    record Ack(long commitId, String writer, long number) {}

    private CommitCheck() {}

    /** Checks everything. Returns how many commits are in the file. */
    static long check(Path file, List<Ack> acks) throws SQLException {
        try (Session session = CommitLoop.open("sqlite:///" + file)) {
            // Copies that killed writers left behind are level for whoever asks.
            session.entities(CommitLoop.Counter.class).first();
        }
        try (ForeignFile foreign = new ForeignFile(file)) {
            foreign.assertSound();
            List<Ack> stored = stored(foreign);
            assertThat(stored).as("acknowledged commits").containsAll(acks);
            assertThat(acks).extracting(Ack::commitId).doesNotHaveDuplicates();
            assertNumbersGoUpByOne(stored);
            assertWhole(foreign);
            return stored.size();
        }
    }

    private static List<Ack> stored(ForeignFile file) throws SQLException {
        List<Ack> stored = new ArrayList<>();
        for (String row : file.rows("SELECT id, metadata_json ->> '$.writer', metadata_json ->> '$.number' FROM commits"
                + " ORDER BY id")) {
            String[] parts = row.split("\\|", -1);
            stored.add(new Ack(Long.parseLong(parts[0]), parts[1], Long.parseLong(parts[2])));
        }
        return stored;
    }

    /** Each writer adds one to what it read: a number that is missing or twice is an update that was lost. */
    private static void assertNumbersGoUpByOne(List<Ack> inOrder) {
        Map<String, Long> last = new HashMap<>();
        for (Ack commit : inOrder) {
            assertThat(commit.number()).as("%s", commit).isEqualTo(last.getOrDefault(commit.writer(), 0L) + 1);
            last.put(commit.writer(), commit.number());
        }
    }

    /** Every commit has all of its rows, and they hold its number: also the rows that all writers share. */
    private static void assertWhole(ForeignFile file) throws SQLException {
        Set<String> counts = new HashSet<>(file.rows("""
                SELECT count(*), sum(entity_key = 'shared'),
                    sum(fields_json ->> '$.value' = metadata_json ->> '$.number'),
                    sum(fields_json ->> '$.writer' = metadata_json ->> '$.writer')
                FROM entity_history JOIN commits ON commits.id = commit_id GROUP BY commit_id"""));
        int entities = CommitLoop.ROWS - 1;
        assertThat(counts).containsExactly(entities + "|1|" + entities + "|" + entities);
        assertThat(file.rows("""
                SELECT id FROM commits WHERE 1 <> (SELECT count(*) FROM relation_history WHERE commit_id = commits.id
                    AND fields_json ->> '$.value' = metadata_json ->> '$.number'
                    AND fields_json ->> '$.writer' = metadata_json ->> '$.writer')""")).isEmpty();
    }
}
