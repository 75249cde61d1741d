package io.ontologia.core.internal;

import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads type specs back from stored schema documents. */
public final class TypeSpecs {
    private static final Pattern LEGACY_CLASS = Pattern.compile("<class '(\\w+)'>");

    private TypeSpecs() {}

    /** The type of a field, from its {@code type_spec}, or from the text of its {@code type} in documents of old. */
    public static TypeSpec ofField(JsonObject info) {
        if (info.fields().get("type_spec") != null) {
            return of(info.object("type_spec"));
        }
        return info.optionalText("type").flatMap(TypeSpecs::ofLegacyText).orElse(TypeSpec.Primitive.ANY);
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

    /** A primitive that we do not know (Python has more) takes any value. */
    private static TypeSpec primitive(String name) {
        for (TypeSpec.Primitive primitive : TypeSpec.Primitive.values()) {
            if (primitive.wireName().equals(name)) {
                return primitive;
            }
        }
        return TypeSpec.Primitive.ANY;
    }

    private static Optional<TypeSpec> ofLegacyText(String text) {
        Matcher matcher = LEGACY_CLASS.matcher(text);
        if (matcher.matches()) {
            return Optional.of(primitive(matcher.group(1)));
        }
        for (String prefix : List.of("typing.Optional[", "typing.List[", "list[")) {
            if (text.startsWith(prefix) && text.endsWith("]")) {
                TypeSpec inner = ofLegacyText(text.substring(prefix.length(), text.length() - 1))
                        .orElse(TypeSpec.Primitive.ANY);
                return Optional.of(
                        prefix.equals("typing.Optional[") ? TypeSpec.orNull(inner) : new TypeSpec.ListOf(inner));
            }
        }
        if (text.endsWith(" | None")) {
            return ofLegacyText(text.substring(0, text.length() - " | None".length()))
                    .map(TypeSpec::orNull);
        }
        return List.of("str", "int", "float", "bool").contains(text) ? Optional.of(primitive(text)) : Optional.empty();
    }
}
