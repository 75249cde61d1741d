package io.ontologia.core.internal.records;

import io.ontologia.core.FieldRef;
import io.ontologia.core.Named;
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
                return Arrays.stream(components)
                        .filter(component -> component.getName().equals(lambda.getImplMethodName()))
                        .findFirst()
                        .map(FieldNames::of)
                        .orElseThrow(FieldNames::notAnAccessor);
            }
        } catch (ReflectiveOperationException e) {
            throw notAnAccessor();
        }
        throw notAnAccessor();
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
