package io.ontologia.core.internal.records;

import io.ontologia.core.FieldPath;
import io.ontologia.core.FieldRef;
import io.ontologia.core.InstanceKey;
import io.ontologia.core.Named;
import io.ontologia.core.Relation;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The names that Java components have in the store. */
public final class FieldNames {
    private FieldNames() {}

    /** The stored name of a component: its {@link Named} value, or its Java name in snake case. */
    public static String of(RecordComponent component) {
        Named named = component.getAnnotation(Named.class);
        return named != null ? named.value() : snakeCase(component.getName());
    }

    /**
     * The stored name of the component whose accessor a method reference names.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it names no record accessor, or a part of a
     *     relation's identity, which is not among its fields
     */
    public static String of(FieldRef<?, ?> accessor) {
        Accessor named = Accessor.of(accessor);
        if (named.identityPart().isPresent()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid field " + named.owner().getSimpleName() + "::"
                            + named.component().getName(),
                    "it is part of the identity and not of the fields",
                    "use it alone, as in field(" + named.owner().getSimpleName() + "::"
                            + named.component().getName() + ")");
        }
        return of(named.component());
    }

    /**
     * Where the value is that a method reference names.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it names no record accessor
     */
    public static FieldPath pathOf(FieldRef<?, ?> accessor) {
        Accessor named = Accessor.of(accessor);
        return named.identityPart().orElseGet(() -> pathOf(FieldPath.Scope.SELF, accessor));
    }

    /**
     * Where the field is that a method reference names, in the documents of a scope. The path remembers the type of the record.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it names no record accessor, or a part of a
     *     relation's identity, which is not among its fields
     */
    public static FieldPath pathOf(FieldPath.Scope scope, FieldRef<?, ?> accessor) {
        return new FieldPath(
                scope,
                List.of(of(accessor)),
                Optional.of(RecordBinding.nameOf(Accessor.of(accessor).owner())));
    }

    /** A record's component, named by a method reference. */
    private record Accessor(Class<?> owner, RecordComponent component) {
        static Accessor of(FieldRef<?, ?> accessor) {
            try {
                Method writeReplace = accessor.getClass().getDeclaredMethod("writeReplace");
                writeReplace.setAccessible(true);
                SerializedLambda lambda = (SerializedLambda) writeReplace.invoke(accessor);
                Class<?> owner = Class.forName(
                        lambda.getImplClass().replace('/', '.'),
                        false,
                        accessor.getClass().getClassLoader());
                RecordComponent[] components = owner.getRecordComponents();
                if (components == null) {
                    throw notAnAccessor();
                }
                return Arrays.stream(components)
                        .filter(candidate -> candidate.getName().equals(lambda.getImplMethodName()))
                        .findFirst()
                        .map(component -> new Accessor(owner, component))
                        .orElseThrow(FieldNames::notAnAccessor);
            } catch (ReflectiveOperationException e) {
                throw notAnAccessor();
            }
        }

        private FieldPath owned(FieldPath path) {
            return new FieldPath(path.scope(), path.segments(), Optional.of(RecordBinding.nameOf(owner)));
        }

        /** The part of a relation's identity that it holds; those are not among the stored fields. */
        Optional<FieldPath> identityPart() {
            if (!Relation.class.isAssignableFrom(owner)) {
                return Optional.empty();
            }
            if (component.getName().equals("leftKey")) {
                return Optional.of(owned(FieldPath.LEFT_KEY));
            }
            if (component.getName().equals("rightKey")) {
                return Optional.of(owned(FieldPath.RIGHT_KEY));
            }
            return component.isAnnotationPresent(InstanceKey.class)
                    ? Optional.of(owned(FieldPath.INSTANCE_KEY))
                    : Optional.empty();
        }
    }

    static String snakeCase(String javaName) {
        return javaName.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .replaceAll("([A-Z]+)([A-Z][a-z])", "$1_$2")
                .toLowerCase(Locale.ROOT);
    }

    private static OntologiaException notAnAccessor() {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid field",
                "it is not a method reference to a record's accessor",
                "write it like Customer::tier, or use field(\"$.tier\")");
    }
}
