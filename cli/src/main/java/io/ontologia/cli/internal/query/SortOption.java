package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.core.Order;
import java.util.Locale;
import java.util.function.BiFunction;

/** Reads the value of {@code --order-by}. */
final class SortOption {
    private SortOption() {}

    /** What is sorted by, with its direction: {@code $.name} or {@code $.name:desc}. */
    static <T> T parse(String text, BiFunction<String, Order.Direction, T> order) {
        int colon = text.lastIndexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        Order.Direction direction =
                switch (colon < 0 ? "asc" : text.substring(colon + 1).toLowerCase(Locale.ROOT)) {
                    case "asc" -> Order.Direction.ASCENDING;
                    case "desc" -> Order.Direction.DESCENDING;
                    default ->
                        throw new UsageError("--order-by is '" + text + "'", "write it like $.name or $.name:desc");
                };
        return order.apply(name, direction);
    }
}
