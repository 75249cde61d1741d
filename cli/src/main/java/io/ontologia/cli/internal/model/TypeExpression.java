package io.ontologia.cli.internal.model;

import io.ontologia.core.TypeSpec;
import io.ontologia.core.TypeSpec.Primitive;
import java.util.Map;

/**
 * Reads the types of model files: {@code str int float bool any}, {@code T?}, {@code list[T]} and {@code dict[str, T]}.
 */
final class TypeExpression {
    private static final Map<String, Primitive> NAMES = Map.of(
            "str", Primitive.STR,
            "int", Primitive.INT,
            "float", Primitive.FLOAT,
            "bool", Primitive.BOOL,
            "any", Primitive.ANY);
    private static final int MAX_DEPTH = 50;
    private static final int SHOWN = 100;

    /** A text that is no type; its message says why. */
    static final class InvalidTypeException extends Exception {
        private static final long serialVersionUID = 1;

        InvalidTypeException(String message) {
            super(message);
        }
    }

    private final String text;
    private int at;

    private TypeExpression(String text) {
        this.text = text;
    }

    static TypeSpec parse(String text) throws InvalidTypeException {
        TypeExpression expression = new TypeExpression(text);
        TypeSpec spec = expression.type(0);
        if (!expression.atEnd()) {
            throw expression.invalid("there is more after the type");
        }
        return spec;
    }

    private TypeSpec type(int depth) throws InvalidTypeException {
        if (depth > MAX_DEPTH) {
            throw invalid("it nests too deep");
        }
        String name = word();
        TypeSpec spec = switch (name) {
            case "list" -> {
                expect('[');
                TypeSpec item = type(depth + 1);
                expect(']');
                yield new TypeSpec.ListOf(item);
            }
            case "dict" -> {
                expect('[');
                if (!word().equals("str")) {
                    throw invalid("the keys of a dict are str");
                }
                expect(',');
                TypeSpec value = type(depth + 1);
                expect(']');
                yield new TypeSpec.DictOf(value);
            }
            default -> primitive(name);
        };
        return accept('?') ? TypeSpec.orNull(spec) : spec;
    }

    private TypeSpec primitive(String name) throws InvalidTypeException {
        Primitive primitive = NAMES.get(name);
        if (primitive == null) {
            throw invalid(name.isEmpty() ? "a type is missing" : "'" + name + "' is unknown");
        }
        return primitive;
    }

    private String word() {
        skipSpace();
        int start = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        return text.substring(start, at);
    }

    private void expect(char wanted) throws InvalidTypeException {
        if (!accept(wanted)) {
            throw invalid("a '" + wanted + "' is missing");
        }
    }

    private boolean accept(char wanted) {
        skipSpace();
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private boolean atEnd() {
        skipSpace();
        return at == text.length();
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private InvalidTypeException invalid(String why) {
        String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
        return new InvalidTypeException("'" + shown + "' is no type: " + why);
    }
}
