package io.ontologia.store.object.internal.engine;

import static io.ontologia.store.object.internal.engine.Rows.THING;
import static io.ontologia.store.object.internal.engine.Rows.thing;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Window;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads read while the table of latest versions moves on: each sees whole commits, or is told that it is late. */
class ConcurrentUseIT {
    private static final int ROWS = 3_000;
    private static final int COMMITS = 60;

    @TempDir
    Path folder;

    @Test
    void readers_see_one_commit_or_are_told_that_the_table_has_moved() throws Exception {
        try (Rows rows = new Rows(folder)) {
            rows.commit(1, 1, THING, commit(1));
            rows.latest().rebuild(THING.ref(), rows.files(THING.ref()), 1, "");
            AtomicLong head = new AtomicLong(1);
            AtomicInteger answered = new AtomicInteger();
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<Future<?>> readers = Stream.<Future<?>>generate(
                                () -> threads.submit(() -> readUntil(COMMITS, rows, head, answered)))
                        .limit(4)
                        .toList();
                for (long id = 2; id <= COMMITS; id++) {
                    rows.latest()
                            .advance(
                                    List.of(new LatestTables.Written(
                                            RowBatch.of(THING, commit(id)), LatestTables.Before.SOME, id, 1)),
                                    "",
                                    "");
                    head.set(id);
                }
                for (Future<?> reader : readers) {
                    reader.get();
                }
            } finally {
                threads.shutdownNow();
            }

            assertThat(answered.get()).isPositive();
        }
    }

    private static List<DesiredRow> commit(long id) {
        return IntStream.range(0, ROWS)
                .mapToObj(i -> thing("k" + i, "count", id))
                .toList();
    }

    private static void readUntil(long last, Rows rows, AtomicLong head, AtomicInteger answered) {
        RowQuery all = RowQuery.of(THING.ref(), new Window.Latest());
        long at;
        do {
            at = head.get();
            long expected = at;
            try (Stream<StoredRow> found = rows.engine().rows(all, type -> new Source.Table(expected), rows.latest())) {
                List<StoredRow> seen = found.toList();
                assertThat(seen).hasSize(ROWS).allMatch(row -> row.commitId() == expected);
                answered.incrementAndGet();
            } catch (StaleLatestException e) {
                assertThat(e).hasMessageContaining("not at commit " + expected);
            }
        } while (at < last);
    }
}
