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
        RowQuery rows, List<Aggregate> aggregates, List<FieldPath> groupBy, List<Aggregate.Having> having) {}
