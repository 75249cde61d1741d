package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Window;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.SqlNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Rows in a table of latest versions. */
final class TableRows implements RowSource {
    private final RowColumns columns;
    private final String table;
    private final FieldColumns fieldColumns;

    TableRows(RowColumns columns, String table, FieldColumns fieldColumns) {
        this.columns = columns;
        this.table = table;
        this.fieldColumns = fieldColumns;
    }

    @Override
    public Optional<FieldKind> plain(String field) {
        return fieldColumns.plain(field);
    }

    @Override
    public SqlFragment select(Window window, Set<String> fields, List<SqlFragment> onIdentity) {
        if (!(window instanceof Window.Latest)) {
            throw new IllegalArgumentException("a table of latest versions knows no others");
        }
        return SqlFragment.of("SELECT " + columns.base()
                        + fields.stream()
                                .map(field -> ", " + SqlNames.quoted(field))
                                .collect(Collectors.joining())
                        + " FROM " + table)
                .then(RowSource.where(onIdentity));
    }
}
