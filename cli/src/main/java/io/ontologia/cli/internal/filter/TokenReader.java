package io.ontologia.cli.internal.filter;

import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** Goes through the words of an expression, one after the other. */
final class TokenReader {
    private final String what;
    private final List<Token> tokens;
    private int at;

    private TokenReader(String what, List<Token> tokens) {
        this.what = what;
        this.tokens = tokens;
    }

    static TokenReader of(String what, String text) {
        return new TokenReader(what, Lexer.read(what, text));
    }

    Token peek() {
        return tokens.get(at);
    }

    Token peekAfter() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    Token next() {
        return tokens.get(at++);
    }

    boolean acceptWord(String word) {
        boolean found = peek().isWord(word);
        at += found ? 1 : 0;
        return found;
    }

    boolean acceptSymbol(String symbol) {
        boolean found = peek().isSymbol(symbol);
        at += found ? 1 : 0;
        return found;
    }

    void expectSymbol(String symbol) {
        if (!acceptSymbol(symbol)) {
            throw unexpected("a '" + symbol + "' belongs here and not " + peek().describe(), "add it");
        }
    }

    void requireEnd(String remedy) {
        if (peek().kind() != Token.Kind.END) {
            throw unexpected("the expression could end before " + peek().describe(), remedy);
        }
    }

    /** A text, number or boolean. */
    Object literal() {
        Token token = peek();
        if (token.kind() == Token.Kind.TEXT || token.kind() == Token.Kind.NUMBER) {
            at++;
            return Objects.requireNonNull(token.value());
        }
        if (token.isWord("true") || token.isWord("false")) {
            at++;
            return token.isWord("true");
        }
        if (token.isWord("null")) {
            throw unexpected("nothing equals null", "write: is null, or is not null");
        }
        throw unexpected(
                "a value belongs here and not " + token.describe(),
                token.kind() == Token.Kind.WORD ? "put texts into quotes: '" + token.text() + "'" : "add it");
    }

    /** What is wrong with the next word. */
    OntologiaException unexpected(String cause, String remedy) {
        return invalid(peek(), cause, remedy);
    }

    OntologiaException invalid(Token token, String cause, String remedy) {
        return Lexer.invalid(what, token.column(), cause, remedy);
    }

    /** Makes something that may be refused by its own rules, and says where that happened. */
    <T> T checked(Token token, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (OntologiaException e) {
            if (e.details().containsKey("column")) {
                throw e;
            }
            throw invalid(token, e.getMessage(), "");
        }
    }
}
