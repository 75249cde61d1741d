package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.StoredRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one statement, fetched a few thousand at a time, as a stream that holds its reading until it is closed or read
 * to its end.
 */
final class RowStream extends Spliterators.AbstractSpliterator<StoredRow> {
    private static final String WHAT = "cannot read rows";

    private final Reading reading;
    private final RowColumns columns;
    private final PreparedStatement statement;
    private final DuckDBChunkedResult result;
    private @Nullable DuckDBDataChunkReader chunk;
    private long next;
    private boolean closed;

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
        return StreamSupport.stream(rows, false).onClose(rows::close);
    }

    @Override
    public boolean tryAdvance(Consumer<? super StoredRow> action) {
        if (closed) {
            return false;
        }
        DuckDBDataChunkReader current = chunk;
        while (current == null || next == current.rowCount()) {
            if (!result.nextChunk()) {
                reading.requireWhole();
                close();
                return false;
            }
            current = result.chunk();
            chunk = current;
            next = 0;
        }
        action.accept(row(current, next++));
        return true;
    }

    private StoredRow row(DuckDBDataChunkReader current, long index) {
        int parts = columns.identity().size();
        List<String> identity = new ArrayList<>(parts);
        for (int part = 0; part < parts; part++) {
            identity.add(current.vector(part).getString(index));
        }
        DuckDBReadableVector fields = current.vector(parts);
        return new StoredRow(
                columns.identity(identity),
                fields.getString(index),
                current.vector(parts + 1).getLong(index),
                current.vector(parts + 2).getLong(index));
    }

    private void close() {
        if (closed) {
            return;
        }
        closed = true;
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
