package io.ontologia.core.spi;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import java.util.List;

/**
 * What to compute over rows.
 *
 * @param rows which rows; its order, limit and offset apply to the groups and may only name aggregates' results
 * @param groupBy one group for each combination of these values; one group in all when empty
 * @param having conditions on the results of each group, all of which must hold
 */
public record AggregateQuery(
        RowQuery rows, List<Aggregate> aggregates, List<FieldPath> groupBy, List<Aggregate.Having> having) {

    /** Whether the rows, a group or an aggregate looks into a document. */
    public boolean looksAt(FieldPath.Scope scope) {
        return rows.looksAt(scope)
                || groupBy.stream().anyMatch(path -> path.scope() == scope)
                || aggregates.stream()
                        .anyMatch(aggregate -> aggregate
                                        .path()
                                        .filter(path -> path.scope() == scope)
                                        .isPresent()
                                || aggregate
                                        .filter()
                                        .filter(filter -> filter.looksAt(scope))
                                        .isPresent());
    }
}
