package io.ontologia.cli.internal.output;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Prints a table page by page, so that its rows need not fit into memory together. */
public final class TableWriter implements AutoCloseable {
    private static final int PAGE = 500;

    private final TableLayout table;
    private final Table.Painter painter;
    private final Consumer<String> print;
    private final Consumer<String> note;
    private final List<List<? extends @Nullable Object>> page = new ArrayList<>();
    private boolean printed;

    TableWriter(TableLayout table, Table.Painter painter, Consumer<String> print, Consumer<String> note) {
        this.table = table;
        this.painter = painter;
        this.print = print;
        this.note = note;
    }

    /** One more row. */
    public void add(List<? extends @Nullable Object> row) {
        page.add(row);
        if (page.size() == PAGE) {
            flush();
        }
    }

    /** Prints what is left; the headers also when there was no row. */
    @Override
    public void close() {
        if (!page.isEmpty() || !printed) {
            flush();
        }
        if (!table.remark().isEmpty()) {
            note.accept(table.remark());
        }
    }

    /** Prints what came so far, without waiting for more. */
    public void flush() {
        table.page(page, painter).forEach(print);
        page.clear();
        printed = true;
    }
}
