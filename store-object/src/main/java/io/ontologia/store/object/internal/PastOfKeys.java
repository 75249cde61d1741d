package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.store.object.internal.engine.Engine;
import io.ontologia.store.object.internal.engine.KeyVersions;
import io.ontologia.store.object.internal.engine.Source;
import io.ontologia.store.object.internal.engine.StaleLatestException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about the past of a few keys from local tables of all versions. Files are sorted by commit, so that each
 * such question reads a part of every file; a table reads all of them once, and is therefore made for a type only after
 * several questions.
 */
final class PastOfKeys implements AutoCloseable {
    /** After so many questions about a type its table is made. */
    static final int WORTH_A_TABLE = 32;

    private static final int FEW_KEYS = 64;

    private final Engine engine;
    private final Supplier<Latest> opening;
    private final Map<TypeRef, Integer> questions = new ConcurrentHashMap<>();
    private @Nullable Latest opened;
    private boolean closed;

    /**
     * @param opening opens the tables, when they are needed first
     */
    PastOfKeys(Engine engine, Supplier<Latest> opening) {
        this.engine = engine;
        this.opening = opening;
    }

    /** The rows that a query names at a view; empty when the files must answer. */
    Optional<Stream<StoredRow>> rows(RowQuery query, View view) {
        if (!isAboutPastOfFewKeys(query)
                || view.head().commitId() == 0
                || questions.merge(query.type(), 1, Integer::sum) <= WORTH_A_TABLE) {
            return Optional.empty();
        }
        Optional<Latest> tables = tables();
        if (tables.isEmpty() || !tables.get().bringTo(query.type(), view, Latest.Use.QUERY)) {
            return Optional.empty();
        }
        try {
            long head = view.head().commitId();
            return Optional.of(
                    KeyVersions.serve(query)
                            ? tables.get().tables().versions(query, head).stream()
                            : engine.rows(
                                    query,
                                    type -> new Source.Table(head),
                                    tables.get().tables()));
        } catch (StaleLatestException e) {
            return Optional.empty();
        }
    }

    private static boolean isAboutPastOfFewKeys(RowQuery query) {
        return !(query.window() instanceof Window.Latest)
                && query.restriction()
                        .filter(keys -> keys.keys().size() <= FEW_KEYS)
                        .isPresent()
                && Answers.typesOf(query, query::looksAt).size() == 1;
    }

    private synchronized Optional<Latest> tables() {
        Latest current = opened;
        if (current == null && !closed) {
            current = opening.get();
            opened = current;
        }
        return Optional.ofNullable(current);
    }

    /** The file of the tables is deleted when they are closed, also where an earlier process left it. */
    void discardOnClose() {
        tables().ifPresent(tables -> tables.tables().discardOnClose());
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (opened != null) {
            opened.tables().close();
            opened = null;
        }
    }
}
