package io.ontologia.cli.internal.schema;

import io.ontologia.core.SchemaDiff;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.CanonicalJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Differences between schemas, for people and programs. */
final class SchemaDocuments {
    private SchemaDocuments() {}

    /** A difference without the name of its type. */
    static Map<String, Object> difference(SchemaDiff diff) {
        Map<String, Object> document = new LinkedHashMap<>(diff.toJson());
        document.remove("type_kind");
        document.remove("type_name");
        return document;
    }

    /** One row for each field: type, change, field, stored, model. */
    static void addRows(TypeRef type, String result, Map<String, Object> difference, List<List<Object>> rows) {
        int before = rows.size();
        for (Object field : list(difference, "added_fields")) {
            rows.add(List.of(type.toString(), "added", field, "", ""));
        }
        for (Object field : list(difference, "removed_fields")) {
            rows.add(List.of(type.toString(), "removed", field, "", ""));
        }
        if (difference.get("changed_fields") instanceof Map<?, ?> changed) {
            changed.forEach((field, change) -> {
                Map<?, ?> sides = (Map<?, ?>) change;
                rows.add(List.of(
                        type.toString(),
                        "changed",
                        String.valueOf(field),
                        text(sides.get("stored")),
                        text(sides.get("code"))));
            });
        }
        if (rows.size() == before) {
            rows.add(List.of(type.toString(), result, "", "", ""));
        }
    }

    private static List<?> list(Map<String, Object> difference, String name) {
        return difference.get(name) instanceof List<?> list ? list : List.of();
    }

    /** The type of a field as Python prints it, and what else there is to say about it. */
    private static String text(@Nullable Object side) {
        if (!(side instanceof Map<?, ?> field)) {
            return side == null ? "-" : side instanceof String text ? text : CanonicalJson.write(side);
        }
        StringBuilder text = new StringBuilder(String.valueOf(field.get("type")));
        if (field.get("primary_key") == Boolean.TRUE) {
            text.append(", primary key");
        }
        if (field.get("index") == Boolean.TRUE) {
            text.append(", index");
        }
        return text.toString();
    }
}
