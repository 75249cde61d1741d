package io.ontologia.core.spi;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.internal.JsonOrder;
import io.ontologia.kernel.CodePointOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates filters on JSON trees in this process, with the same meaning as {@link FilterCompiler} gives them in SQL.
 * Stateless: safe for use by many threads.
 */
public final class FilterEvaluator {
    private FilterEvaluator() {}

    /**
     * Whether a row passes.
     *
     * @param documents the JSON object that a scope's paths start in; null where there is none
     * @return true or false, or empty when it is neither
     */
    public static Optional<Boolean> evaluate(Filter filter, Function<FieldPath.Scope, @Nullable Object> documents) {
        return Optional.ofNullable(logic(filter, documents));
    }

    /** Whether a row that has no ends certainly passes. */
    public static boolean passes(Filter filter, Map<String, @Nullable Object> fields) {
        return evaluate(filter, scope -> scope == FieldPath.Scope.SELF ? fields : null)
                .orElse(false);
    }

    private static @Nullable Boolean logic(Filter filter, Function<FieldPath.Scope, @Nullable Object> documents) {
        if (filter instanceof Filter.At at) {
            Object document = documents.apply(at.path().scope());
            boolean isMissing = document == null && asksForNullOfEnd(at);
            return isMissing ? null : test(resolve(document, at.path().segments()), at.test());
        }
        if (filter instanceof Filter.Any any) {
            Object list =
                    resolve(documents.apply(any.list().scope()), any.list().segments());
            return list instanceof List<?> items
                    && items.stream()
                            .anyMatch(item -> Boolean.TRUE.equals(test(resolve(item, any.item()), any.test())));
        }
        if (filter instanceof Filter.And and) {
            return join(and.parts(), documents, false);
        }
        if (filter instanceof Filter.Or or) {
            return join(or.parts(), documents, true);
        }
        Boolean inner = logic(((Filter.Not) filter).part(), documents);
        return inner == null ? null : (Boolean) !inner;
    }

    /** Whether a test asks for null in the entity at an end: where that does not exist, the answer is unknown. */
    static boolean asksForNullOfEnd(Filter.At at) {
        FieldPath.Scope scope = at.path().scope();
        return (scope == FieldPath.Scope.LEFT || scope == FieldPath.Scope.RIGHT)
                && (at.test() instanceof Filter.IsNull || at.test() instanceof Filter.IsNotNull);
    }

    /** And and or are the same with true and false swapped: one decisive part decides, else one unknown part does. */
    private static @Nullable Boolean join(
            List<Filter> parts, Function<FieldPath.Scope, @Nullable Object> documents, boolean decisive) {
        boolean unknown = false;
        for (Filter part : parts) {
            Boolean value = logic(part, documents);
            if (value == null) {
                unknown = true;
            } else if (value == decisive) {
                return decisive;
            }
        }
        return unknown ? null : (Boolean) !decisive;
    }

    /** The value at a path; null when there is none. */
    public static @Nullable Object value(FieldPath path, Function<FieldPath.Scope, @Nullable Object> documents) {
        return resolve(documents.apply(path.scope()), path.segments());
    }

    private static @Nullable Object resolve(@Nullable Object document, List<String> path) {
        Object value = document;
        for (String segment : path) {
            value = value instanceof Map<?, ?> map ? map.get(segment) : null;
        }
        return value;
    }

    private static @Nullable Boolean test(@Nullable Object value, Filter.Test test) {
        if (test instanceof Filter.IsNull) {
            return value == null;
        }
        if (test instanceof Filter.IsNotNull) {
            return value != null;
        }
        if (test instanceof Filter.In in && in.values().isEmpty()) {
            return false;
        }
        if (value == null) {
            return null;
        }
        if (test instanceof Filter.In in) {
            return in.has(value);
        }
        if (test instanceof Filter.Text text) {
            return value instanceof String whole && contains(whole, text);
        }
        Filter.Compare compare = (Filter.Compare) test;
        return compare.op() == Filter.Op.NE
                ? !compare(value, Filter.Op.EQ, compare.value())
                : compare(value, compare.op(), compare.value());
    }

    private static boolean contains(String whole, Filter.Text test) {
        return switch (test.op()) {
            case STARTS_WITH -> whole.startsWith(test.part());
            case ENDS_WITH -> whole.endsWith(test.part());
            case CONTAINS -> whole.contains(test.part());
        };
    }

    private static boolean compare(Object value, Filter.Op op, Object constant) {
        int order;
        if (value instanceof String left && constant instanceof String right) {
            order = CodePointOrder.INSTANCE.compare(left, right);
        } else if (value instanceof Boolean && constant instanceof Boolean) {
            return op == Filter.Op.EQ && value.equals(constant);
        } else if (value instanceof Number left && constant instanceof Number right) {
            order = JsonOrder.exact(left).compareTo(JsonOrder.exact(right));
        } else {
            return false;
        }
        return switch (op) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case GT -> order > 0;
            case GTE -> order >= 0;
            case LT -> order < 0;
            case LTE -> order <= 0;
        };
    }
}
