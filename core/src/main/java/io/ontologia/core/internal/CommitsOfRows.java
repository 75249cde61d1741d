package io.ontologia.core.internal;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.spi.LogQuery;
import io.ontologia.core.spi.Storage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the log entries of the commits that wrote rows: once for each commit, for a batch of rows at a time. Memory is bounded:
 * it keeps the entries of the last few thousand commits. For one thread.
 */
public final class CommitsOfRows {
    private static final int BATCH = 500;
    private static final int MOST_KEPT = 10_000;

    private final Storage storage;
    private final Map<Long, CommitInfo> known = new HashMap<>();

    public CommitsOfRows(Storage storage) {
        this.storage = storage;
    }

    /** Something made of each row and of the commit that wrote it, which is null when the log has no such entry. */
    public <T> Stream<T> with(Stream<FoundRow> rows, BiFunction<FoundRow, @Nullable CommitInfo, T> make) {
        Iterator<FoundRow> iterator = rows.iterator();
        return ClosingStreams.of(
                Stream.iterate(nextBatch(iterator), batch -> !batch.isEmpty(), batch -> nextBatch(iterator))
                        .flatMap(List::stream)
                        .map(row -> make.apply(row, known.get(row.commitId())))
                        .onClose(rows::close));
    }

    private List<FoundRow> nextBatch(Iterator<FoundRow> rows) {
        List<FoundRow> batch = new ArrayList<>();
        Set<Long> missing = new HashSet<>();
        while (batch.size() < BATCH && rows.hasNext()) {
            FoundRow row = rows.next();
            batch.add(row);
            missing.add(row.commitId());
        }
        if (known.size() > MOST_KEPT) {
            known.keySet().retainAll(missing);
        }
        missing.removeAll(known.keySet());
        if (!missing.isEmpty()) {
            long most = missing.stream().mapToLong(Long::longValue).max().orElseThrow();
            LogQuery query = new LogQuery(0, OptionalLong.of(most), Set.of(), Optional.of(missing));
            try (Stream<CommitInfo> log = storage.commits(query)) {
                log.forEach(commit -> known.put(commit.id(), commit));
            }
        }
        return batch;
    }
}
