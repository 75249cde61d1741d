package io.ontologia.cli.internal.filter;

import io.ontologia.core.FieldPath;
import java.util.List;

/**
 * A path to a list and on inside its items: {@code $.tags}, {@code $.events[].kind}.
 *
 * @param list the list
 * @param item the path inside each item; empty for the item itself
 */
record ItemPath(FieldPath list, List<String> item) {
    private static final String ITEMS = "[]";

    /** Reads a path whose list is marked with {@code []}, or which is a list as a whole. */
    static ItemPath parse(String text) {
        int items = text.indexOf(ITEMS);
        if (items < 0) {
            return new ItemPath(Paths.parse(text), List.of());
        }
        String inside = text.substring(items + ITEMS.length());
        FieldPath list = Paths.parse(text.substring(0, items));
        if (inside.isEmpty()) {
            return new ItemPath(list, List.of());
        }
        if (!inside.startsWith(".") || inside.contains(ITEMS)) {
            throw Paths.invalid(text, "items of lists in lists cannot be looked into");
        }
        return new ItemPath(
                list,
                FieldPath.of(FieldPath.split(inside.substring(1)).toArray(String[]::new))
                        .segments());
    }

    static ItemPath of(TokenReader tokens, Token path) {
        return tokens.checked(path, () -> parse(path.text()));
    }

    /** A path to one value. */
    static FieldPath plain(TokenReader tokens, Token path) {
        if (path.text().contains(ITEMS)) {
            throw tokens.invalid(
                    path, "'" + path.text() + "' means many values", "write: any(" + path.text() + ") = …");
        }
        return tokens.checked(path, () -> Paths.parse(path.text()));
    }
}
