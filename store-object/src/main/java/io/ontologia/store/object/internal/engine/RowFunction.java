package io.ontologia.store.object.internal.engine;

import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionBuilder;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.duckdb.DuckDBValue;

/** Lets SQL read rows that are in this process, as a table that exists while somebody lends it. */
final class RowFunction implements DuckDBTableFunction<RowBatch, AtomicInteger, Object> {
    private static final String NAME = "onto_rows";

    private final Map<Long, RowBatch> lent = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();

    /** A batch that SQL can read until it is closed. */
    final class Loan implements AutoCloseable {
        private final long id;

        private Loan(long id) {
            this.id = id;
        }

        /** The table, for use after FROM. */
        String sql() {
            return NAME + "(" + id + ")";
        }

        @Override
        public void close() {
            lent.remove(id);
        }
    }

    /** Makes the function known to a database; outside of any transaction, or it would be forgotten with it. */
    void register(DuckDBConnection connection) throws SQLException {
        try (DuckDBTableFunctionBuilder builder = DuckDBFunctions.tableFunction()) {
            builder.withName(NAME).withParameter(Long.class).withFunction(this).register(connection);
        }
    }

    Loan lend(RowBatch batch) {
        long id = ids.incrementAndGet();
        lent.put(id, batch);
        return new Loan(id);
    }

    @Override
    public RowBatch bind(DuckDBTableFunctionBindInfo info) {
        long id;
        try (DuckDBValue parameter = info.getParameter(0)) {
            id = parameter.getLong();
        }
        RowBatch batch = lent.get(id);
        if (batch == null) {
            throw new IllegalStateException("the rows are not lent any more");
        }
        batch.columns().forEach(column -> info.addResultColumn(column.name(), column.type()));
        info.setCardinality(batch.size(), true);
        return batch;
    }

    @Override
    public AtomicInteger init(DuckDBTableFunctionInitInfo info) {
        info.setMaxThreads(1);
        return new AtomicInteger();
    }

    @Override
    public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter target) {
        RowBatch batch = info.getBindData();
        AtomicInteger next = info.getInitData();
        int from = next.get();
        int count = (int) Math.min(target.capacity(), batch.size() - from);
        for (int i = 0; count > 0 && i < batch.columns().size(); i++) {
            RowBatch.copy(batch.columns().get(i), from, count, target.vector(i));
        }
        next.set(from + count);
        return count;
    }
}
