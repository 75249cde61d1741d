package io.ontologia.store.object.internal.engine;

import static io.ontologia.store.object.internal.engine.Rows.thing;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine holds no more memory after many commits and answers than after a few. */
class EngineMemoryTest {
    private static final EntityType THING = new EntityType(
            "Thing", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("count", Primitive.INT)), "id");
    private static final int ROWS = 20_000;
    private static final long SPARE_BYTES = 1L << 20;

    @TempDir
    Path folder;

    private long head = 1;

    @Test
    void memory_does_not_grow_with_streams_that_were_read_in_part() throws SQLException {
        try (Rows rows = new Rows(folder)) {
            rows.commit(
                    1,
                    1,
                    THING,
                    IntStream.range(0, ROWS)
                            .mapToObj(i -> thing("k" + i, "count", 1L))
                            .toList());
            rows.latest().rebuild(THING.ref(), rows.files(THING.ref()), 1, "");
            use(rows, 20);
            long bytes = bytes(rows);

            use(rows, 80);

            assertThat(bytes(rows) - bytes).isLessThan(SPARE_BYTES);
        }
    }

    private void use(Rows rows, int times) {
        for (int i = 0; i < times; i++) {
            head++;
            rows.latest()
                    .advance(
                            List.of(new LatestTables.Written(
                                    RowBatch.of(THING, List.of(thing("k" + i, "count", head))),
                                    LatestTables.Before.SOME,
                                    head,
                                    1)),
                            "",
                            "");
            long now = head;
            try (Stream<StoredRow> some = rows.engine()
                    .rows(
                            RowQuery.of(THING.ref(), new Window.Latest()),
                            type -> new Source.Table(now),
                            rows.latest())) {
                assertThat(some.iterator().next()).isNotNull();
            }
        }
    }

    /** What the database of the store holds in memory, by its own account. */
    private static long bytes(Rows rows) throws SQLException {
        try (DuckDBConnection connection = rows.latest().local().database().connect();
                Statement statement = connection.createStatement();
                ResultSet sum = statement.executeQuery("SELECT sum(memory_usage_bytes) FROM duckdb_memory()")) {
            sum.next();
            return sum.getLong(1);
        }
    }
}
