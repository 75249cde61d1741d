package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Window;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.SqlNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Rows in a local table. */
final class TableRows implements RowSource {
    /** DuckDB looks into an index only when one column alone has a condition that it understands. */
    private static final String COMMIT = "(commit_id + 0)";

    private final Extent extent;
    private final RowColumns columns;
    private final String table;
    private final FieldColumns fieldColumns;

    TableRows(Extent extent, RowColumns columns, String table, FieldColumns fieldColumns) {
        this.extent = extent;
        this.columns = columns;
        this.table = table;
        this.fieldColumns = fieldColumns;
    }

    @Override
    public Optional<FieldKind> plain(String field) {
        return fieldColumns.plain(field);
    }

    @Override
    public boolean mayHaveEnds() {
        return extent == Extent.ALL;
    }

    @Override
    public SqlFragment select(Window window, Set<String> fields, List<SqlFragment> onIdentity) {
        if (extent == Extent.LATEST && !(window instanceof Window.Latest)) {
            throw new IllegalArgumentException("a table of latest versions holds no others");
        }
        List<SqlFragment> conditions = new ArrayList<>(onIdentity);
        if (window instanceof Window.History history) {
            conditions.add(SqlFragment.of(COMMIT + " > " + history.afterCommitId()));
        }
        window.upTo().ifPresent(upTo -> conditions.add(SqlFragment.of(COMMIT + " <= " + upTo)));
        boolean onePerRow = extent == Extent.ALL && !(window instanceof Window.History);
        return SqlFragment.of("SELECT " + columns.base()
                        + fields.stream()
                                .map(field -> ", " + SqlNames.quoted(field))
                                .collect(Collectors.joining())
                        + " FROM " + table)
                .then(RowSource.where(conditions))
                .then(onePerRow ? columns.newestFirstOnly() + " AND fields_json <> 'null'" : "");
    }
}
