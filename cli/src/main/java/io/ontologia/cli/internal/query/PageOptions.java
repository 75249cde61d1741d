package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.filter.Paths;
import io.ontologia.core.Order;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say in which order rows come, and which part of them. */
final class PageOptions {
    @Option(
            names = "--order-by",
            paramLabel = "PATH[:desc]",
            description = "Sort by this value; what has none comes last. May be given several times.")
    List<String> orderBy = new ArrayList<>();

    @Option(names = "--limit", paramLabel = "N", description = "At most so many.")
    @Nullable Long limit;

    @Option(names = "--offset", paramLabel = "N", description = "Without the first so many.")
    @Nullable Long offset;

    Order[] order() {
        return orderBy.stream()
                .map(text -> SortOption.parse(text, (path, direction) -> new Order(Paths.parse(path), direction)))
                .toArray(Order[]::new);
    }
}
