package io.ontologia.testkit;

import io.ontologia.kernel.CanonicalJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** JSON as another program writes it: fields in the order of the specification, with blanks after colons and commas. */
final class ForeignJson {
    private ForeignJson() {}

    /** A document with fields in the given order: name, value, name, value and so on. */
    static Map<String, @Nullable Object> fields(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return fields;
    }

    /** The text of a tree. */
    static String text(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(field -> text(String.valueOf(field.getKey())) + ": " + text(field.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (tree instanceof List<?> list) {
            return list.stream().map(ForeignJson::text).collect(Collectors.joining(", ", "[", "]"));
        }
        return CanonicalJson.writeAscii(tree);
    }
}
