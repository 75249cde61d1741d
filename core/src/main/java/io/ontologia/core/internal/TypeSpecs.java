package io.ontologia.core.internal;

import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads type specs back from stored schema documents. */
public final class TypeSpecs {
    private static final Pattern LEGACY_CLASS = Pattern.compile("<class '(\\w+)'>");

    /** Text that nests deeper is of no type that we know. */
    private static final int DEEPEST = 50;

    private TypeSpecs() {}

    /** The type of a field, from its {@code type_spec}, or from the text of its {@code type} in documents of old. */
    public static TypeSpec ofField(JsonObject info) {
        if (info.fields().get("type_spec") != null) {
            return of(info.object("type_spec"));
        }
        return info.optionalText("type").flatMap(text -> ofText(text, 0)).orElse(TypeSpec.Primitive.ANY);
    }

    /** The type of a {@code type_spec} document. */
    public static TypeSpec of(JsonObject spec) {
        return switch (spec.text("kind")) {
            case "primitive" -> primitive(spec.text("name"));
            case "list" -> new TypeSpec.ListOf(of(spec.object("item")));
            case "dict" -> new TypeSpec.DictOf(of(spec.object("value")));
            case "union" ->
                new TypeSpec.Union(
                        spec.objects("members").stream().map(TypeSpecs::of).toList());
            case "typed_dict" -> struct(spec);
            case "ref" -> new TypeSpec.Ref(spec.text("name"));
            default ->
                throw new OntologiaException(
                        ErrorKind.CORRUPT,
                        "cannot read a stored schema",
                        "there is no type_spec of kind '" + spec.text("kind") + "'",
                        "open it with the version that wrote it");
        };
    }

    private static TypeSpec struct(JsonObject spec) {
        Map<String, TypeSpec> fields = new LinkedHashMap<>();
        JsonObject documents = spec.object("fields");
        for (String name : documents.fields().keySet()) {
            fields.put(name, of(documents.object(name)));
        }
        boolean total = !Boolean.FALSE.equals(spec.fields().get("total"));
        return new TypeSpec.Struct(
                spec.text("name"),
                fields,
                total ? TypeSpec.Struct.Presence.REQUIRED : TypeSpec.Struct.Presence.OPTIONAL);
    }

    /**
     * A primitive that we do not know (Python has more) takes any value. Python 3.11 takes {@code int | None} for a primitive
     * and writes its text as the name.
     */
    private static TypeSpec primitive(String name) {
        return named(name).or(() -> ofText(name, 0)).orElse(TypeSpec.Primitive.ANY);
    }

    private static Optional<TypeSpec> named(String name) {
        return Stream.of(TypeSpec.Primitive.values())
                .filter(primitive -> primitive.wireName().equals(name))
                .map(TypeSpec.class::cast)
                .findFirst();
    }

    /** The type that Python prints so; empty when it, or a part of it, is none that we know. */
    private static Optional<TypeSpec> ofText(String text, int depth) {
        if (depth > DEEPEST) {
            return Optional.empty();
        }
        List<String> members = split(text, " | ");
        if (members.size() > 1) {
            List<TypeSpec> known = members.stream()
                    .map(part -> ofText(part, depth + 1))
                    .flatMap(Optional::stream)
                    .toList();
            return known.size() < members.size() ? Optional.empty() : Optional.of(union(known));
        }
        Matcher matcher = LEGACY_CLASS.matcher(text);
        if (matcher.matches()) {
            return named(matcher.group(1));
        }
        if (text.endsWith("]")) {
            int open = text.indexOf('[');
            return open < 0
                    ? Optional.empty()
                    : generic(text.substring(0, open), text.substring(open + 1, text.length() - 1), depth + 1);
        }
        return switch (text) {
            case "None" -> Optional.of(TypeSpec.Primitive.NONE);
            case "typing.Any", "Any" -> Optional.of(TypeSpec.Primitive.ANY);
            default -> named(text);
        };
    }

    private static TypeSpec union(List<TypeSpec> members) {
        return members.stream().distinct().count() == 1 ? members.get(0) : new TypeSpec.Union(members);
    }

    private static Optional<TypeSpec> generic(String name, String arguments, int depth) {
        return switch (name) {
            case "typing.Optional" -> ofText(arguments, depth).map(TypeSpec::orNull);
            case "typing.List", "list" ->
                Optional.of(new TypeSpec.ListOf(ofText(arguments, depth).orElse(TypeSpec.Primitive.ANY)));
            case "typing.Dict", "dict" ->
                Optional.of(split(arguments, ", "))
                        .filter(parts -> parts.size() == 2 && parts.get(0).equals("str"))
                        .map(parts ->
                                new TypeSpec.DictOf(ofText(parts.get(1), depth).orElse(TypeSpec.Primitive.ANY)));
            case "typing.Union" -> {
                List<String> parts = split(arguments, ", ");
                List<TypeSpec> known = parts.stream()
                        .map(part -> ofText(part, depth + 1))
                        .flatMap(Optional::stream)
                        .toList();
                yield known.size() < parts.size() ? Optional.empty() : Optional.of(union(known));
            }
            default -> Optional.empty();
        };
    }

    /** The parts of a text between separators that stand in no brackets. */
    private static List<String> split(String text, String separator) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (depth == 0 && text.startsWith(separator, at)) {
                parts.add(text.substring(start, at));
                start = at + separator.length();
            }
        }
        parts.add(text.substring(start));
        return parts;
    }
}
