package io.ontologia.cli.internal.filter;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts an expression into words. */
final class Lexer {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(?<real>(\\.[0-9]+)?([eE][-+]?[0-9]+)?)");
    private static final Pattern WORD =
            Pattern.compile("(\\$|[A-Za-z_][A-Za-z0-9_]*)(\\.(\\$|[A-Za-z0-9_][A-Za-z0-9_-]*|\"[^\"]*\")|\\[\\])*");
    private static final Pattern SYMBOL = Pattern.compile("==|=|!=|<>|<=|>=|<|>|\\(|\\)|\\[|\\]|,");

    private final String what;
    private final String text;
    private int at;

    private Lexer(String what, String text) {
        this.what = what;
        this.text = text;
    }

    /**
     * The words, and the end as the last one.
     *
     * @param what the option that holds the expression, for errors
     */
    static List<Token> read(String what, String text) {
        Lexer lexer = new Lexer(what, text);
        List<Token> tokens = new ArrayList<>();
        do {
            tokens.add(lexer.next());
        } while (tokens.get(tokens.size() - 1).kind() != Token.Kind.END);
        return tokens;
    }

    private Token next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        int start = at;
        if (at == text.length()) {
            return new Token(Token.Kind.END, "", null, start + 1);
        }
        char first = text.charAt(at);
        if (first == '\'' || first == '"') {
            return quoted(first);
        }
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (number.lookingAt()) {
            at = number.end();
            return new Token(Token.Kind.NUMBER, number.group(), value(number), start + 1);
        }
        Matcher word = WORD.matcher(text).region(at, text.length());
        if (word.lookingAt()) {
            at = word.end();
            return new Token(Token.Kind.WORD, word.group(), null, start + 1);
        }
        Matcher symbol = SYMBOL.matcher(text).region(at, text.length());
        if (symbol.lookingAt()) {
            at = symbol.end();
            return new Token(Token.Kind.SYMBOL, symbol.group(), null, start + 1);
        }
        throw invalid(
                what,
                start + 1,
                "'" + Character.toString(text.codePointAt(at)) + "' does not belong into an expression",
                "put texts into quotes");
    }

    private Object value(Matcher number) {
        String real = number.group("real");
        if (real == null || real.isEmpty()) {
            BigInteger integer = new BigInteger(number.group());
            return integer.bitLength() < Long.SIZE ? (Object) integer.longValue() : integer;
        }
        double value = Double.parseDouble(number.group());
        if (Double.isInfinite(value)) {
            throw invalid(what, number.start() + 1, "the number is too large", "use a smaller one");
        }
        return value;
    }

    private Token quoted(char quote) {
        int start = at++;
        StringBuilder value = new StringBuilder();
        while (at < text.length() && text.charAt(at) != quote) {
            char c = text.charAt(at++);
            value.append(c == '\\' ? escaped(start) : c);
        }
        if (at == text.length()) {
            throw invalid(what, start + 1, "the text that begins here has no end", "close it with " + quote);
        }
        at++;
        return new Token(Token.Kind.TEXT, text.substring(start, at), value.toString(), start + 1);
    }

    private char escaped(int start) {
        char c = at < text.length() ? text.charAt(at++) : '?';
        return switch (c) {
            case '\\', '\'', '"', '/' -> c;
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                String digits = text.substring(at, Math.min(text.length(), at + 4));
                if (!digits.matches("[0-9a-fA-F]{4}")) {
                    throw invalid(what, at - 1, "\\u needs four hexadecimal digits", "write it like \\u00e9");
                }
                at += 4;
                yield (char) Integer.parseInt(digits, 16);
            }
            default ->
                throw invalid(
                        what,
                        Math.max(start + 1, at - 1),
                        "there is no escape '\\" + c + "'",
                        "use \\\\, \\', \\\", \\n, \\r, \\t or \\u and four digits");
        };
    }

    static OntologiaException invalid(String what, int column, String cause, String remedy) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid " + what + ", column " + column,
                cause,
                remedy,
                Map.of("column", column),
                null);
    }
}
