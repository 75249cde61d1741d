package io.ontologia.core.internal.records;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.Named;
import io.ontologia.core.OntologyType;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} listing everything that is wrong with it
     */
    public static <T> RecordBinding<T> of(Class<T> record) {
        RecordDeclaration declaration = RecordDeclaration.of(record);
        Components components = declaration.components();
        List<Components.Component> identity = declaration.identity();
        OntologyType type = declaration.type();
        List<Components.Component> payload = components.all().stream()
                .filter(component -> type instanceof EntityType || !identity.contains(component))
                .toList();
        return new RecordBinding<>(record, type, components, payload, identity);
    }

    /** The name that a record's type has: its {@link Named} value, or its simple name. */
    public static String nameOf(Class<?> record) {
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
}
