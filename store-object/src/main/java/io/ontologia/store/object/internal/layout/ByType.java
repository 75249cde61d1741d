package io.ontologia.store.object.internal.layout;

import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Documents that say something about each type, as {@code {"entity": {"Customer": …}, "relation": {…}}}. */
final class ByType {
    private ByType() {}

    static <T> Map<TypeRef, T> read(JsonObject json, BiFunction<TypeRef, @Nullable Object, T> reader) {
        Map<TypeRef, T> byType = new LinkedHashMap<>();
        for (TypeKind kind : TypeKind.values()) {
            if (json.fields().get(kind.wireName()) != null) {
                json.object(kind.wireName()).fields().forEach((name, value) -> {
                    TypeRef type = new TypeRef(kind, name);
                    byType.put(type, reader.apply(type, value));
                });
            }
        }
        return byType;
    }

    static <T> Map<String, @Nullable Object> write(
            Map<TypeRef, T> byType, Function<T, ? extends @Nullable Object> writer) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (TypeKind kind : TypeKind.values()) {
            Map<String, @Nullable Object> ofKind = new TreeMap<>();
            byType.forEach((type, value) -> {
                if (type.kind() == kind) {
                    ofKind.put(type.name(), writer.apply(value));
                }
            });
            fields.put(kind.wireName(), ofKind);
        }
        return fields;
    }
}
