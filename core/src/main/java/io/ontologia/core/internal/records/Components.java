package io.ontologia.core.internal.records;

import io.ontologia.core.Default;
import io.ontologia.core.FieldDef;
import io.ontologia.core.FormerName;
import io.ontologia.core.Indexed;
import io.ontologia.core.internal.validation.Problems;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The components of a record, with fast access to their values and to the canonical constructor. */
final class Components {
    private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
    private static final MethodType CONSTRUCTOR = MethodType.methodType(Object.class, Object[].class);

    private final Class<?> record;
    private final List<Component> all;
    private final MethodHandle constructor;

    private Components(Class<?> record, List<Component> all, MethodHandle constructor) {
        this.record = record;
        this.all = all;
        this.constructor = constructor;
    }

    static Components of(Class<?> record, Set<Class<?>> enclosing) {
        RecordComponent[] declared = record.getRecordComponents();
        List<Component> all = components(record, declared, enclosing);
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Constructor<?> canonical = record.getDeclaredConstructor(
                    Arrays.stream(declared).map(RecordComponent::getType).toArray(Class<?>[]::new));
            canonical.setAccessible(true);
            MethodHandle constructor = lookup.unreflectConstructor(canonical)
                    .asSpreader(Object[].class, declared.length)
                    .asType(CONSTRUCTOR);
            return new Components(record, all, constructor);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw inaccessible(record, e);
        }
    }

    private static List<Component> components(Class<?> record, RecordComponent[] declared, Set<Class<?>> enclosing) {
        Problems problems = new Problems();
        requireDistinctNames(declared, problems);
        List<Component> all = new ArrayList<>();
        for (RecordComponent component : declared) {
            problems.attempt("component '" + component.getName() + "': ", () -> component(record, component, enclosing))
                    .ifPresent(all::add);
        }
        problems.refuseIfAny("cannot use record " + record.getName());
        return List.copyOf(all);
    }

    private static void requireDistinctNames(RecordComponent[] declared, Problems problems) {
        Map<String, String> seen = new HashMap<>();
        for (RecordComponent component : declared) {
            String other = seen.put(FieldNames.of(component), component.getName());
            if (other != null) {
                problems.add("components '" + other + "' and '" + component.getName() + "' are both called '"
                        + FieldNames.of(component) + "'");
            }
        }
    }

    private static Component component(Class<?> record, RecordComponent component, Set<Class<?>> enclosing) {
        ValueCodec codec = ValueCodecs.of(component, enclosing);
        FieldDef field = field(component, codec);
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return new Component(
                    component,
                    field,
                    codec,
                    MethodHandles.lookup().unreflect(accessor).asType(GETTER));
        } catch (IllegalAccessException | RuntimeException e) {
            throw inaccessible(record, e);
        }
    }

    private static FieldDef field(RecordComponent component, ValueCodec codec) {
        FieldDef field = FieldDef.of(FieldNames.of(component), codec.spec());
        if (component.isAnnotationPresent(Indexed.class)) {
            field = field.withIndex();
        }
        FormerName formerName = component.getAnnotation(FormerName.class);
        if (formerName != null) {
            field = field.withFormerName(formerName.value());
        }
        Default defaultValue = component.getAnnotation(Default.class);
        return defaultValue == null ? field : field.withDefault(Json.parse(defaultValue.value()));
    }

    private static OntologiaException inaccessible(Class<?> record, Exception e) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot use record " + record.getName(),
                "its members are not accessible",
                "make it public, or open its package to this library",
                e);
    }

    List<Component> all() {
        return all;
    }

    Object construct(Function<Component, @Nullable Object> value) {
        @Nullable Object[] arguments = new Object[all.size()];
        for (int i = 0; i < arguments.length; i++) {
            Component component = all.get(i);
            try {
                arguments[i] = value.apply(component);
            } catch (RuntimeException e) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot read field '" + component.name() + "' into " + record.getSimpleName(),
                        String.valueOf(e.getMessage()),
                        "",
                        e);
            }
        }
        try {
            return constructor.invokeExact(arguments);
        } catch (Throwable e) {
            if (e instanceof Error error) {
                throw error;
            }
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot make a " + record.getSimpleName(),
                    "its constructor refused the stored values: " + e.getMessage(),
                    "correct the data or the constructor",
                    e);
        }
    }

    /** One component. */
    record Component(RecordComponent declared, FieldDef field, ValueCodec codec, MethodHandle getter) {

        String name() {
            return field.name();
        }

        @Nullable Object get(Object instance) {
            try {
                return getter.invokeExact(instance);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("a record accessor threw a checked exception", e);
            }
        }

        @Nullable Object treeOf(Object instance) {
            Object value = get(instance);
            if (value != null) {
                return codec.toTree(value);
            }
            if (!codec.spec().nullable()) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "field '" + name() + "' is null",
                        "its type does not allow it",
                        "give it a value, or mark the component with a @Nullable that is kept at run time, such as"
                                + " org.jspecify.annotations.Nullable");
            }
            return null;
        }

        @Nullable Object javaOf(@Nullable Object tree) {
            if (tree == null && !codec.spec().nullable()) {
                throw ValueCodec.mismatch(codec.spec(), null);
            }
            return codec.toJava(tree);
        }
    }
}
