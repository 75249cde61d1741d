package io.ontologia.core.internal.evolution;

import io.ontologia.core.StepExpression.Binary;
import io.ontologia.core.StepExpression.Call;
import io.ontologia.core.StepExpression.Field;
import io.ontologia.core.StepExpression.Literal;
import io.ontologia.core.StepExpression.Node;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the expressions of schema steps. */
public final class ExpressionParser {
    private static final int MAX_DEPTH = 50;

    /** The functions and how many arguments each takes; a negative number is the least. */
    private static final Map<String, Integer> FUNCTIONS = Map.of(
            "int",
            1,
            "float",
            1,
            "str",
            1,
            "bool",
            1,
            "round",
            1,
            "lower",
            1,
            "upper",
            1,
            "trim",
            1,
            "coalesce",
            -2,
            "part",
            3);

    private final String text;
    private int at;

    private ExpressionParser(String text) {
        this.text = text;
    }

    /** The expression of a text. */
    public static Node parse(String text) {
        ExpressionParser parser = new ExpressionParser(text);
        Node node = parser.sum(0);
        parser.skipSpace();
        if (parser.at < text.length()) {
            throw parser.invalid("there is more after the expression");
        }
        return node;
    }

    private Node sum(int depth) {
        if (depth > MAX_DEPTH) {
            throw invalid("it nests too deep");
        }
        Node node = product(depth);
        while (true) {
            if (accept("||")) {
                node = new Binary("||", node, product(depth));
            } else if (accept("+")) {
                node = new Binary("+", node, product(depth));
            } else if (accept("-")) {
                node = new Binary("-", node, product(depth));
            } else {
                return node;
            }
        }
    }

    private Node product(int depth) {
        Node node = operand(depth);
        while (true) {
            if (accept("*")) {
                node = new Binary("*", node, operand(depth));
            } else if (accept("/")) {
                node = new Binary("/", node, operand(depth));
            } else {
                return node;
            }
        }
    }

    private Node operand(int depth) {
        if (accept("(")) {
            Node inner = sum(depth + 1);
            expect(")");
            return inner;
        }
        skipSpace();
        if (at == text.length()) {
            throw invalid("a value is missing");
        }
        char first = text.charAt(at);
        if (first == '\'') {
            return new Literal(quoted());
        }
        if (first == '-' || Character.isDigit(first)) {
            return number();
        }
        if (Character.isLetter(first) || first == '_') {
            return named(depth);
        }
        throw invalid("'" + first + "' is out of place");
    }

    private Node named(int depth) {
        String name = word();
        if (accept("(")) {
            return call(name, depth);
        }
        return switch (name) {
            case "true" -> new Literal(true);
            case "false" -> new Literal(false);
            case "null" -> new Literal(null);
            default -> new Field(path(name));
        };
    }

    private List<String> path(String first) {
        List<String> path = new ArrayList<>(List.of(first));
        while (accept(".")) {
            path.add(word());
        }
        return List.copyOf(path);
    }

    private Node call(String name, int depth) {
        Integer wanted = FUNCTIONS.get(name);
        if (wanted == null) {
            throw invalid("there is no function '" + name + "'; there are "
                    + String.join(", ", FUNCTIONS.keySet().stream().sorted().toList()));
        }
        List<Node> arguments = new ArrayList<>();
        do {
            arguments.add(sum(depth + 1));
        } while (accept(","));
        expect(")");
        if (wanted < 0 ? arguments.size() < -wanted : arguments.size() != wanted) {
            throw invalid("'" + name + "' takes " + (wanted < 0 ? "at least " + -wanted : String.valueOf(wanted))
                    + (wanted == 1 ? " argument" : " arguments"));
        }
        return new Call(name, List.copyOf(arguments));
    }

    /** A text in single quotes; a quote inside is written twice. */
    private String quoted() {
        StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length()) {
            char next = text.charAt(at++);
            if (next != '\'') {
                value.append(next);
            } else if (at < text.length() && text.charAt(at) == '\'') {
                value.append(next);
                at++;
            } else {
                return value.toString();
            }
        }
        throw invalid("a quote is not closed");
    }

    private Node number() {
        int start = at++;
        while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        String digits = text.substring(start, at);
        try {
            if (digits.indexOf('.') >= 0) {
                return new Literal(Double.valueOf(digits));
            }
            BigInteger whole = new BigInteger(digits);
            return new Literal(whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : whole);
        } catch (NumberFormatException e) {
            throw invalid("'" + digits + "' is no number");
        }
    }

    private String word() {
        skipSpace();
        int start = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        if (start == at) {
            throw invalid("a name is missing");
        }
        return text.substring(start, at);
    }

    private void expect(String wanted) {
        if (!accept(wanted)) {
            throw invalid("a '" + wanted + "' is missing");
        }
    }

    private boolean accept(String wanted) {
        skipSpace();
        if (text.startsWith(wanted, at)) {
            at += wanted.length();
            return true;
        }
        return false;
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private OntologiaException invalid(String why) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid expression '" + text + "'",
                why + ", at character " + (at + 1),
                "write fields, literals such as 'text' or 1, + - * / || and functions");
    }
}
