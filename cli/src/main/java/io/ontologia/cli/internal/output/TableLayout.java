package io.ontologia.cli.internal.output;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the rows of a table become lines. Rows come in pages; what stands above the first comes with the first page. */
interface TableLayout {
    /** The lines of the next page. */
    List<String> page(List<? extends List<? extends @Nullable Object>> rows, Table.Painter painter);

    /** What to print for people once the last page is printed; empty when there is nothing. */
    default String remark() {
        return "";
    }
}
