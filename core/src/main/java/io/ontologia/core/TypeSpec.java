package io.ontologia.core;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.CodePointOrder;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What values a field takes. Two specs are the same type exactly when their {@link #toJson()} trees are equal.
 */
public sealed interface TypeSpec {

    /** The {@code type_spec} document that schemas hold. */
    Map<String, Object> toJson();

    /** The type as Python prints it, which is what the {@code type} of a schema document holds. */
    String pythonText();

    /** Whether null is among the values. */
    default boolean nullable() {
        return false;
    }

    /** A text, number, truth value, anything, or nothing but null. */
    enum Primitive implements TypeSpec {
        /** Text. */
        STR("str"),
        /** Integer of any size. */
        INT("int"),
        /** IEEE double. */
        FLOAT("float"),
        /** True or false. */
        BOOL("bool"),
        /** Any JSON value, null too. */
        ANY("any"),
        /** Only null; stands in unions. */
        NONE("NoneType");

        private final String wireName;

        Primitive(String wireName) {
            this.wireName = wireName;
        }

        /** The name in schema documents. */
        public String wireName() {
            return wireName;
        }

        @Override
        public Map<String, Object> toJson() {
            return ordered("kind", "primitive", "name", wireName);
        }

        @Override
        public String pythonText() {
            return this == ANY ? "typing.Any" : "<class '" + wireName + "'>";
        }

        @Override
        public boolean nullable() {
            return this == ANY || this == NONE;
        }
    }

    /** A list of items of one type. */
    record ListOf(TypeSpec item) implements TypeSpec {
        @Override
        public Map<String, Object> toJson() {
            return ordered("kind", "list", "item", item.toJson());
        }

        @Override
        public String pythonText() {
            return "list[" + inner(item) + "]";
        }
    }

    /** A map from text to values of one type. */
    record DictOf(TypeSpec value) implements TypeSpec {
        @Override
        public Map<String, Object> toJson() {
            return ordered("kind", "dict", "key", Primitive.STR.toJson(), "value", value.toJson());
        }

        @Override
        public String pythonText() {
            return "dict[str, " + inner(value) + "]";
        }
    }

    /**
     * Any of several types; in practice a type or null.
     *
     * @param members sorted by their canonical JSON, at least two
     */
    record Union(List<TypeSpec> members) implements TypeSpec {
        private static final Comparator<TypeSpec> BY_JSON =
                Comparator.comparing(member -> CanonicalJson.write(member.toJson()), CodePointOrder.INSTANCE);

        public Union {
            members = members.stream().distinct().sorted(BY_JSON).toList();
        }

        @Override
        public Map<String, Object> toJson() {
            return ordered(
                    "kind",
                    "union",
                    "members",
                    members.stream().map(TypeSpec::toJson).toList());
        }

        @Override
        public String pythonText() {
            // Python keeps the order of writing, and null is written last by habit.
            return members.stream()
                    .sorted(Comparator.comparing(member -> member == Primitive.NONE))
                    .map(member -> member == Primitive.NONE ? "None" : inner(member))
                    .collect(Collectors.joining(" | "));
        }

        @Override
        public boolean nullable() {
            return members.stream().anyMatch(TypeSpec::nullable);
        }
    }

    /**
     * An object with named fields.
     *
     * @param fields every field, sorted by name
     */
    record Struct(String name, Map<String, TypeSpec> fields, Presence presence) implements TypeSpec {
        /** Which fields a value must have. */
        public enum Presence {
            /** All of them. */
            REQUIRED,
            /** Any of them; what is there must fit. */
            OPTIONAL
        }

        /** An object that has all of its fields. */
        public Struct(String name, Map<String, TypeSpec> fields) {
            this(name, fields, Presence.REQUIRED);
        }

        public Struct {
            Map<String, TypeSpec> sorted = new TreeMap<>(CodePointOrder.INSTANCE);
            sorted.putAll(fields);
            fields = new LinkedHashMap<>(sorted);
        }

        @Override
        public Map<String, Object> toJson() {
            Map<String, Object> specs = new LinkedHashMap<>();
            fields.forEach((field, spec) -> specs.put(field, spec.toJson()));
            boolean total = presence == Presence.REQUIRED;
            return ordered("kind", "typed_dict", "name", name, "total", total, "fields", specs);
        }

        @Override
        public String pythonText() {
            return "<class '" + name + "'>";
        }
    }

    /** A struct that contains itself, named instead of repeated. */
    record Ref(String name) implements TypeSpec {
        @Override
        public Map<String, Object> toJson() {
            return ordered("kind", "ref", "name", name);
        }

        @Override
        public String pythonText() {
            return name;
        }
    }

    /** The same type with null allowed. */
    static TypeSpec orNull(TypeSpec spec) {
        if (spec.nullable()) {
            return spec;
        }
        return new Union(
                spec instanceof Union union
                        ? Stream.concat(union.members().stream(), Stream.of(Primitive.NONE))
                                .toList()
                        : List.of(spec, Primitive.NONE));
    }

    private static String inner(TypeSpec spec) {
        if (spec instanceof Struct struct) {
            return struct.name();
        }
        return spec instanceof Primitive primitive && primitive != Primitive.ANY
                ? primitive.wireName()
                : spec.pythonText();
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
