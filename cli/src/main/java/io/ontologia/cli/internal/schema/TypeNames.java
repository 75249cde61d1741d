package io.ontologia.cli.internal.schema;

import io.ontologia.core.TypeRef;
import java.util.LinkedHashMap;
import java.util.Map;

/** How types are named in documents. */
final class TypeNames {
    private TypeNames() {}

    static Map<String, Object> document(TypeRef type) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type_kind", type.kind().wireName());
        document.put("type_name", type.name());
        return document;
    }
}
