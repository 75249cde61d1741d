package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The upgraders of a program: at most one for each type and version. Immutable. */
public final class Upgraders {
    private static final Upgraders NONE = new Upgraders(Map.of());

    private final Map<Start, Upgrader> byStart;

    private record Start(TypeRef type, long version) {}

    private Upgraders(Map<Start, Upgrader> byStart) {
        this.byStart = byStart;
    }

    /** No upgraders. */
    public static Upgraders none() {
        return NONE;
    }

    /** As {@link #of(Collection)}. */
    public static Upgraders of(Upgrader... upgraders) {
        return of(List.of(upgraders));
    }

    /**
     * A set of upgraders.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when two start from the same version of a type
     */
    public static Upgraders of(Collection<Upgrader> upgraders) {
        Map<Start, Upgrader> byStart = new LinkedHashMap<>();
        for (Upgrader upgrader : upgraders) {
            if (byStart.put(new Start(upgrader.type(), upgrader.fromVersion()), upgrader) != null) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid upgraders",
                        "two start from version " + upgrader.fromVersion() + " of " + upgrader.type(),
                        "keep one of them");
            }
        }
        return new Upgraders(byStart);
    }

    /**
     * The methods of a class that are marked with {@link Upgrades}.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there is none, one is not public and static
     *     with a map for argument and result, or two start from the same version of a type
     */
    public static Upgraders ofMethods(Class<?> holder) {
        List<Upgrader> found = Stream.of(holder.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Upgrades.class))
                .map(Upgraders::ofMethod)
                .toList();
        if (found.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot use the upgraders of " + holder.getName(),
                    "none of its methods is marked with @Upgrades",
                    "mark public static methods from Map to Map");
        }
        return of(found);
    }

    private static Upgrader ofMethod(Method method) {
        boolean usable = Modifier.isStatic(method.getModifiers())
                && Modifier.isPublic(method.getModifiers())
                && Modifier.isPublic(method.getDeclaringClass().getModifiers())
                && List.of(method.getParameterTypes()).equals(List.of(Map.class))
                && Map.class.isAssignableFrom(method.getReturnType());
        if (!usable) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot use " + method + " as an upgrader",
                    "it is not a public static method from Map to Map of a public class",
                    "declare it like public static Map<String, Object> upgrade(Map<String, Object> fields)");
        }
        Upgrades mark = method.getAnnotation(Upgrades.class);
        return new Upgrader(new TypeRef(mark.kind(), mark.type()), mark.from(), fields -> invoke(method, fields));
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the result is checked where it is used, null included
    private static Map<String, @Nullable Object> invoke(Method method, Map<String, @Nullable Object> fields) {
        try {
            return (Map<String, @Nullable Object>) method.invoke(null, fields);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Every upgrader, in the order of declaration. */
    public Collection<Upgrader> all() {
        return List.copyOf(byStart.values());
    }

    /** Whether there is an upgrader for any version of a type. */
    public boolean knows(TypeRef type) {
        return byStart.keySet().stream().anyMatch(start -> start.type().equals(type));
    }

    /** The versions between these two that no upgrader starts from. */
    public List<Long> missing(TypeRef type, long fromVersion, long toVersion) {
        return LongStream.range(fromVersion, toVersion)
                .filter(version -> !byStart.containsKey(new Start(type, version)))
                .boxed()
                .toList();
    }

    /** These and one more, unless there is one for its type and version already. */
    public Upgraders orElse(Upgrader other) {
        if (byStart.containsKey(new Start(other.type(), other.fromVersion()))) {
            return this;
        }
        List<Upgrader> all = new ArrayList<>(byStart.values());
        all.add(other);
        return of(all);
    }

    /**
     * The payload after every upgrader from one version to another.
     *
     * @param fields not used any more by the caller: upgraders may change it
     * @throws MissingUpgradersException when one of them is missing; what an upgrader throws comes through
     */
    public Map<String, @Nullable Object> upgrade(
            TypeRef type, long fromVersion, long toVersion, Map<String, @Nullable Object> fields) {
        Map<String, @Nullable Object> result = fields;
        for (long version = fromVersion; version < toVersion; version++) {
            Upgrader upgrader = byStart.get(new Start(type, version));
            if (upgrader == null) {
                throw new MissingUpgradersException(Map.of(type, missing(type, fromVersion, toVersion)));
            }
            result = requireResult(upgrader, upgrader.function().apply(result));
        }
        return result;
    }

    private static Map<String, @Nullable Object> requireResult(
            Upgrader upgrader, @Nullable Map<String, @Nullable Object> result) {
        if (result == null) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "wrong upgrader for " + upgrader.type() + " from version " + upgrader.fromVersion(),
                    "it returned null",
                    "return the fields");
        }
        return result;
    }
}
