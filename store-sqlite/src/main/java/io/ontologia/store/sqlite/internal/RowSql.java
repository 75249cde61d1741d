package io.ontologia.store.sqlite.internal;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.Order;
import io.ontologia.core.TypeKind;
import io.ontologia.core.Window;
import io.ontologia.core.spi.FilterCompiler;
import io.ontologia.core.spi.FilterDialect;
import io.ontologia.core.spi.FilterDialect.JsonValue;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the SQL of one query. */
final class RowSql {
    private final RowQuery query;
    private final RowTable table;
    private final Latest.Copies copies;
    private final Set<FieldPath.Scope> alsoAsked;
    private final SqliteDialect dialect = new SqliteDialect();
    private final FilterCompiler compiler;

    /**
     * @param copies whether the copies of latest versions can be used
     */
    RowSql(RowQuery query, Latest.Copies copies) {
        this(query, copies, Set.of());
    }

    /**
     * @param alsoAsked what somebody looks at beside the query's own filter and order
     */
    RowSql(RowQuery query, Latest.Copies copies, Set<FieldPath.Scope> alsoAsked) {
        this.query = query;
        this.alsoAsked = alsoAsked;
        this.table = RowTable.of(query.type().kind());
        this.copies = copies;
        this.compiler = new FilterCompiler(dialect, RowSql::document);
    }

    private static String document(FieldPath.Scope scope) {
        return switch (scope) {
            case SELF -> "r.fields_json";
            case LEFT -> "le.fields_json";
            case RIGHT -> "re.fields_json";
            case IDENTITY -> "r.";
        };
    }

    /** Identity, fields, commit and schema version of each row, in order. */
    SqlFragment select() {
        SqlFragment sql = SqlFragment.of("SELECT " + table.identityOf("r")
                        + ", r.fields_json, r.commit_id, coalesce(r.schema_version_id, 1)")
                .then(fromWhere())
                .then(orderBy());
        if (query.limit().isPresent() || query.offset() > 0) {
            sql = sql.then(SqlFragment.of(" LIMIT ? OFFSET ?", query.limit().orElse(-1), query.offset()));
        }
        return sql;
    }

    /** The identity of each row, in any order. */
    SqlFragment identities() {
        return SqlFragment.of("SELECT " + table.identityOf("r")).then(fromWhere());
    }

    SqlFragment count() {
        return SqlFragment.of("SELECT count(*)").then(fromWhere());
    }

    FilterCompiler compiler() {
        return compiler;
    }

    /** The part from FROM on, without order and limit. */
    SqlFragment fromWhere() {
        List<SqlFragment> conditions = new ArrayList<>();
        SqlFragment from = source(table, query.type().name(), "r", query.window(), conditions);
        if (query.type().kind() == TypeKind.RELATION) {
            from = from.then(end("le", FieldPath.Scope.LEFT)).then(end("re", FieldPath.Scope.RIGHT));
        }
        boolean ends = query.showsEnds();
        query.schemaVersion()
                .ifPresent(version -> conditions.add(SqlFragment.of(
                        "(coalesce(r.schema_version_id, 1) = ?" + (ends ? " OR r.fields_json = 'null')" : ")"),
                        version)));
        if (query.window() instanceof Window.History && !ends) {
            conditions.add(SqlFragment.of("r.fields_json <> 'null'"));
        }
        conditions.addAll(onIdentity("r", compiler));
        query.otherTests().forEach(test -> conditions.addAll(conditions(test, compiler)));
        return from.then(SqlFragment.balanced(" AND ", conditions).wrap(" WHERE ", ""));
    }

    private SqlFragment source(RowTable rows, String type, String alias, Window window, List<SqlFragment> conditions) {
        // Type names are plain identifiers; as a literal they let the planner use the indexes of one type.
        String ofType = rows.typeColumn() + " = '" + type + "'";
        if (window instanceof Window.Latest && copies != Latest.Copies.UNTRUSTED) {
            conditions.add(SqlFragment.of(alias + "." + ofType));
            String from = copies.isLevel() ? rows.latest() : overlaid(rows, ofType);
            return SqlFragment.of(" FROM " + from + " " + alias);
        }
        if (window instanceof Window.History history) {
            conditions.add(
                    SqlFragment.of(alias + "." + ofType + " AND " + alias + ".commit_id > ?", history.afterCommitId()));
            window.upTo().ifPresent(upTo -> conditions.add(SqlFragment.of(alias + ".commit_id <= ?", upTo)));
            return SqlFragment.of(" FROM " + rows.history() + " " + alias);
        }
        return newest(rows, ofType, window)
                .wrap(" FROM ", " newest_" + alias + " CROSS JOIN " + rows.history() + " " + alias)
                .then(on(alias, conditions));
    }

    private static SqlFragment on(String alias, List<SqlFragment> conditions) {
        conditions.add(SqlFragment.of(alias + ".fields_json <> 'null'"));
        return SqlFragment.of(" ON " + alias + ".id = newest_" + alias + ".id");
    }

    /**
     * The row ids of newest versions, read from the look-up index alone: {@code id} belongs to the row of the max. What
     * restricts the identity stands inside, because from outside it does not reach the groups. They come in the order of
     * identity, and so do the rows that are joined to them one by one.
     */
    private SqlFragment newest(RowTable rows, String ofType, Window window) {
        String identity = String.join(", ", rows.identity());
        List<SqlFragment> conditions = new ArrayList<>(List.of(SqlFragment.of(ofType)));
        if (window instanceof Window.AsOf asOf) {
            conditions.add(SqlFragment.of("commit_id <= ?", asOf.commitId()));
        }
        conditions.addAll(onIdentity(rows.history(), new FilterCompiler(dialect, scope -> rows.history() + ".")));
        return SqlFragment.join(" AND ", conditions)
                .wrap(
                        "(SELECT " + identity + ", max(commit_id), id FROM " + rows.history() + " WHERE ",
                        " GROUP BY " + identity + " ORDER BY " + identity + " LIMIT -1)");
    }

    /**
     * The copies, and in the place of those that are behind, or not there yet, what the history has after them. Written so
     * that SQLite merges both parts in order, which needs the same type of each column in both.
     */
    private static String overlaid(RowTable rows, String ofType) {
        String ahead = """
                (SELECT n.* FROM (SELECT {identity}, max(commit_id) AS commit_id, id FROM {history} NOT INDEXED
                        WHERE id > (SELECT {upto} FROM onto_latest_state) AND %1$s GROUP BY {identity}) n
                    LEFT JOIN {latest} l ON l.%1$s AND %2$s
                    WHERE l.commit_id IS NULL OR l.commit_id < n.commit_id)""".formatted(ofType, rows.sameIdentity("l", "n"));
        return rows.sql("""
                (SELECT {keys}, commit_id, schema_version_id, fields_json FROM {latest}
                WHERE %1$s AND ({identity}) NOT IN (SELECT {identity} FROM %2$s)
                UNION ALL
                SELECT h.{type}, %3$s, h.commit_id, h.schema_version_id,
                    CAST(iif(json_valid(h.fields_json), h.fields_json, 'null') AS TEXT)
                FROM %2$s ahead CROSS JOIN {history} h ON h.id = ahead.id WHERE h.fields_json <> 'null')""".formatted(ofType, ahead, rows.identityOf("h")));
    }

    /** Joins the entity at one end, when somebody asks for it. */
    private SqlFragment end(String alias, FieldPath.Scope scope) {
        if (!query.looksAt(scope) && !alsoAsked.contains(scope)) {
            return SqlFragment.of("");
        }
        String type = (scope == FieldPath.Scope.LEFT ? query.leftType() : query.rightType())
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid filter on " + query.type(),
                        "the entity type at its " + (scope == FieldPath.Scope.LEFT ? "left" : "right")
                                + " end is not known",
                        "open the store with the models"));
        String key = scope == FieldPath.Scope.LEFT ? "left_key" : "right_key";
        if (copies.isLevel() && query.window().upTo().isEmpty()) {
            return SqlFragment.of(" LEFT JOIN onto_entity_latest " + alias + " ON " + alias + ".entity_type = '" + type
                    + "' AND " + alias + ".entity_key = r." + key);
        }
        SqlFragment newest = SqlFragment.of(
                "SELECT id FROM entity_history WHERE entity_type = '" + type + "' AND entity_key = r." + key);
        if (query.window().upTo().isPresent()) {
            newest = newest.then(
                    SqlFragment.of(" AND commit_id <= ?", query.window().upTo().getAsLong()));
        }
        return newest.wrap(
                " LEFT JOIN entity_history " + alias + " ON " + alias + ".id = (",
                " ORDER BY commit_id DESC LIMIT 1) AND " + alias + ".fields_json <> 'null'");
    }

    /** What restricts the identity. */
    private List<SqlFragment> onIdentity(String alias, FilterCompiler identity) {
        List<SqlFragment> conditions = new ArrayList<>();
        query.restriction()
                .ifPresent(restriction -> conditions.add(
                        isFoundByCopies(restriction)
                                ? identitiesOf(alias, restriction)
                                : restricted(alias + ".", restriction)));
        query.after().ifPresent(last -> conditions.add(after(alias + ".", last)));
        query.identityTests().forEach(test -> conditions.addAll(conditions(test, identity)));
        return conditions;
    }

    /**
     * In the history only the left key leads to rows by an index. Every relation that ever was has a copy of its latest
     * version, or is in the index of those that ended, and both are found by the right key too: one by one, which the planner
     * does not do for several keys when it could read the rows of the type in order instead.
     */
    private boolean isFoundByCopies(RowQuery.Restriction restriction) {
        boolean byItself =
                query.window() instanceof Window.Latest && restriction.keys().size() == 1;
        return restriction.part() == RowQuery.Restriction.Part.RIGHT && copies.isLevel() && !byItself;
    }

    /** Whether it matters that rows which ended are not in the copies. */
    static boolean needsEnded(RowQuery query) {
        return !(query.window() instanceof Window.Latest)
                && query.restriction()
                        .filter(keys -> keys.part() == RowQuery.Restriction.Part.RIGHT)
                        .isPresent();
    }

    private SqlFragment identitiesOf(String alias, RowQuery.Restriction restriction) {
        String columns =
                table.identity().stream().map(column -> alias + "." + column).collect(Collectors.joining(", "));
        String identity = String.join(", ", table.identity());
        String ofType = " WHERE " + table.typeColumn() + " = '" + query.type().name() + "' AND ";
        SqlFragment keys =
                restricted("", restriction).wrap("SELECT " + identity + " FROM " + table.latest() + ofType, "");
        if (copies == Latest.Copies.LEVEL_WITHOUT_ENDED && !(query.window() instanceof Window.Latest)) {
            keys = keys.then(restricted("", restriction)
                    .wrap(
                            " UNION ALL SELECT " + identity + " FROM " + table.history() + ofType
                                    + "fields_json = 'null' AND ",
                            ""));
        }
        return keys.wrap("(" + columns + ") IN (", ")");
    }

    /**
     * The condition of a test that must hold, behind one that every row which passes it meets too: in the bare form that an
     * index can serve and that is cheap to check first.
     */
    private static List<SqlFragment> conditions(Filter test, FilterCompiler compiler) {
        List<SqlFragment> conditions = new ArrayList<>();
        if (test instanceof Filter.At at) {
            if (at.path().scope() != FieldPath.Scope.IDENTITY) {
                Needle.of(at.test())
                        .map(needle -> needle.isIn(document(at.path().scope())))
                        .ifPresent(conditions::add);
            }
            quickCheck(compiler.value(at.path()), at.test()).ifPresent(conditions::add);
        }
        conditions.add(compiler.compile(test).wrap("(", ")"));
        return conditions;
    }

    private static Optional<SqlFragment> quickCheck(JsonValue json, Filter.Test test) {
        String value = json.value();
        if (test instanceof Filter.Compare compare && compare.op() != Filter.Op.NE) {
            if (comparesBare(compare.value())) {
                return Optional.of(
                        SqlFragment.of(value + " " + FilterDialect.operator(compare.op()) + " ?", compare.value()));
            }
            if (compare.value() instanceof Double) {
                return Optional.of(SqlFragment.of(
                        value + " " + FilterDialect.operator(orEqual(compare.op())) + " ?", compare.value()));
            }
        }
        if (test instanceof Filter.In in
                && !in.values().isEmpty()
                && in.values().stream().allMatch(RowSql::comparesBare)) {
            return Optional.of(SqlFragment.of(SqliteDialect.isAmong(json), CanonicalJson.write(in.values())));
        }
        return Optional.empty();
    }

    /** Integers beyond 64 bits are extracted as the nearest real, which may be equal where they themselves are not. */
    private static Filter.Op orEqual(Filter.Op op) {
        return switch (op) {
            case GT -> Filter.Op.GTE;
            case LT -> Filter.Op.LTE;
            default -> op;
        };
    }

    private static boolean comparesBare(Object constant) {
        return constant instanceof String || constant instanceof Long;
    }

    private static SqlFragment restricted(String prefix, RowQuery.Restriction restriction) {
        String column = switch (restriction.part()) {
            case KEY -> "entity_key";
            case LEFT -> "left_key";
            case RIGHT -> "right_key";
        };
        if (restriction.keys().isEmpty()) {
            return SqlFragment.of("1 = 0");
        }
        return restriction.keys().size() == 1
                ? SqlFragment.of(prefix + column + " = ?", restriction.keys().get(0))
                : SqlFragment.of(
                        prefix + column + " IN (SELECT value FROM json_each(?))",
                        CanonicalJson.write(restriction.keys()));
    }

    private SqlFragment after(String prefix, Identity identity) {
        List<Object> values = List.copyOf(table.values(identity));
        String marks = values.stream().map(value -> "?").collect(Collectors.joining(", "));
        String columns =
                table.identity().stream().map(column -> prefix + column).collect(Collectors.joining(", "));
        return new SqlFragment("(" + columns + ") > (" + marks + ")", values);
    }

    private SqlFragment orderBy() {
        List<String> keys = new ArrayList<>();
        for (Order order : query.order()) {
            JsonValue value = compiler.value(order.path());
            String direction = order.direction() == Order.Direction.ASCENDING ? " ASC" : " DESC";
            if (order.path().scope() == FieldPath.Scope.IDENTITY) {
                keys.add(value.value() + direction);
                continue;
            }
            keys.add("(" + dialect.isPresent(value) + ") DESC");
            keys.add(rank(value) + direction);
            keys.add(value.value() + direction);
            keys.add(BigIntegers.tieBreaker(value) + direction);
        }
        if (query.window() instanceof Window.History) {
            keys.add("r.commit_id");
        }
        boolean fromNewest = !(query.window() instanceof Window.History)
                && !(query.window() instanceof Window.Latest && copies != Latest.Copies.UNTRUSTED);
        if (fromNewest && keys.isEmpty()) {
            // To ask for the order that they have already would sort all rows once more.
            return SqlFragment.of("");
        }
        keys.add(table.identityOf(fromNewest ? "newest_r" : "r"));
        return SqlFragment.of(" ORDER BY " + String.join(", ", keys));
    }

    /** Booleans, numbers, texts, everything else. */
    static String rank(JsonValue value) {
        return "CASE " + value.type()
                + " WHEN 'true' THEN 0 WHEN 'false' THEN 0 WHEN 'integer' THEN 1 WHEN 'real' THEN 1 WHEN 'text' THEN 2 ELSE 3"
                + " END";
    }
}
