package io.ontologia.core;

import io.ontologia.core.internal.HistoryDigest;
import io.ontologia.core.spi.HistoryWriter;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;

/** Copies one store to another, commit by commit, and compares what arrived with what was read. */
final class StoreCopy {
    private final Storage source;
    private final Storage target;
    private final String runtimeId;
    private final Progress progress;

    StoreCopy(Storage source, Storage target, String runtimeId, Progress progress) {
        this.source = source;
        this.target = target;
        this.runtimeId = runtimeId;
        this.progress = progress;
    }

    CopyResult run() {
        HistoryDigest expected = copy();
        HistoryDigest seen = read(expected.head());
        Optional<String> difference = expected.differenceTo(seen);
        if (difference.isPresent()) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "the copy is not the original",
                    "not the same in both: " + difference.get(),
                    "run 'onto fsck' on both, remove the copy and try again");
        }
        return new CopyResult(
                expected.head(), expected.commits(), expected.typeCount(), expected.rowCount(), expected.events());
    }

    private HistoryDigest copy() {
        try (StoreHistory history = source.history();
                HistoryWriter writer = target.restore(source.location(), runtimeId)) {
            HistoryDigest digest = new HistoryDigest(history.types());
            writer.types(history.types());
            Optional<CommitInfo> next = history.next();
            while (next.isPresent()) {
                CommitInfo commit = next.get();
                digest.commit(commit, history.purged());
                history.erased().forEach(digest::erased);
                writer.commit(
                        commit,
                        history.purged(),
                        history.erased(),
                        action -> history.rows(row -> {
                            digest.row(row);
                            action.accept(row);
                        }));
                progress.report("commits", commit.id(), history.head());
                next = history.next();
            }
            digest.finish();
            history.bus(record -> {
                digest.bus(record);
                writer.bus(record);
            });
            writer.finish();
            return digest;
        }
    }

    private HistoryDigest read(long head) {
        try (StoreHistory history = target.history()) {
            HistoryDigest digest = new HistoryDigest(history.types());
            Optional<CommitInfo> next = history.next();
            while (next.isPresent() && next.get().id() <= head) {
                digest.commit(next.get(), history.purged());
                history.erased().forEach(digest::erased);
                history.rows(digest::row);
                progress.report("comparison", next.get().id(), head);
                next = history.next();
            }
            digest.finish();
            history.bus(digest::bus);
            return digest;
        }
    }
}
