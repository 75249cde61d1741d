package io.ontologia.core.internal.records;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
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
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Constructor<?> canonical = record.getDeclaredConstructor(
                    Arrays.stream(declared).map(RecordComponent::getType).toArray(Class<?>[]::new));
            canonical.setAccessible(true);
            MethodHandle constructor = lookup.unreflectConstructor(canonical)
                    .asSpreader(Object[].class, declared.length)
                    .asType(CONSTRUCTOR);
            return new Components(
                    record,
                    Arrays.stream(declared)
                            .map(component -> component(lookup, record, component, enclosing))
                            .toList(),
                    constructor);
        } catch (ReflectiveOperationException | RuntimeException e) {
            if (e instanceof OntologiaException known) {
                throw known;
            }
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot use record " + record.getName(),
                    "its members are not accessible",
                    "make it public, or open its package to this library",
                    e);
        }
    }

    private static Component component(
            MethodHandles.Lookup lookup, Class<?> record, RecordComponent component, Set<Class<?>> enclosing) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return new Component(
                    component,
                    FieldNames.of(component),
                    ValueCodecs.of(component.getAnnotatedType(), enclosing),
                    lookup.unreflect(accessor).asType(GETTER));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("an accessible accessor can be read", e);
        } catch (OntologiaException e) {
            throw new OntologiaException(
                    e.kind(),
                    "invalid component '" + component.getName() + "' of " + record.getSimpleName(),
                    e.getMessage(),
                    "",
                    e);
        }
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
            } catch (OntologiaException | ArithmeticException e) {
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
    record Component(RecordComponent declared, String name, ValueCodec codec, MethodHandle getter) {

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
                        "field '" + name + "' is null",
                        "its type does not allow it",
                        "give it a value, or mark the component @Nullable");
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
