package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBPreparedStatement;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one statement, fetched a few thousand at a time, as a stream that holds its reading until it is closed or read
 * to its end. Read by one thread at a time; others may park or end it meanwhile.
 */
final class RowStream extends Spliterators.AbstractSpliterator<StoredRow> {
    private static final String WHAT = "cannot read rows";

    private enum State {
        OPEN,
        AT_END,
        CLOSED
    }

    private final Reading reading;
    private final RowColumns columns;
    private final PreparedStatement statement;
    private final DuckDBChunkedResult result;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable DuckDBDataChunkReader chunk;
    private long next;
    private @Nullable ParkedRows parked;
    private @Nullable RuntimeException failure;
    private State state = State.OPEN;
    private boolean released;

    private RowStream(Reading reading, RowColumns columns, PreparedStatement statement, DuckDBChunkedResult result) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.reading = reading;
        this.columns = columns;
        this.statement = statement;
        this.result = result;
    }

    /** Runs a statement. The stream closes the reading; when this method throws, the caller does. */
    static Stream<StoredRow> open(Reading reading, RowColumns columns, PreparedStatement statement)
            throws SQLException {
        DuckDBChunkedResult result =
                statement.unwrap(DuckDBPreparedStatement.class).query();
        RowStream rows = new RowStream(reading, columns, statement, result);
        reading.database().opened(rows);
        return StreamSupport.stream(rows, false).onClose(rows::close);
    }

    @Override
    public boolean tryAdvance(Consumer<? super StoredRow> action) {
        Optional<StoredRow> row;
        lock.lock();
        try {
            row = next();
        } finally {
            lock.unlock();
        }
        row.ifPresent(action);
        return row.isPresent();
    }

    private Optional<StoredRow> next() {
        if (state == State.AT_END) {
            return Optional.empty();
        }
        if (state == State.CLOSED) {
            throw new OntologiaException(ErrorKind.CLOSED, WHAT, "the stream was closed", "open another one");
        }
        if (failure != null) {
            throw failure;
        }
        Optional<StoredRow> row = parked != null ? parked.next() : fetch();
        if (row.isEmpty()) {
            end(State.AT_END);
        }
        return row;
    }

    private Optional<StoredRow> fetch() {
        DuckDBDataChunkReader current = chunk;
        while (current == null || next == current.rowCount()) {
            if (!result.nextChunk()) {
                reading.requireWhole();
                return Optional.empty();
            }
            current = result.chunk();
            chunk = current;
            next = 0;
        }
        return Optional.of(row(current, next++));
    }

    private StoredRow row(DuckDBDataChunkReader current, long index) {
        int parts = columns.identity().size();
        List<String> identity = new ArrayList<>(parts);
        try {
            for (int part = 0; part < parts; part++) {
                identity.add(Objects.requireNonNull(current.vector(part).getString(index)));
            }
            return new StoredRow(
                    columns.identity(identity),
                    Objects.requireNonNull(current.vector(parts).getString(index)),
                    current.vector(parts + 1).getLong(index),
                    current.vector(parts + 2).getLong(index));
        } catch (DuckDBFunctions.FunctionException | NullPointerException e) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    WHAT,
                    "a row of a data file has no key, fields, commit or schema version",
                    "'onto fsck' tells which file; restore it from a backup",
                    e);
        }
    }

    /**
     * Moves the rows that were not read yet to a file, and lets go of the engine's memory.
     *
     * @return false when the stream is being read at the moment
     */
    boolean park(Path folder) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (state == State.OPEN && parked == null) {
                try {
                    parked = ParkedRows.write(folder, columns, this::fetch);
                } catch (RuntimeException e) {
                    // The stream's own thread must hear of it, not the one that needs the room.
                    failure = e;
                }
                releaseReading();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            if (state == State.OPEN) {
                end(State.CLOSED);
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(State last) {
        state = last;
        try {
            if (parked != null) {
                parked.close();
            } else {
                releaseReading();
            }
        } finally {
            reading.database().ended(this);
        }
    }

    private void releaseReading() {
        if (released) {
            return;
        }
        released = true;
        chunk = null;
        try {
            result.close();
            statement.close();
        } catch (SQLException e) {
            throw DuckErrors.wrap(WHAT, e);
        } finally {
            reading.close();
        }
    }
}
