package io.ontologia.cli.internal.filter;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads filter expressions:
 *
 * <pre>
 * expression = conjunction { "or" conjunction }
 * conjunction = condition { "and" condition }
 * condition = "not" condition | "(" expression ")" | subject test
 * subject = path | "any" "(" path ")"
 * test = comparison literal | [ "not" ] "in" "(" literals ")" | "is" [ "not" ] ( "null" | "true" | "false" )
 *      | [ "not" ] ( "starts_with" | "ends_with" | "contains" ) text
 * </pre>
 */
public final class WhereParser {
    private static final int MAX_DEPTH = 100;
    private static final Map<String, Filter.Op> COMPARISONS = Map.of(
            "=", Filter.Op.EQ,
            "==", Filter.Op.EQ,
            "!=", Filter.Op.NE,
            "<>", Filter.Op.NE,
            ">", Filter.Op.GT,
            ">=", Filter.Op.GTE,
            "<", Filter.Op.LT,
            "<=", Filter.Op.LTE);
    private static final Set<String> TEXT_TESTS = Set.of("starts_with", "ends_with", "contains");
    private static final Set<String> WORDS = Set.of("and", "or", "not", "in", "is", "null", "true", "false");

    private final TokenReader tokens;

    private WhereParser(TokenReader tokens) {
        this.tokens = tokens;
    }

    /**
     * The filter of an expression.
     *
     * @param what the option that holds it, for errors
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} that names the column
     */
    public static Filter parse(String what, String text) {
        TokenReader tokens = TokenReader.of(what, text);
        Filter filter = parse(tokens);
        tokens.requireEnd("join conditions with and, or");
        return filter;
    }

    /** The filter that stands at this place of a longer expression. */
    static Filter parse(TokenReader tokens) {
        return new WhereParser(tokens).expression(0);
    }

    private Filter expression(int depth) {
        Token first = tokens.peek();
        List<Filter> parts = new ArrayList<>();
        do {
            parts.add(conjunction(depth));
        } while (tokens.acceptWord("or"));
        return parts.size() == 1 ? parts.get(0) : tokens.checked(first, () -> new Filter.Or(parts));
    }

    private Filter conjunction(int depth) {
        Token first = tokens.peek();
        List<Filter> parts = new ArrayList<>();
        do {
            parts.add(condition(depth));
        } while (tokens.acceptWord("and"));
        return parts.size() == 1 ? parts.get(0) : tokens.checked(first, () -> new Filter.And(parts));
    }

    private Filter condition(int depth) {
        if (depth > MAX_DEPTH) {
            throw tokens.unexpected("it nests too deep", "make it flatter");
        }
        Token first = tokens.peek();
        int negations = 0;
        while (tokens.acceptWord("not")) {
            negations++;
        }
        Filter filter = positive(depth);
        return negations % 2 == 0 ? filter : tokens.checked(first, filter::not);
    }

    private Filter positive(int depth) {
        if (tokens.acceptSymbol("(")) {
            Filter inner = expression(depth + 1);
            tokens.expectSymbol(")");
            return inner;
        }
        if (tokens.peek().isWord("any") && tokens.peekAfter().isSymbol("(")) {
            return anyItem();
        }
        Token subject = path();
        FieldPath path = ItemPath.plain(tokens, subject);
        boolean negated = tokens.acceptWord("not");
        Token at = tokens.peek();
        Filter filter = tokens.checked(at, () -> new Filter.At(path, test(negated)));
        return negated ? filter.not() : filter;
    }

    private Filter anyItem() {
        tokens.next();
        tokens.expectSymbol("(");
        Token subject = path();
        tokens.expectSymbol(")");
        ItemPath path = ItemPath.of(tokens, subject);
        Token at = tokens.peek();
        if (at.isWord("not")) {
            throw tokens.unexpected("'not' cannot stand between any(…) and its test", "write it as: not any(…) …");
        }
        return tokens.checked(at, () -> new Filter.Any(path.list(), path.item(), test(false)));
    }

    private Token path() {
        Token token = tokens.peek();
        if (token.kind() != Token.Kind.WORD || WORDS.contains(token.text().toLowerCase(Locale.ROOT))) {
            throw tokens.unexpected(
                    "a field belongs here and not " + token.describe(), "name one like tier, $.tier or $.left.tier");
        }
        return tokens.next();
    }

    private Filter.Test test(boolean negated) {
        Token token = tokens.peek();
        if (token.isWord("in")) {
            tokens.next();
            return new Filter.In(literals());
        }
        if (token.kind() == Token.Kind.WORD && TEXT_TESTS.contains(token.text().toLowerCase(Locale.ROOT))) {
            tokens.next();
            return new Filter.Text(Filter.TextOp.valueOf(token.text().toUpperCase(Locale.ROOT)), text());
        }
        if (negated) {
            throw tokens.unexpected(
                    "'not' is followed by " + token.describe(), "write: not in (…), not contains '…', or not (…)");
        }
        if (token.isWord("is")) {
            tokens.next();
            return nullOrBool();
        }
        Filter.Op op = token.kind() == Token.Kind.SYMBOL ? COMPARISONS.get(token.text()) : null;
        if (op == null) {
            throw tokens.unexpected(
                    "an operator belongs here and not " + token.describe(),
                    "use =, !=, <, <=, >, >=, in, is null, starts_with, ends_with or contains");
        }
        tokens.next();
        return new Filter.Compare(op, tokens.literal());
    }

    private Filter.Test nullOrBool() {
        boolean not = tokens.acceptWord("not");
        if (tokens.acceptWord("null")) {
            return not ? new Filter.IsNotNull() : new Filter.IsNull();
        }
        Filter.Op op = not ? Filter.Op.NE : Filter.Op.EQ;
        if (tokens.acceptWord("true")) {
            return new Filter.Compare(op, true);
        }
        if (tokens.acceptWord("false")) {
            return new Filter.Compare(op, false);
        }
        throw tokens.unexpected(
                "null, true or false belongs here and not " + tokens.peek().describe(), "write: is null, is not null");
    }

    private List<Object> literals() {
        String close = tokens.peek().isSymbol("[") ? "]" : ")";
        tokens.expectSymbol(close.equals("]") ? "[" : "(");
        List<Object> values = new ArrayList<>();
        if (!tokens.peek().isSymbol(close)) {
            do {
                values.add(tokens.literal());
            } while (tokens.acceptSymbol(","));
        }
        tokens.expectSymbol(close);
        return values;
    }

    private String text() {
        Token token = tokens.peek();
        if (token.kind() != Token.Kind.TEXT || !(token.value() instanceof String text)) {
            throw tokens.unexpected("a text in quotes belongs here and not " + token.describe(), "write it like 'abc'");
        }
        tokens.next();
        return text;
    }
}
