package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where a value is: in the row itself ({@code $.name}, {@code $.address.city}), or in the entity at an end of a relation
 * ({@code left.$.tier}, {@code right.$.price}).
 *
 * @param segments field names from the outside in; at least one
 */
public record FieldPath(Scope scope, List<String> segments) {
    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern TEXT = Pattern.compile("(?:(left|right)\\.\\$|\\$(?:\\.(left|right)(?=\\.))?)\\.(.+)");

    /** Which document a path starts in. */
    public enum Scope {
        /** The row itself. */
        SELF,
        /** The entity at the left end of a relation. */
        LEFT,
        /** The entity at the right end of a relation. */
        RIGHT
    }

    public FieldPath {
        segments = List.copyOf(segments);
        if (segments.isEmpty()) {
            throw invalid("$", "it names no field");
        }
        for (String segment : segments) {
            if (!SEGMENT.matcher(segment).matches()) {
                throw invalid(String.join(".", segments), "'" + segment + "' is not a field name");
            }
        }
    }

    /** A path in the row itself. */
    public static FieldPath of(String... segments) {
        return new FieldPath(Scope.SELF, List.of(segments));
    }

    /**
     * The path that a text names: {@code $.a.b}, {@code left.$.a} or, as on the command line, {@code $.left.a}.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it names none
     */
    public static FieldPath parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw invalid(text, "a path starts with $. or left.$. or right.$.");
        }
        String end = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        Scope scope = end == null ? Scope.SELF : end.equals("left") ? Scope.LEFT : Scope.RIGHT;
        return new FieldPath(
                scope, List.of(Objects.requireNonNull(matcher.group(3)).split("\\.", -1)));
    }

    /** The path one level deeper. */
    public FieldPath then(String segment) {
        return new FieldPath(
                scope, Stream.concat(segments.stream(), Stream.of(segment)).toList());
    }

    /** The path inside its document, for example {@code $.address.city}. */
    public String jsonPath() {
        return "$." + String.join(".", segments);
    }

    @Override
    public String toString() {
        return switch (scope) {
            case SELF -> jsonPath();
            case LEFT -> "left." + jsonPath();
            case RIGHT -> "right." + jsonPath();
        };
    }

    private static OntologiaException invalid(String text, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid path '" + text + "'",
                cause,
                "write it like $.name, $.address.city, left.$.tier or right.$.tier");
    }
}
