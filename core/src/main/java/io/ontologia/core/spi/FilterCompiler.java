package io.ontologia.core.spi;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.spi.FilterDialect.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Turns filters into SQL conditions that mean what {@link Filter} promises, on any engine that has a dialect. */
public final class FilterCompiler {
    private final FilterDialect dialect;
    private final Function<FieldPath.Scope, String> documents;

    /**
     * @param documents the SQL expression of the document that a scope's paths start in; for the identity what stands
     *     before the names of its columns
     */
    public FilterCompiler(FilterDialect dialect, Function<FieldPath.Scope, String> documents) {
        this.dialect = dialect;
        this.documents = documents;
    }

    /** The condition of a filter: true, false or null. */
    public SqlFragment compile(Filter filter) {
        if (filter instanceof Filter.At at) {
            return ofEnd(at, test(value(at.path()), at.test()));
        }
        if (filter instanceof Filter.Any any) {
            return dialect.anyItem(value(any.list()), any.item(), item -> test(item, any.test()));
        }
        if (filter instanceof Filter.And and) {
            return combine(EqualTests.merged(and.parts(), Filter.Op.NE), " AND ", "1 = 1");
        }
        if (filter instanceof Filter.Or or) {
            return combine(EqualTests.merged(or.parts(), Filter.Op.EQ), " OR ", "1 = 0");
        }
        return compile(((Filter.Not) filter).part()).wrap("NOT (", ")");
    }

    /** Whether a value of an entity at an end is null is unknown where that entity does not exist, as other tests are. */
    private SqlFragment ofEnd(Filter.At at, SqlFragment condition) {
        return FilterEvaluator.asksForNullOfEnd(at)
                ? condition.wrap(
                        "CASE WHEN " + documents.apply(at.path().scope()) + " IS NOT NULL THEN (", ") ELSE NULL END")
                : condition;
    }

    /** The value at a path. */
    public JsonValue value(FieldPath path) {
        if (path.scope() == FieldPath.Scope.IDENTITY) {
            return dialect.text(documents.apply(path.scope()) + column(path));
        }
        return dialect.at(documents.apply(path.scope()), path.segments());
    }

    /** The column of a part of the identity; every backend that speaks SQL uses the names of the specification. */
    public static String column(FieldPath identityPart) {
        String name = identityPart.segments().get(0);
        return name.equals("key") ? "entity_key" : name;
    }

    private SqlFragment combine(List<Filter> parts, String operator, String whenEmpty) {
        return parts.isEmpty()
                ? SqlFragment.of(whenEmpty)
                : SqlFragment.balanced(
                        operator,
                        parts.stream().map(part -> compile(part).wrap("(", ")")).toList());
    }

    private SqlFragment test(JsonValue value, Filter.Test test) {
        if (test instanceof Filter.IsNull) {
            return SqlFragment.of("NOT (" + dialect.isPresent(value) + ")");
        }
        if (test instanceof Filter.IsNotNull) {
            return SqlFragment.of("(" + dialect.isPresent(value) + ")");
        }
        if (test instanceof Filter.Compare compare) {
            return compare(value, compare.op(), compare.value());
        }
        if (test instanceof Filter.Text text) {
            return typed(
                    value,
                    List.of(SqlFragment.of(" WHEN " + dialect.isText(value) + " THEN ")
                            .then(dialect.testText(value, text.op(), text.part()))));
        }
        return in(value, ((Filter.In) test).values());
    }

    private SqlFragment compare(JsonValue value, Filter.Op op, Object constant) {
        if (op == Filter.Op.NE) {
            return compare(value, Filter.Op.EQ, constant).wrap("NOT (", ")");
        }
        return typed(value, List.of(branch(value, op, constant)));
    }

    private SqlFragment branch(JsonValue value, Filter.Op op, Object constant) {
        if (constant instanceof String text) {
            return SqlFragment.of(" WHEN " + dialect.isText(value) + " THEN ")
                    .then(dialect.compareText(value, op, text));
        }
        if (constant instanceof Boolean bool) {
            return SqlFragment.of(" WHEN " + dialect.isBool(value) + " THEN ").then(dialect.equalsBool(value, bool));
        }
        return SqlFragment.of(" WHEN " + dialect.isNumber(value) + " THEN ")
                .then(dialect.compareNumber(value, op, (Number) constant));
    }

    private SqlFragment in(JsonValue value, List<Object> constants) {
        if (constants.isEmpty()) {
            return SqlFragment.of("1 = 0");
        }
        List<SqlFragment> branches = new ArrayList<>();
        List<String> texts = ofKind(constants, String.class);
        if (!texts.isEmpty()) {
            branches.add(
                    SqlFragment.of(" WHEN " + dialect.isText(value) + " THEN ").then(dialect.textIn(value, texts)));
        }
        List<Number> numbers = ofKind(constants, Number.class);
        if (!numbers.isEmpty()) {
            branches.add(SqlFragment.of(" WHEN " + dialect.isNumber(value) + " THEN ")
                    .then(dialect.numberIn(value, numbers)));
        }
        List<Boolean> booleans =
                ofKind(constants, Boolean.class).stream().distinct().toList();
        if (!booleans.isEmpty()) {
            branches.add(SqlFragment.of(" WHEN " + dialect.isBool(value) + " THEN ")
                    .then(SqlFragment.balanced(
                            " OR ",
                            booleans.stream()
                                    .map(bool -> dialect.equalsBool(value, bool))
                                    .toList())));
        }
        return typed(value, branches);
    }

    private static <T> List<T> ofKind(List<Object> constants, Class<T> kind) {
        return constants.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .distinct()
                .toList();
    }

    /** Unknown for what is null or missing, false for every other type that no branch takes. */
    private SqlFragment typed(JsonValue value, List<SqlFragment> branches) {
        return SqlFragment.of("CASE")
                .then(SqlFragment.join("", branches))
                .then(" WHEN " + dialect.isPresent(value) + " THEN 1 = 0 ELSE NULL END");
    }
}
