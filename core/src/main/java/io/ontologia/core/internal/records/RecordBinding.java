package io.ontologia.core.internal.records;

import io.ontologia.core.Default;
import io.ontologia.core.Entity;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.Indexed;
import io.ontologia.core.InstanceKey;
import io.ontologia.core.Key;
import io.ontologia.core.Named;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Relation;
import io.ontologia.core.RelationType;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Binds one record class to the type it declares.
 *
 * @param <T> the record
 */
public final class RecordBinding<T> {
    private final Class<T> record;
    private final OntologyType type;
    private final Components components;
    private final List<Components.Component> payload;
    private final List<Components.Component> identity;

    private RecordBinding(
            Class<T> record,
            OntologyType type,
            Components components,
            List<Components.Component> payload,
            List<Components.Component> identity) {
        this.record = record;
        this.type = type;
        this.components = components;
        this.payload = payload;
        this.identity = identity;
    }

    /**
     * Reads a record's declaration.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} naming what is wrong with it
     */
    public static <T> RecordBinding<T> of(Class<T> record) {
        if (!record.isRecord()) {
            throw invalid(record, "it is not a record", "declare it as a record");
        }
        Components components = Components.of(record, Set.of(record));
        if (Entity.class.isAssignableFrom(record)) {
            return entity(record, components);
        }
        if (Relation.class.isAssignableFrom(record)) {
            return relation(record, components);
        }
        throw invalid(record, "it is neither an Entity nor a Relation", "let it implement one of them");
    }

    private static <T> RecordBinding<T> entity(Class<T> record, Components components) {
        List<Components.Component> keys = annotated(components, Key.class);
        if (keys.size() != 1) {
            throw invalid(
                    record, "it has " + keys.size() + " components with @Key", "mark exactly one String with @Key");
        }
        if (!annotated(components, InstanceKey.class).isEmpty()) {
            throw invalid(record, "@InstanceKey is for relations", "remove it");
        }
        EntityType type = new EntityType(
                nameOf(record),
                components.all().stream().map(RecordBinding::fieldOf).toList(),
                keys.get(0).name());
        return new RecordBinding<>(record, type, components, components.all(), keys);
    }

    private static <T> RecordBinding<T> relation(Class<T> record, Components components) {
        List<Components.Component> instanceKeys = annotated(components, InstanceKey.class);
        if (instanceKeys.size() > 1) {
            throw invalid(record, "it has several components with @InstanceKey", "mark one at most");
        }
        List<Components.Component> identity = new ArrayList<>();
        identity.add(component(record, components, "leftKey"));
        identity.add(component(record, components, "rightKey"));
        identity.addAll(instanceKeys);
        List<Components.Component> fields = components.all().stream()
                .filter(component -> identity.indexOf(component) < 0 || identity.indexOf(component) > 1)
                .toList();
        List<Components.Component> payload = fields.stream()
                .filter(component -> !identity.contains(component))
                .toList();
        Type[] ends = endsOf(record);
        RelationType type = new RelationType(
                nameOf(record),
                nameOf((Class<?>) ends[0]),
                nameOf((Class<?>) ends[1]),
                instanceKeys.stream().map(Components.Component::name).findFirst(),
                fields.stream().map(RecordBinding::fieldOf).toList());
        return new RecordBinding<>(record, type, components, payload, identity);
    }

    private static Type[] endsOf(Class<?> record) {
        for (Type implemented : record.getGenericInterfaces()) {
            if (implemented instanceof ParameterizedType parameterized
                    && parameterized.getRawType() == Relation.class
                    && parameterized.getActualTypeArguments()[0] instanceof Class<?>
                    && parameterized.getActualTypeArguments()[1] instanceof Class<?>) {
                return parameterized.getActualTypeArguments();
            }
        }
        throw invalid(record, "it does not say which entities it joins", "implement Relation<Left, Right> directly");
    }

    private static Components.Component component(Class<?> record, Components components, String javaName) {
        return components.all().stream()
                .filter(component -> component.declared().getName().equals(javaName))
                .findFirst()
                .orElseThrow(() -> invalid(
                        record,
                        "it has no component " + javaName,
                        "a relation has String leftKey and String rightKey"));
    }

    private static List<Components.Component> annotated(Components components, Class<? extends Annotation> annotation) {
        return components.all().stream()
                .filter(component -> component.declared().isAnnotationPresent(annotation))
                .toList();
    }

    private static FieldDef fieldOf(Components.Component component) {
        FieldDef field = FieldDef.of(component.name(), component.codec().spec());
        if (component.declared().isAnnotationPresent(Indexed.class)) {
            field = field.withIndex();
        }
        Default defaultValue = component.declared().getAnnotation(Default.class);
        return defaultValue == null ? field : field.withDefault(Json.parse(defaultValue.value()));
    }

    private static String nameOf(Class<?> record) {
        Named named = record.getAnnotation(Named.class);
        return named != null ? named.value() : record.getSimpleName();
    }

    /** The record. */
    public Class<T> record() {
        return record;
    }

    /** The type it declares. */
    public OntologyType type() {
        return type;
    }

    /** The identity of an instance. */
    public Identity identityOf(Object instance) {
        if (type instanceof EntityType) {
            return new Identity.OfEntity(text(identity.get(0), instance));
        }
        return new Identity.OfRelation(
                text(identity.get(0), instance),
                text(identity.get(1), instance),
                identity.size() > 2 ? requireInstanceKey(text(identity.get(2), instance)) : "");
    }

    /** The canonical JSON of an instance's payload. */
    public String fieldsOf(Object instance) {
        Map<String, @Nullable Object> fields = new HashMap<>(payload.size() * 2);
        for (Components.Component component : payload) {
            fields.put(component.name(), component.treeOf(instance));
        }
        return CanonicalJson.write(fields);
    }

    /** The instance that was stored with this identity and payload; fields that are missing take their default. */
    public T hydrate(Identity stored, Map<String, @Nullable Object> fields) {
        return record.cast(components.construct(component -> {
            int part = identity.indexOf(component);
            if (part < 0) {
                return component.javaOf(valueOf(component, fields));
            }
            if (stored instanceof Identity.OfEntity entity) {
                return entity.key();
            }
            Identity.OfRelation relation = (Identity.OfRelation) stored;
            return part == 0 ? relation.leftKey() : part == 1 ? relation.rightKey() : relation.instanceKey();
        }));
    }

    private @Nullable Object valueOf(Components.Component component, Map<String, @Nullable Object> fields) {
        Object value = fields.get(component.name());
        if (value != null || fields.containsKey(component.name())) {
            return value;
        }
        Optional<FieldDef.Default> missing = type.field(component.name()).flatMap(FieldDef::defaultValue);
        return missing.isPresent() ? missing.get().json() : null;
    }

    private static String text(Components.Component component, Object instance) {
        Object value = component.get(instance);
        if (value instanceof String text) {
            return text;
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "field '" + component.name() + "' is null",
                "it is part of the identity",
                "set it");
    }

    private static String requireInstanceKey(String key) {
        if (key.isBlank()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid instance key", "it is blank", "give it a text");
        }
        return key;
    }

    private static OntologiaException invalid(Class<?> record, String cause, String remedy) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "cannot use " + record.getName() + " as a type", cause, remedy);
    }
}
