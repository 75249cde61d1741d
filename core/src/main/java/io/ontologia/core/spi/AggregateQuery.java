package io.ontologia.core.spi;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import io.ontologia.core.GroupOrder;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.OptionalLong;

/**
 * What to compute over rows.
 *
 * @param rows which rows; its limit and offset apply to the groups, and its order is not used
 * @param groupBy one group for each combination of these values; one group in all when empty
 * @param having conditions on the values of each group, all of which must hold; each names an aggregate or a path of
 *     {@code groupBy}
 * @param order how groups are sorted, before the order of the values grouped by; each names an aggregate or a path of
 *     {@code groupBy}
 */
public record AggregateQuery(
        RowQuery rows,
        List<Aggregate> aggregates,
        List<FieldPath> groupBy,
        List<Aggregate.Having> having,
        List<GroupOrder> order) {

    public AggregateQuery {
        aggregates = List.copyOf(aggregates);
        groupBy = List.copyOf(groupBy);
        having = List.copyOf(having);
        order = List.copyOf(order);
    }

    /** With the groups in the order of the values grouped by. */
    public AggregateQuery(
            RowQuery rows, List<Aggregate> aggregates, List<FieldPath> groupBy, List<Aggregate.Having> having) {
        this(rows, aggregates, groupBy, having, List.of());
    }

    /** The same without conditions, order, limit and offset: every group. */
    public AggregateQuery ofAllGroups() {
        RowQuery all = new RowQuery(
                rows.type(),
                rows.window(),
                rows.filter(),
                rows.leftType(),
                rows.rightType(),
                rows.schemaVersion(),
                rows.restriction(),
                List.of(),
                OptionalLong.empty(),
                0,
                rows.after());
        return new AggregateQuery(all, aggregates, groupBy, List.of(), List.of());
    }

    /**
     * The column of a result that has a name: first what is grouped by, then the aggregates, counted from 0.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there is none
     */
    public int column(String name) {
        for (int i = 0; i < groupBy.size(); i++) {
            if (groupBy.get(i).toString().equals(name)) {
                return i;
            }
        }
        for (int i = 0; i < aggregates.size(); i++) {
            if (aggregates.get(i).name().equals(name)) {
                return groupBy.size() + i;
            }
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid condition or order of groups",
                "there is no aggregate called '" + name + "', and nothing is grouped by it",
                "name one of the aggregates, or a path that is grouped by");
    }

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
