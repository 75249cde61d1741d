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
            return test(value(at.path()), at.test());
        }
        if (filter instanceof Filter.Any any) {
            return dialect.anyItem(value(any.list()), any.item(), item -> test(item, any.test()));
        }
        if (filter instanceof Filter.And and) {
            return combine(and.parts(), " AND ", "1 = 1");
        }
        if (filter instanceof Filter.Or or) {
            return combine(or.parts(), " OR ", "1 = 0");
        }
        return compile(((Filter.Not) filter).part()).wrap("NOT (", ")");
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
                : SqlFragment.join(
                                operator,
                                parts.stream()
                                        .map(part -> compile(part).wrap("(", ")"))
                                        .toList())
                        .wrap("(", ")");
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
        addBranch(
                branches,
                dialect.isText(value),
                constants.stream()
                        .filter(String.class::isInstance)
                        .map(text -> dialect.compareText(value, Filter.Op.EQ, (String) text))
                        .toList());
        addBranch(
                branches,
                dialect.isNumber(value),
                constants.stream()
                        .filter(Number.class::isInstance)
                        .map(number -> dialect.compareNumber(value, Filter.Op.EQ, (Number) number))
                        .toList());
        addBranch(
                branches,
                dialect.isBool(value),
                constants.stream()
                        .filter(Boolean.class::isInstance)
                        .map(bool -> dialect.equalsBool(value, (Boolean) bool))
                        .toList());
        return typed(value, branches);
    }

    private static void addBranch(List<SqlFragment> branches, String condition, List<SqlFragment> alternatives) {
        if (!alternatives.isEmpty()) {
            branches.add(SqlFragment.of(" WHEN " + condition + " THEN ")
                    .then(SqlFragment.join(" OR ", alternatives).wrap("(", ")")));
        }
    }

    /** Unknown for what is null or missing, false for every other type that no branch takes. */
    private SqlFragment typed(JsonValue value, List<SqlFragment> branches) {
        return SqlFragment.of("CASE")
                .then(SqlFragment.join("", branches))
                .then(" WHEN " + dialect.isPresent(value) + " THEN 1 = 0 ELSE NULL END");
    }
}
