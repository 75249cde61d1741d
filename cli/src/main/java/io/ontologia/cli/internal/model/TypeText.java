package io.ontologia.cli.internal.model;

import io.ontologia.core.TypeSpec;
import java.util.List;
import java.util.stream.Collectors;

/** Types as model files write them. */
public final class TypeText {
    private TypeText() {}

    /** The text of a type: {@code int?}, {@code list[str]}, {@code {lat: float, lon: float}}. */
    public static String of(TypeSpec spec) {
        if (spec instanceof TypeSpec.Primitive primitive) {
            return primitive.wireName();
        }
        if (spec instanceof TypeSpec.ListOf list) {
            return "list[" + of(list.item()) + "]";
        }
        if (spec instanceof TypeSpec.DictOf dict) {
            return "dict[str, " + of(dict.value()) + "]";
        }
        if (spec instanceof TypeSpec.Struct struct) {
            return struct.fields().entrySet().stream()
                    .map(field -> field.getKey() + ": " + of(field.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (spec instanceof TypeSpec.Union union) {
            List<String> members = union.members().stream()
                    .filter(member -> member != TypeSpec.Primitive.NONE)
                    .map(TypeText::of)
                    .toList();
            return String.join(" | ", members) + (union.nullable() ? "?" : "");
        }
        return ((TypeSpec.Ref) spec).name();
    }
}
