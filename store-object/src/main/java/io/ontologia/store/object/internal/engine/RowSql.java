package io.ontologia.store.object.internal.engine;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.Order;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.FilterCompiler;
import io.ontologia.core.spi.FilterDialect.JsonValue;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.SqlNames;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes the SQL of one query. Conditions and orders are written first, which tells what columns of fields they use; the
 * sources that have to provide them come last.
 */
final class RowSql {
    /** The rows that a scope's paths start in. */
    private static final class Scope {
        private final String alias;
        private final RowSource source;
        private final Set<String> fields = new TreeSet<>();

        private Scope(String alias, RowSource source) {
            this.alias = alias;
            this.source = source;
        }

        private Optional<DuckDbDialect.Column> column(String field) {
            // DuckDB ignores case: of two names that differ in nothing else, one can have a column.
            if (fields.stream().anyMatch(used -> used.equalsIgnoreCase(field) && !used.equals(field))) {
                return Optional.empty();
            }
            return source.plain(field).map(kind -> {
                fields.add(field);
                return new DuckDbDialect.Column(alias + "." + SqlNames.quoted(field), kind);
            });
        }
    }

    private final RowQuery query;
    private final RowColumns columns;
    private final Map<FieldPath.Scope, Scope> scopes = new EnumMap<>(FieldPath.Scope.class);
    private final DuckDbDialect dialect;
    private final FilterCompiler compiler;

    /**
     * @param sources where the rows of each type are
     * @param alsoAsked what somebody looks at beside the query's own filter and order
     */
    RowSql(RowQuery query, Function<TypeRef, RowSource> sources, Set<FieldPath.Scope> alsoAsked) {
        this.query = query;
        this.columns = RowColumns.of(query.type().kind());
        scopes.put(FieldPath.Scope.SELF, new Scope("r", sources.apply(query.type())));
        if (query.type().kind() == TypeKind.RELATION) {
            for (FieldPath.Scope end : List.of(FieldPath.Scope.LEFT, FieldPath.Scope.RIGHT)) {
                if (query.looksAt(end) || alsoAsked.contains(end)) {
                    scopes.put(end, new Scope(alias(end), sources.apply(endType(end))));
                }
            }
        }
        this.dialect = new DuckDbDialect(this::column);
        this.compiler = new FilterCompiler(
                dialect, scope -> scope == FieldPath.Scope.IDENTITY ? "r." : alias(scope) + ".fields_json");
    }

    private static String alias(FieldPath.Scope scope) {
        return switch (scope) {
            case SELF -> "r";
            case LEFT -> "le";
            case RIGHT -> "re";
            case IDENTITY -> "r";
        };
    }

    private TypeRef endType(FieldPath.Scope end) {
        return TypeRef.entity((end == FieldPath.Scope.LEFT ? query.leftType() : query.rightType())
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid filter on " + query.type(),
                        "the entity type at its " + (end == FieldPath.Scope.LEFT ? "left" : "right")
                                + " end is not known",
                        "open the store with the models")));
    }

    private Optional<DuckDbDialect.Column> column(String document, String field) {
        return scopes.values().stream()
                .filter(scope -> document.equals(scope.alias + ".fields_json"))
                .findFirst()
                .flatMap(scope -> scope.column(field));
    }

    /** The paths that were written as columns; to be asked after the SQL. */
    Set<FieldPath> typed() {
        return query.paths().stream()
                .filter(path -> path.scope() == FieldPath.Scope.IDENTITY || isColumn(path))
                .collect(Collectors.toSet());
    }

    private boolean isColumn(FieldPath path) {
        return path.segments().size() == 1
                && Optional.ofNullable(scopes.get(path.scope()))
                        .filter(scope -> scope.fields.contains(path.segments().get(0)))
                        .isPresent();
    }

    DuckDbDialect dialect() {
        return dialect;
    }

    FilterCompiler compiler() {
        return compiler;
    }

    /** Identity, fields, commit and schema version of each row, in order. */
    SqlFragment select() {
        String orderBy = orderBy();
        return SqlFragment.of("SELECT " + columns.identityOf("r")
                        + ", CAST(r.fields_json AS VARCHAR), CAST(r.commit_id AS BIGINT),"
                        + " CAST(coalesce(r.schema_version_id, 1) AS BIGINT)")
                .then(fromWhere())
                .then(orderBy)
                .then(limit(query));
    }

    /** As {@link #select}, in any order and with the identities alone: the other columns hold nothing. */
    SqlFragment identities() {
        return SqlFragment.of("SELECT " + columns.identityOf("r") + ", '', CAST(0 AS BIGINT), CAST(0 AS BIGINT)")
                .then(fromWhere());
    }

    SqlFragment count() {
        return SqlFragment.of("SELECT count(*)").then(fromWhere());
    }

    static String limit(RowQuery query) {
        return (query.limit().isPresent() ? " LIMIT " + query.limit().getAsLong() : "")
                + (query.offset() > 0 ? " OFFSET " + query.offset() : "");
    }

    /** The part from FROM on, without order and limit. What else uses columns of fields must be written before. */
    SqlFragment fromWhere() {
        List<SqlFragment> conditions = new ArrayList<>();
        boolean hasEnds = query.window() instanceof Window.History
                && scope(FieldPath.Scope.SELF).source.mayHaveEnds();
        query.schemaVersion()
                .ifPresent(version -> conditions.add(SqlFragment.of("(coalesce(r.schema_version_id, 1) = " + version
                        + (hasEnds && query.showsEnds() ? " OR r.fields_json = 'null')" : ")"))));
        if (hasEnds && !query.showsEnds()) {
            conditions.add(SqlFragment.of("r.fields_json <> 'null'"));
        }
        query.otherTests().forEach(test -> conditions.addAll(conditions(test, compiler)));
        // Tests of the identity hold for all versions of a row or for none: they go where versions are still compared.
        List<SqlFragment> onIdentity = new ArrayList<>();
        FilterCompiler bare = new FilterCompiler(dialect, scope -> "");
        query.identityTests().forEach(test -> onIdentity.addAll(conditions(test, bare)));
        query.restriction().ifPresent(restriction -> onIdentity.add(restricted(restriction)));
        query.after().ifPresent(identity -> onIdentity.add(after(identity)));

        Scope self = scope(FieldPath.Scope.SELF);
        return self.source
                .select(query.window(), self.fields, onIdentity)
                .wrap(" FROM (", ") r")
                .then(end(FieldPath.Scope.LEFT, "left_key"))
                .then(end(FieldPath.Scope.RIGHT, "right_key"))
                .then(RowSource.where(conditions));
    }

    private Scope scope(FieldPath.Scope scope) {
        Scope found = scopes.get(scope);
        if (found == null) {
            throw new IllegalStateException("nobody said that this scope is looked at");
        }
        return found;
    }

    /** Joins the entity at one end, when somebody asks for it. */
    private SqlFragment end(FieldPath.Scope scope, String key) {
        if (!scopes.containsKey(scope)) {
            return SqlFragment.of("");
        }
        Scope end = scope(scope);
        return end.source
                .select(query.window().atItsEnd(), end.fields, List.of())
                .wrap(" LEFT JOIN (", ") " + end.alias + " ON " + end.alias + ".entity_key = r." + key);
    }

    /** The condition of a test that must hold. */
    private List<SqlFragment> conditions(Filter test, FilterCompiler compiled) {
        if (test instanceof Filter.At at) {
            JsonValue value = compiled.value(at.path());
            Optional<SqlFragment> condition =
                    dialect.kindOf(value).isPresent() ? bare(value, at.test()) : Optional.empty();
            if (condition.isPresent()) {
                return List.of(condition.get().wrap("(", ")"));
            }
        }
        return List.of(compiled.compile(test).wrap("(", ")"));
    }

    /**
     * A test of a column, in the plain form that lets DuckDB skip row groups. Where all conditions must hold it makes no
     * difference whether one of them is false or unknown.
     */
    private Optional<SqlFragment> bare(JsonValue value, Filter.Test test) {
        List<SqlFragment> alternatives = new ArrayList<>();
        if (test instanceof Filter.Compare compare && compare.op() != Filter.Op.NE) {
            alternatives.add(compared(value, compare.op(), compare.value()));
        } else if (test instanceof Filter.In in
                && !in.values().isEmpty()
                && in.values().size() <= DuckDbDialect.MOST_LITERALS) {
            in.values().forEach(constant -> alternatives.add(compared(value, Filter.Op.EQ, constant)));
        } else if (test instanceof Filter.In in
                && !in.values().isEmpty()
                && in.values().stream().allMatch(String.class::isInstance)) {
            alternatives.add(dialect.textIn(
                    value,
                    in.values().stream().map(String.class::cast).distinct().toList()));
        } else if (test instanceof Filter.In in
                && !in.values().isEmpty()
                && in.values().stream().allMatch(Number.class::isInstance)) {
            alternatives.add(dialect.numberIn(
                    value,
                    in.values().stream().map(Number.class::cast).distinct().toList()));
        } else if (test instanceof Filter.Text text) {
            alternatives.add(dialect.testText(value, text.op(), text.part()));
        } else {
            return Optional.empty();
        }
        return Optional.of(SqlFragment.join(" OR ", alternatives).wrap("(", ") AND " + dialect.isPresent(value)));
    }

    private SqlFragment compared(JsonValue value, Filter.Op op, Object constant) {
        if (constant instanceof String text) {
            return dialect.compareText(value, op, text);
        }
        return constant instanceof Boolean bool
                ? dialect.equalsBool(value, bool)
                : dialect.compareNumber(value, op, (Number) constant);
    }

    private static SqlFragment restricted(RowQuery.Restriction restriction) {
        String column = RowColumns.column(restriction.part());
        if (restriction.keys().isEmpty()) {
            return SqlFragment.of("false");
        }
        return restriction.keys().size() == 1
                ? SqlFragment.of(
                        column + " = " + Literals.text(restriction.keys().get(0)))
                : SqlFragment.of(column + " IN (SELECT unnest(CAST(? AS VARCHAR[])))", restriction.keys());
    }

    private SqlFragment after(Identity identity) {
        String values = RowColumns.values(identity).stream().map(Literals::text).collect(Collectors.joining(", "));
        return SqlFragment.of("(" + columns.identityList() + ") > (" + values + ")");
    }

    private String orderBy() {
        List<String> keys = new ArrayList<>();
        for (Order order : query.order()) {
            String direction = order.direction() == Order.Direction.ASCENDING ? " ASC" : " DESC";
            for (String key : SortKeys.of(compiler.value(order.path()), dialect)) {
                keys.add(key + direction + " NULLS LAST");
            }
        }
        if (query.window() instanceof Window.History) {
            keys.add("r.commit_id");
        }
        keys.add(columns.identityOf("r"));
        return " ORDER BY " + String.join(", ", keys);
    }
}
