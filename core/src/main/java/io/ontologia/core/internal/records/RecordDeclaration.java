package io.ontologia.core.internal.records;

import io.ontologia.core.Default;
import io.ontologia.core.Entity;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.InstanceKey;
import io.ontologia.core.Key;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Relation;
import io.ontologia.core.RelationType;
import io.ontologia.core.internal.validation.Problems;
import io.ontologia.kernel.Names;
import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a record class declares, once nothing is wrong with it.
 *
 * @param identity the components that hold the identity: an entity's key; a relation's ends and instance key
 */
record RecordDeclaration(Components components, OntologyType type, List<Components.Component> identity) {

    static RecordDeclaration of(Class<?> record) {
        Problems problems = new Problems();
        boolean entity = Entity.class.isAssignableFrom(record);
        boolean relation = Relation.class.isAssignableFrom(record);
        Optional<Components> components = Optional.empty();
        if (!record.isRecord()) {
            problems.add("it is not a record. declare it as one");
        } else {
            components = problems.attempt("", () -> Components.of(record, Set.of(record)));
            if (entity == relation) {
                problems.add("it is " + (entity ? "both" : "neither") + " an Entity " + (entity ? "and" : "nor")
                        + " a Relation. let it implement one of them");
            } else if (entity) {
                checkEntity(record, problems);
            } else {
                checkRelation(record, problems);
            }
        }
        problems.attempt("", () -> Names.requireTypeName(RecordBinding.nameOf(record)));
        String refusal = "cannot use " + record.getName() + " as a type";
        problems.refuseIfAny(refusal);
        Components sound = components.orElseThrow();
        List<FieldDef> fields =
                sound.all().stream().map(Components.Component::field).toList();
        Optional<RecordDeclaration> declaration =
                problems.attempt("", () -> entity ? entity(record, sound, fields) : relation(record, sound, fields));
        problems.refuseIfAny(refusal);
        return declaration.orElseThrow();
    }

    private static void checkEntity(Class<?> record, Problems problems) {
        List<RecordComponent> keys = annotated(record, Key.class);
        if (keys.size() != 1) {
            problems.add("it has " + keys.size() + " components with @Key. mark exactly one String with @Key");
        }
        keys.forEach(key -> checkPlainText(key, "key", problems));
        if (!annotated(record, InstanceKey.class).isEmpty()) {
            problems.add("@InstanceKey is for relations. remove it");
        }
    }

    private static void checkRelation(Class<?> record, Problems problems) {
        if (!annotated(record, Key.class).isEmpty()) {
            problems.add("@Key is for entities. remove it, or use @InstanceKey");
        }
        List<RecordComponent> instanceKeys = annotated(record, InstanceKey.class);
        if (instanceKeys.size() > 1) {
            problems.add("it has " + instanceKeys.size() + " components with @InstanceKey. mark one at most");
        }
        instanceKeys.forEach(key -> checkPlainText(key, "instance key", problems));
        for (String end : List.of("leftKey", "rightKey")) {
            if (declared(record).noneMatch(component -> component.getName().equals(end))) {
                problems.add("it has no component " + end + ". a relation has String leftKey and String rightKey");
            }
        }
        if (endsOf(record).isEmpty()) {
            problems.add("it does not say which entities it joins. implement Relation<Left, Right> directly");
        }
    }

    private static void checkPlainText(RecordComponent component, String what, Problems problems) {
        if (component.getType() != String.class || ValueCodecs.isNullable(component)) {
            problems.add("its " + what + " '" + component.getName() + "' is not a plain text. make it a String that"
                    + " is never null");
        }
        if (component.isAnnotationPresent(Default.class)) {
            problems.add("its " + what + " '" + component.getName() + "' has a default. remove it");
        }
    }

    private static RecordDeclaration entity(Class<?> record, Components components, List<FieldDef> fields) {
        List<Components.Component> key = components.all().stream()
                .filter(component -> component.declared().isAnnotationPresent(Key.class))
                .toList();
        return new RecordDeclaration(
                components,
                new EntityType(RecordBinding.nameOf(record), fields, key.get(0).name()),
                key);
    }

    private static RecordDeclaration relation(Class<?> record, Components components, List<FieldDef> fields) {
        Components.Component left = named(components, "leftKey");
        Components.Component right = named(components, "rightKey");
        Optional<Components.Component> instanceKey = components.all().stream()
                .filter(component -> component.declared().isAnnotationPresent(InstanceKey.class))
                .findFirst();
        List<Class<?>> ends = endsOf(record);
        RelationType type = new RelationType(
                RecordBinding.nameOf(record),
                RecordBinding.nameOf(ends.get(0)),
                RecordBinding.nameOf(ends.get(1)),
                instanceKey.map(Components.Component::name),
                fields.stream()
                        .filter(field -> !field.name().equals(left.name())
                                && !field.name().equals(right.name()))
                        .toList());
        return new RecordDeclaration(
                components,
                type,
                Stream.concat(Stream.of(left, right), instanceKey.stream()).toList());
    }

    private static Components.Component named(Components components, String javaName) {
        return components.all().stream()
                .filter(component -> component.declared().getName().equals(javaName))
                .findFirst()
                .orElseThrow();
    }

    /** The classes of both ends; empty when they are not said. */
    private static List<Class<?>> endsOf(Class<?> record) {
        for (Type implemented : record.getGenericInterfaces()) {
            if (implemented instanceof ParameterizedType parameterized
                    && parameterized.getRawType() == Relation.class
                    && parameterized.getActualTypeArguments()[0] instanceof Class<?> left
                    && parameterized.getActualTypeArguments()[1] instanceof Class<?> right) {
                return List.of(left, right);
            }
        }
        return List.of();
    }

    private static Stream<RecordComponent> declared(Class<?> record) {
        return Arrays.stream(record.getRecordComponents());
    }

    private static List<RecordComponent> annotated(Class<?> record, Class<? extends Annotation> annotation) {
        return declared(record)
                .filter(component -> component.isAnnotationPresent(annotation))
                .toList();
    }
}
