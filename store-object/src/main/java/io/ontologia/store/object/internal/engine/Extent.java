package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.SqlFragment;
import java.util.List;

/** Which versions of its rows a local table holds. */
enum Extent {
    /** The newest version of each row, with columns for the values of fields. */
    LATEST("latest"),

    /** Every version of each row, for questions about a few keys. Values of fields are read from JSON. */
    ALL("versions");

    private final String prefix;

    Extent(String prefix) {
        this.prefix = prefix;
    }

    /** The first word of the names of files with such tables. */
    String prefix() {
        return prefix;
    }

    /** The columns of fields that a table has, given those that its sources have in common. */
    FieldColumns columns(FieldColumns common) {
        return this == LATEST ? common : FieldColumns.UNKNOWN;
    }

    /**
     * Selects the rows of files that belong into a table.
     *
     * @param after rows of this commit and of earlier ones are left out
     * @param upTo rows of later commits are left out
     */
    SqlFragment select(FileRows rows, TypeRef type, FieldColumns columns, long after, long upTo) {
        SqlFragment newer = SqlFragment.of("commit_id > " + after);
        if (this == LATEST) {
            return rows.select(new Window.AsOf(upTo), columns.plainNames(), after == 0 ? List.of() : List.of(newer));
        }
        // Neighbours in the table are neighbours in key order: a question about one key reads a small part of the table
        // even without an index.
        return rows.select(
                        new Window.History(after),
                        columns.plainNames(),
                        List.of(SqlFragment.of("commit_id <= " + upTo)))
                .then(" ORDER BY " + RowColumns.of(type.kind()).identityList() + ", commit_id");
    }
}
