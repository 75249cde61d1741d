package io.ontologia.core.internal.records;

import io.ontologia.core.Default;
import io.ontologia.core.Indexed;
import io.ontologia.core.InstanceKey;
import io.ontologia.core.Key;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.internal.validation.Problems;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.lang.annotation.Annotation;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A nested record as an object with named fields. */
final class StructCodec extends ValueCodec {
    private static final List<Class<? extends Annotation>> ONLY_IN_TYPES =
            List.of(Key.class, InstanceKey.class, Indexed.class, Default.class);

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
        Problems problems = new Problems();
        for (Components.Component component : components.all()) {
            for (Class<? extends Annotation> annotation : ONLY_IN_TYPES) {
                if (component.declared().isAnnotationPresent(annotation)) {
                    problems.add("component '" + component.declared().getName() + "': @" + annotation.getSimpleName()
                            + " means nothing inside a field. remove it");
                }
            }
        }
        problems.refuseIfAny("cannot use record " + record.getName());
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
