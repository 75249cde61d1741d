package io.ontologia.cli.internal.schema;

import io.ontologia.core.TypeRef;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How types are named in documents. */
final class TypeNames {
    private TypeNames() {}

    /** {@code {type_kind, type_name}}. */
    static Map<String, Object> document(TypeRef type) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type_kind", type.kind().wireName());
        document.put("type_name", type.name());
        return document;
    }

    /** The names of types; where an entity type and a relation type share one, with the kind in front. */
    static List<String> of(Collection<TypeRef> types) {
        return types.stream().map(type -> name(type, types)).toList();
    }

    /** The same map by name. */
    static <V> Map<String, V> byName(Map<TypeRef, V> values) {
        Map<String, V> named = new LinkedHashMap<>();
        values.forEach((type, value) -> named.put(name(type, values.keySet()), value));
        return named;
    }

    private static String name(TypeRef type, Collection<TypeRef> among) {
        boolean shared =
                among.stream().anyMatch(other -> other.name().equals(type.name()) && other.kind() != type.kind());
        return shared ? type.toString() : type.name();
    }
}
