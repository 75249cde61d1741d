package io.ontologia.core.internal.records;

import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Finds the codec of a Java type. */
final class ValueCodecs {
    private ValueCodecs() {}

    static ValueCodec of(AnnotatedType type, Set<Class<?>> enclosing) {
        ValueCodec codec = ofNonNull(type, enclosing);
        return isNullable(type) ? ValueCodec.orNull(codec) : codec;
    }

    /** Whether a type carries an annotation called {@code Nullable}, of whatever library. */
    static boolean isNullable(AnnotatedType type) {
        return hasNullable(type.getAnnotations());
    }

    /**
     * Whether a component may be null: by an annotation called {@code Nullable} on its type, or on its declaration. Older
     * libraries have the latter, which Java hands on to the field, the accessor or the parameter, as each library says. Only
     * annotations that are kept at run time can be seen.
     */
    static boolean isNullable(RecordComponent component) {
        if (isNullable(component.getAnnotatedType())
                || hasNullable(component.getAnnotations())
                || hasNullable(component.getAccessor().getAnnotations())) {
            return true;
        }
        Class<?> record = component.getDeclaringRecord();
        RecordComponent[] all = record.getRecordComponents();
        try {
            int index =
                    Arrays.stream(all).map(RecordComponent::getName).toList().indexOf(component.getName());
            Constructor<?> canonical = record.getDeclaredConstructor(
                    Arrays.stream(all).map(RecordComponent::getType).toArray(Class<?>[]::new));
            Annotation[][] ofParameters = canonical.getParameterAnnotations();
            return hasNullable(record.getDeclaredField(component.getName()).getAnnotations())
                    || (index >= 0 && index < ofParameters.length && hasNullable(ofParameters[index]));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a record lacks what every record has", e);
        }
    }

    private static boolean hasNullable(Annotation[] annotations) {
        return Arrays.stream(annotations)
                .anyMatch(annotation ->
                        annotation.annotationType().getSimpleName().equals("Nullable"));
    }

    /** The codec of a component. */
    static ValueCodec of(RecordComponent component, Set<Class<?>> enclosing) {
        ValueCodec codec = of(component.getAnnotatedType(), enclosing);
        boolean adds = !codec.spec().nullable() && !component.getType().isPrimitive() && isNullable(component);
        return adds ? ValueCodec.orNull(codec) : codec;
    }

    private static ValueCodec ofNonNull(AnnotatedType annotated, Set<Class<?>> enclosing) {
        Type type = annotated.getType();
        if (type instanceof ParameterizedType parameterized
                && annotated instanceof AnnotatedParameterizedType annotatedParameters) {
            AnnotatedType[] arguments = annotatedParameters.getAnnotatedActualTypeArguments();
            if (parameterized.getRawType() == List.class) {
                return ValueCodec.listOf(of(arguments[0], enclosing));
            }
            if (parameterized.getRawType() == Map.class && arguments[0].getType() == String.class) {
                return ValueCodec.mapOf(of(arguments[1], enclosing));
            }
        }
        if (type instanceof Class<?> javaClass) {
            return ofClass(javaClass, enclosing);
        }
        throw unsupported(type);
    }

    private static ValueCodec ofClass(Class<?> type, Set<Class<?>> enclosing) {
        TypeSpec text = TypeSpec.Primitive.STR;
        if (type == String.class) {
            return ValueCodec.simple(text, String.class, value -> value, tree -> tree);
        }
        if (type == long.class || type == Long.class) {
            return ValueCodec.integer(BigInteger::longValueExact);
        }
        if (type == int.class || type == Integer.class) {
            return ValueCodec.integer(BigInteger::intValueExact);
        }
        if (type == short.class || type == Short.class) {
            return ValueCodec.integer(BigInteger::shortValueExact);
        }
        if (type == byte.class || type == Byte.class) {
            return ValueCodec.integer(BigInteger::byteValueExact);
        }
        if (type == BigInteger.class) {
            return ValueCodec.integer(number -> number);
        }
        if (type == double.class || type == Double.class) {
            return ValueCodec.decimal(number -> number);
        }
        if (type == float.class || type == Float.class) {
            return ValueCodec.decimal(Double::floatValue);
        }
        if (type == boolean.class || type == Boolean.class) {
            return ValueCodec.simple(TypeSpec.Primitive.BOOL, Boolean.class, value -> value, tree -> tree);
        }
        if (type == Instant.class) {
            return ValueCodec.simple(text, String.class, TextForms::of, UtcTimestamp::parseExactly);
        }
        if (type == LocalDate.class) {
            return ValueCodec.simple(text, String.class, TextForms::of, LocalDate::parse);
        }
        if (type == UUID.class) {
            return ValueCodec.simple(text, String.class, Object::toString, UUID::fromString);
        }
        if (type.isEnum()) {
            return ofEnum(type);
        }
        if (type == Object.class) {
            return ValueCodec.any();
        }
        if (type.isRecord()) {
            return StructCodec.of(type, enclosing);
        }
        throw unsupported(type);
    }

    private static ValueCodec ofEnum(Class<?> type) {
        return ValueCodec.simple(
                TypeSpec.Primitive.STR,
                String.class,
                value -> ((Enum<?>) value).name(),
                name -> Arrays.stream(type.getEnumConstants())
                        .filter(constant -> ((Enum<?>) constant).name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new OntologiaException(
                                ErrorKind.INVALID_INPUT,
                                "wrong value",
                                "'" + name + "' is no " + type.getSimpleName(),
                                "store one of " + Arrays.toString(type.getEnumConstants()))));
    }

    private static OntologiaException unsupported(Type type) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "unsupported Java type " + type.getTypeName(),
                "it has no JSON form here",
                "use String, a number, boolean, enum, Instant, LocalDate, UUID, List<T>, Map<String, T>, a record or"
                        + " Object");
    }
}
