package io.ontologia.core.internal.records;

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
import java.util.Locale;

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
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it names no record accessor
     */
    public static String of(FieldRef<?, ?> accessor) {
        try {
            Method writeReplace = accessor.getClass().getDeclaredMethod("writeReplace");
            writeReplace.setAccessible(true);
            SerializedLambda lambda = (SerializedLambda) writeReplace.invoke(accessor);
            Class<?> owner = Class.forName(
                    lambda.getImplClass().replace('/', '.'),
                    false,
                    accessor.getClass().getClassLoader());
            RecordComponent[] components = owner.getRecordComponents();
            if (components != null) {
                RecordComponent component = Arrays.stream(components)
                        .filter(candidate -> candidate.getName().equals(lambda.getImplMethodName()))
                        .findFirst()
                        .orElseThrow(FieldNames::notAnAccessor);
                requirePayload(owner, component);
                return of(component);
            }
        } catch (ReflectiveOperationException e) {
            throw notAnAccessor();
        }
        throw notAnAccessor();
    }

    /** A relation's ends and instance key are not among the stored fields: a test of them would never be true. */
    private static void requirePayload(Class<?> owner, RecordComponent component) {
        boolean end =
                component.getName().equals("leftKey") || component.getName().equals("rightKey");
        if (Relation.class.isAssignableFrom(owner) && (end || component.isAnnotationPresent(InstanceKey.class))) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid field " + owner.getSimpleName() + "::" + component.getName(),
                    "it is part of the identity and not of the fields",
                    "test the entity at that end, for example left(Customer::id)");
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
