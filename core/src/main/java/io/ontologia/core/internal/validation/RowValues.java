package io.ontologia.core.internal.validation;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Brings the values of a row without Java class into the one form that its type gives them. */
public final class RowValues {
    private final Problems problems = new Problems();

    private RowValues() {}

    /**
     * A field's default in the form that its type gives it.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it does not fit
     */
    public static @Nullable Object requireDefault(String field, TypeSpec type, @Nullable Object json) {
        RowValues values = new RowValues();
        Object normal = values.normalize(type, json, field);
        values.problems.refuseIfAny("invalid default of field '" + field + "'");
        return normal;
    }

    /**
     * The payload of a row with defaults filled in and every value in its type's form (an integer in a {@code float}
     * field becomes a double).
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} listing every problem of the row
     */
    public static Map<String, @Nullable Object> normalize(OntologyType type, Row row) {
        RowValues values = new RowValues();
        Map<String, @Nullable Object> given = new HashMap<>(row.fields());
        if (type instanceof EntityType entity && row instanceof Row.OfEntity entityRow) {
            values.requireSameKey("key", entityRow.key(), entity.keyField(), given);
            given.put(entity.keyField(), entityRow.key());
        }
        if (type instanceof RelationType relation && row instanceof Row.OfRelation relationRow) {
            boolean keyed = relation.instanceKeyField().isPresent();
            if (keyed == relationRow.instanceKey().isBlank()) {
                values.problems.add(keyed ? "its instance key is missing" : "its type has no instance key");
            }
            relation.instanceKeyField().ifPresent(field -> {
                values.requireSameKey("instance key", relationRow.instanceKey(), field, given);
                given.remove(field);
            });
        }
        Map<String, @Nullable Object> result = values.payload(type, given);
        values.problems.refuseIfAny("invalid " + type.ref() + " '" + row.identity() + "'");
        return result;
    }

    /**
     * A stored payload in the form of wanted ones. What only reading fills in is filled in here too: a key that is not
     * repeated in the payload, and null for what is missing and may be null.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it does not fit its type
     */
    public static Map<String, @Nullable Object> typed(
            OntologyType type, Map<String, @Nullable Object> stored, Map<String, @Nullable Object> wanted) {
        RowValues values = new RowValues();
        Map<String, @Nullable Object> given = new HashMap<>(stored);
        if (type instanceof EntityType entity) {
            given.putIfAbsent(entity.keyField(), wanted.get(entity.keyField()));
        }
        if (type instanceof RelationType relation) {
            relation.instanceKeyField().ifPresent(given::remove);
        }
        for (FieldDef field : type.payload()) {
            if (field.defaultValue().isEmpty() && field.type().nullable()) {
                given.putIfAbsent(field.name(), null);
            }
        }
        Map<String, @Nullable Object> result = values.payload(type, given);
        values.problems.refuseIfAny("invalid " + type.ref());
        return result;
    }

    private Map<String, @Nullable Object> payload(OntologyType type, Map<String, @Nullable Object> given) {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        for (FieldDef field : type.payload()) {
            result.put(field.name(), fieldValue(field, given));
            given.remove(field.name());
        }
        given.keySet().forEach(unknown -> problems.add("there is no field '" + unknown + "'"));
        return result;
    }

    /** A key may be repeated among the fields, but not contradicted. */
    private void requireSameKey(String what, String key, String field, Map<String, @Nullable Object> given) {
        Object inFields = given.get(field);
        if (inFields != null && !inFields.equals(key)) {
            problems.add("its " + what + " is '" + key + "' but field '" + field + "' is '" + inFields + "'");
        }
    }

    private @Nullable Object fieldValue(FieldDef field, Map<String, @Nullable Object> given) {
        if (given.containsKey(field.name())) {
            return normalize(field.type(), given.get(field.name()), field.name());
        }
        Optional<FieldDef.Default> missing = field.defaultValue();
        if (missing.isPresent()) {
            return normalize(field.type(), missing.get().json(), field.name());
        }
        problems.add("field '" + field.name() + "' is missing");
        return null;
    }

    private @Nullable Object normalize(TypeSpec spec, @Nullable Object value, String where) {
        if (value == null) {
            if (!spec.nullable()) {
                problems.add("field '" + where + "' must not be null");
            }
            return null;
        }
        if (spec instanceof Primitive primitive) {
            return primitive(primitive, value, where);
        }
        if (spec instanceof TypeSpec.ListOf list && value instanceof List<?> items) {
            List<@Nullable Object> result = new ArrayList<>(items.size());
            for (Object item : items) {
                result.add(normalize(list.item(), item, where + "[" + result.size() + "]"));
            }
            return result;
        }
        if (spec instanceof TypeSpec.DictOf dict && value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> result = new LinkedHashMap<>();
            map.forEach((key, item) -> {
                if (key instanceof String name) {
                    result.put(name, normalize(dict.value(), item, where + "." + name));
                } else {
                    problems.add("field '" + where + "' has the key " + key + ", which is no text");
                }
            });
            return result;
        }
        if (spec instanceof TypeSpec.Struct struct && value instanceof Map<?, ?> map) {
            return struct(struct, map, where);
        }
        if (spec instanceof TypeSpec.Union union) {
            return union(union, value, where);
        }
        if (spec instanceof TypeSpec.Ref) {
            return value;
        }
        return wrong(spec, value, where);
    }

    private @Nullable Object primitive(Primitive primitive, Object value, String where) {
        boolean integer = value instanceof Long || value instanceof BigInteger || value instanceof Integer;
        boolean fits = switch (primitive) {
            case STR -> value instanceof String;
            case INT -> integer;
            case FLOAT -> integer || value instanceof Double;
            case BOOL -> value instanceof Boolean;
            case ANY -> true;
            case NONE -> false;
        };
        if (!fits) {
            return wrong(primitive, value, where);
        }
        if (value instanceof String text && text.indexOf('\0') >= 0) {
            problems.add("field '" + where + "' holds a NUL character");
        }
        return primitive == Primitive.FLOAT ? number((Number) value, where) : value;
    }

    private Double number(Number value, String where) {
        double number = value.doubleValue();
        if (!Double.isFinite(number)) {
            problems.add("field '" + where + "' is no finite number that a double can hold");
        }
        return number;
    }

    private Object struct(TypeSpec.Struct struct, Map<?, ?> map, String where) {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        struct.fields().forEach((name, spec) -> {
            if (map.containsKey(name)) {
                result.put(name, normalize(spec, map.get(name), where + "." + name));
            } else if (struct.presence() == TypeSpec.Struct.Presence.REQUIRED) {
                problems.add("field '" + where + "." + name + "' is missing");
            }
        });
        map.keySet().stream()
                .filter(name -> !struct.fields().containsKey(name))
                .forEach(name -> problems.add("there is no field '" + where + "." + name + "'"));
        return result;
    }

    private @Nullable Object union(TypeSpec.Union union, Object value, String where) {
        // A float takes integers too, but only where no other member takes them as they are.
        List<TypeSpec> inOrder = union.members().stream()
                .filter(member -> member != Primitive.NONE)
                .sorted(Comparator.comparing(member -> member == Primitive.FLOAT))
                .toList();
        for (TypeSpec member : inOrder) {
            RowValues trial = new RowValues();
            Object result = trial.normalize(member, value, where);
            if (trial.problems.none()) {
                return result;
            }
        }
        return wrong(union, value, where);
    }

    private @Nullable Object wrong(TypeSpec spec, Object value, String where) {
        problems.add("field '" + where + "' is a " + describe(value) + " and not " + spec.pythonText());
        return null;
    }

    private static String describe(Object value) {
        return value instanceof String
                ? "text"
                : value instanceof Boolean
                        ? "boolean"
                        : value instanceof Map ? "object" : value instanceof List ? "list" : "number";
    }

    /** The row of an identity with some fields. */
    public static Row rowOf(TypeRef type, Identity identity, Map<String, @Nullable Object> fields) {
        if (identity instanceof Identity.OfEntity entity) {
            return new Row.OfEntity(type.name(), entity.key(), fields);
        }
        Identity.OfRelation relation = (Identity.OfRelation) identity;
        return new Row.OfRelation(type.name(), relation.leftKey(), relation.rightKey(), relation.instanceKey(), fields);
    }
}
