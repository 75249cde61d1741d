package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a value is: in the row's fields ({@code $.name}, {@code $.address.city}), in the fields of the entity at an end of a
 * relation ({@code left.$.tier}, {@code right.$.price}), or in the row's identity ({@code key}, {@code left_key}, {@code
 * right_key}, {@code instance_key}).
 *
 * <p>The field that holds an entity's key and the one that holds a relation's instance key mean the same as {@code key} and
 * {@code instance_key}. Every other field that happens to have such a name is told apart by its prefix: {@code $.key} is a
 * field, {@code key} is the key.
 *
 * @param segments the name of a field, then keys inside it from the outside in. In the identity exactly one, a part of it
 * @param owner the type that the first field was taken from, where an accessor named it. Paths that differ in nothing else are
 *     equal
 */
public record FieldPath(Scope scope, List<String> segments, Optional<String> owner) {
    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern KEY_IN_FIELD = Pattern.compile("[^\"*\\\\\\p{Cntrl}]+");
    private static final Pattern BARE_KEY = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_-]*");
    private static final Pattern NEXT_SEGMENT = Pattern.compile("\\G(?:\"([^\"]*)\"|([^.\"]+))(\\.|$)");
    private static final Set<String> IDENTITY_PARTS = Set.of("key", "left_key", "right_key", "instance_key");
    private static final Pattern TEXT = Pattern.compile("(?:(left|right)\\.\\$|\\$(?:\\.(left|right)(?=\\.))?)\\.(.+)");

    /** Which document a path starts in. */
    public enum Scope {
        /** The row itself. */
        SELF,
        /** The entity at the left end of a relation. */
        LEFT,
        /** The entity at the right end of a relation. */
        RIGHT,
        /** The identity of the row itself, which every row has: no value in it is ever missing. */
        IDENTITY
    }

    /** The key of an entity. */
    public static final FieldPath KEY = new FieldPath(Scope.IDENTITY, List.of("key"));

    /** The key at the left end of a relation, whether or not that entity exists. */
    public static final FieldPath LEFT_KEY = new FieldPath(Scope.IDENTITY, List.of("left_key"));

    /** The key at the right end of a relation, whether or not that entity exists. */
    public static final FieldPath RIGHT_KEY = new FieldPath(Scope.IDENTITY, List.of("right_key"));

    /** The instance key of a relation; an empty text when its type has none. */
    public static final FieldPath INSTANCE_KEY = new FieldPath(Scope.IDENTITY, List.of("instance_key"));

    public FieldPath {
        segments = List.copyOf(segments);
        if (segments.isEmpty()) {
            throw invalid("$", "it names no field");
        }
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (!(i == 0 ? SEGMENT : KEY_IN_FIELD).matcher(segment).matches()) {
                throw invalid(
                        String.join(".", segments),
                        "'" + segment + "' is not " + (i == 0 ? "a field name" : "a key inside a field"));
            }
        }
        if (scope == Scope.IDENTITY && (segments.size() > 1 || !IDENTITY_PARTS.contains(segments.get(0)))) {
            throw invalid(String.join(".", segments), "no identity has such a part");
        }
    }

    /** A path whose first field is given by name. */
    public FieldPath(Scope scope, List<String> segments) {
        this(scope, segments, Optional.empty());
    }

    /** A path in the row itself. */
    public static FieldPath of(String... segments) {
        return new FieldPath(Scope.SELF, List.of(segments));
    }

    /**
     * The path that a text names: {@code $.a.b}, {@code left.$.a} or, as on the command line, {@code $.left.a}; and {@code
     * key}, {@code left_key}, {@code right_key} or {@code instance_key} for a part of the identity.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it names none
     */
    public static FieldPath parse(String text) {
        if (isIdentity(text)) {
            return new FieldPath(Scope.IDENTITY, List.of(text));
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw invalid(text, "a path starts with $. or left.$. or right.$.");
        }
        String end = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        Scope scope = end == null ? Scope.SELF : end.equals("left") ? Scope.LEFT : Scope.RIGHT;
        return new FieldPath(scope, split(text, Objects.requireNonNull(matcher.group(3))));
    }

    /**
     * The segments of a path without its scope. A segment in double quotes may hold dots, hyphens and blanks.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it cannot be cut into segments
     */
    public static List<String> split(String path) {
        return split(path, path);
    }

    private static List<String> split(String text, String path) {
        List<String> segments = new ArrayList<>();
        Matcher next = NEXT_SEGMENT.matcher(path);
        boolean ended = false;
        while (!ended && next.find()) {
            String bare = next.group(2);
            if (bare != null && !BARE_KEY.matcher(bare).matches()) {
                throw invalid(text, "'" + bare + "' is not a field name");
            }
            segments.add(bare != null ? bare : Objects.requireNonNull(next.group(1)));
            ended = next.end() == path.length() && !".".equals(next.group(3));
        }
        if (!ended) {
            throw invalid(text, "a segment is empty, or its quotes are not closed");
        }
        return segments;
    }

    /** Whether a text names a part of the identity. */
    public static boolean isIdentity(String text) {
        return IDENTITY_PARTS.contains(text);
    }

    /** The path one level deeper. */
    public FieldPath then(String segment) {
        return new FieldPath(
                scope, Stream.concat(segments.stream(), Stream.of(segment)).toList(), owner);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldPath path && scope == path.scope && segments.equals(path.segments);
    }

    @Override
    public int hashCode() {
        return 31 * scope.hashCode() + segments.hashCode();
    }

    /** The path inside its document, for example {@code $.address.city}. */
    public String jsonPath() {
        return jsonPath(segments);
    }

    /** The path to a value inside a document; segments that are no plain names stand in double quotes. */
    public static String jsonPath(List<String> segments) {
        return segments.stream()
                .map(segment -> SEGMENT.matcher(segment).matches() ? "." + segment : ".\"" + segment + "\"")
                .collect(Collectors.joining("", "$", ""));
    }

    @Override
    public String toString() {
        return switch (scope) {
            case SELF -> jsonPath();
            case LEFT -> "left." + jsonPath();
            case RIGHT -> "right." + jsonPath();
            case IDENTITY -> segments.get(0);
        };
    }

    private static OntologiaException invalid(String text, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid path '" + text + "'",
                cause,
                "write it like $.name, $.address.city, $.address.\"zip-code\", left.$.tier, right.$.tier, key or left_key");
    }
}
