package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.testkit.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A million rows go through a process whose heap cannot hold them. */
class MillionRowsIT {
    private static final int ROWS = 1_000_000;

    record Item(@Key String id, long number, String text) implements Entity {}

    @TempDir
    Path folder;

    @Test
    void a_million_rows_are_streamed_in_a_small_heap() throws Exception {
        Path file = folder.resolve("onto.db");
        Ontologia.open("sqlite:///" + file, Item.class).close();
        fill(file);
        List<String> heard = Collections.synchronizedList(new ArrayList<>());

        try (ChildJvm reader = new ChildJvm(MillionRowsIT.class, "256m", folder, heard::add, "sqlite:///" + file)) {
            assertThat(reader.await()).isZero();
        }

        long sum = (ROWS - 1L) * ROWS / 2;
        assertThat(heard).containsExactly(ROWS + " " + sum);
    }

    private static void fill(Path file) throws Exception {
        try (ForeignFile foreign = new ForeignFile(file)) {
            foreign.execute("PRAGMA synchronous = OFF");
            foreign.execute("BEGIN");
            foreign.execute("INSERT INTO commits (created_at) VALUES ('2026-01-01T00:00:00.000000+00:00')");
            foreign.execute("""
                    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
                    INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id, schema_version_id)
                    SELECT 'Item', printf('i%07d', i), printf('{"id":"i%07d","number":%d,"text":"%s"}', i, i, ?), 1, 1
                    FROM n""", ROWS, "x".repeat(200));
            foreign.execute("COMMIT");
        }
    }

    /** Reads the store that its argument names. */
    public static void main(String[] arguments) {
        try (Session session = Ontologia.open(arguments[0], Item.class);
                Stream<Item> items = session.entities(Item.class).stream()) {
            long[] countAndSum = new long[2];
            items.forEach(item -> {
                countAndSum[0]++;
                countAndSum[1] += item.number();
            });
            System.out.println(countAndSum[0] + " " + countAndSum[1]);
        }
    }
}
