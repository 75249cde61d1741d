package io.ontologia.core.internal.records;

import io.ontologia.core.Event;
import io.ontologia.core.spi.EventNames;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Binds one record class to the event type it stands for. Values are turned into JSON and back as those of entities are.
 *
 * @param <T> the record
 */
public final class EventBinding<T> {
    private static final ClassValue<EventBinding<?>> BINDINGS = new ClassValue<>() {
        @Override
        protected EventBinding<?> computeValue(Class<?> record) {
            return bind(record);
        }
    };

    private final Class<T> record;
    private final String type;
    private final Components components;

    private EventBinding(Class<T> record, String type, Components components) {
        this.record = record;
        this.type = type;
        this.components = components;
    }

    /**
     * Reads a record's declaration.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} listing everything that is wrong with it
     */
    @SuppressWarnings("unchecked") // each class is kept with its own binding
    public static <T> EventBinding<T> of(Class<T> record) {
        return (EventBinding<T>) BINDINGS.get(record);
    }

    private static <T> EventBinding<T> bind(Class<T> record) {
        if (!record.isRecord()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot use " + record.getName() + " as an event",
                    "it is not a record",
                    "declare it as one");
        }
        return new EventBinding<>(
                record,
                EventNames.require("event type", RecordBinding.nameOf(record)),
                Components.of(record, Set.of(record)));
    }

    /** The name of the event type: the record's {@link io.ontologia.core.Named} value, or its simple name. */
    public String type() {
        return type;
    }

    /** The payload of an instance, as a tree. */
    public Map<String, @Nullable Object> payloadOf(Object instance) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        for (Components.Component component : components.all()) {
            fields.put(component.name(), component.treeOf(instance));
        }
        return fields;
    }

    /** The instance that an event carries; fields that are missing take their default, others are ignored. */
    public T read(Event event) {
        Map<String, @Nullable Object> fields = event.payload();
        return record.cast(components.construct(component -> component.javaOf(valueOf(component, fields))));
    }

    private static @Nullable Object valueOf(Components.Component component, Map<String, @Nullable Object> fields) {
        Object value = fields.get(component.name());
        if (value != null || fields.containsKey(component.name())) {
            return value;
        }
        return component.field().defaultValue().map(missing -> missing.json()).orElse(null);
    }
}
