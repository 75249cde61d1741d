package io.ontologia.cli.internal.filter;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads {@code --agg} and {@code --having}. */
public final class AggregateParser {
    private static final Map<String, Aggregate.Function> FUNCTIONS = Map.of(
            "count", Aggregate.Function.COUNT,
            "count_where", Aggregate.Function.COUNT_WHERE,
            "sum", Aggregate.Function.SUM,
            "avg", Aggregate.Function.AVG,
            "min", Aggregate.Function.MIN,
            "max", Aggregate.Function.MAX,
            "avg_len", Aggregate.Function.AVG_LEN);
    private static final Map<String, Filter.Op> COMPARISONS = Map.of(
            "=", Filter.Op.EQ,
            "==", Filter.Op.EQ,
            "!=", Filter.Op.NE,
            "<>", Filter.Op.NE,
            ">", Filter.Op.GT,
            ">=", Filter.Op.GTE,
            "<", Filter.Op.LT,
            "<=", Filter.Op.LTE);

    private AggregateParser() {}

    /**
     * Reads {@code name=sum($.field)}.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} that names the column
     */
    public static Aggregate aggregate(String text) {
        TokenReader tokens = TokenReader.of("--agg", text);
        Token name = tokens.next();
        if (name.kind() != Token.Kind.WORD || !tokens.acceptSymbol("=")) {
            throw tokens.invalid(name, "it gives the result no name", "write it like total=sum($.amount)");
        }
        Token word = tokens.next();
        Aggregate.Function function = FUNCTIONS.get(word.text().toLowerCase(Locale.ROOT));
        if (function == null) {
            throw tokens.invalid(
                    word,
                    "there is no function " + word.describe(),
                    "use count(), count_where(expression), sum, avg, min, max or avg_len of a field");
        }
        tokens.expectSymbol("(");
        Optional<FieldPath> path = Optional.empty();
        Optional<Filter> filter = Optional.empty();
        if (function == Aggregate.Function.COUNT_WHERE) {
            filter = Optional.of(WhereParser.parse(tokens));
        } else if (function != Aggregate.Function.COUNT) {
            Token field = tokens.next();
            if (field.kind() != Token.Kind.WORD) {
                throw tokens.invalid(
                        field, "a field belongs here and not " + field.describe(), "name one like $.amount");
            }
            path = Optional.of(ItemPath.plain(tokens, field));
        }
        tokens.expectSymbol(")");
        tokens.requireEnd("give each aggregate an --agg of its own");
        Optional<FieldPath> at = path;
        Optional<Filter> where = filter;
        return tokens.checked(name, () -> new Aggregate(name.text(), function, at, where));
    }

    /** Reads {@code name > 10}, or several such conditions joined by {@code and}. */
    public static List<Aggregate.Having> having(String text) {
        TokenReader tokens = TokenReader.of("--having", text);
        List<Aggregate.Having> conditions = new ArrayList<>();
        do {
            Token name = tokens.next();
            if (name.kind() != Token.Kind.WORD) {
                throw tokens.invalid(
                        name, "the name of an aggregate belongs here and not " + name.describe(), "write: total > 10");
            }
            Token operator = tokens.next();
            Filter.Op op = operator.kind() == Token.Kind.SYMBOL ? COMPARISONS.get(operator.text()) : null;
            if (op == null) {
                throw tokens.invalid(
                        operator,
                        "an operator belongs here and not " + operator.describe(),
                        "use =, !=, <, <=, > or >=");
            }
            Object value = tokens.literal();
            conditions.add(tokens.checked(name, () -> new Aggregate.Having(name.text(), op, value)));
        } while (tokens.acceptWord("and"));
        tokens.requireEnd("join conditions with and");
        return conditions;
    }
}
