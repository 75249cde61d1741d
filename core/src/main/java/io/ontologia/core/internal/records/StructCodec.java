package io.ontologia.core.internal.records;

import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A nested record as an object with named fields. */
final class StructCodec extends ValueCodec {
    private final Components components;

    private StructCodec(TypeSpec spec, Components components) {
        super(spec);
        this.components = components;
    }

    static ValueCodec of(Class<?> record, Set<Class<?>> enclosing) {
        if (enclosing.contains(record)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "unsupported Java type " + record.getSimpleName(),
                    "it contains itself",
                    "use a relation, or a field of type Object");
        }
        Set<Class<?>> inner = new HashSet<>(enclosing);
        inner.add(record);
        Components components = Components.of(record, inner);
        Map<String, TypeSpec> fields = new LinkedHashMap<>();
        for (Components.Component component : components.all()) {
            fields.put(component.name(), component.codec().spec());
        }
        return new StructCodec(new TypeSpec.Struct(record.getSimpleName(), fields), components);
    }

    @Override
    Object toTree(Object value) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (Components.Component component : components.all()) {
            tree.put(component.name(), component.treeOf(value));
        }
        return tree;
    }

    @Override
    Object toJava(@Nullable Object tree) {
        if (!(tree instanceof Map<?, ?> map)) {
            throw mismatch(spec(), tree);
        }
        return components.construct(component -> component.javaOf(map.get(component.name())));
    }
}
