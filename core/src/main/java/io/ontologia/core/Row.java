package io.ontologia.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entity or relation without a Java class: what the command line, the server and generic tools work with. */
public sealed interface Row {

    /** The type. */
    TypeRef type();

    /** The identity. */
    Identity identity();

    /** The payload by field name: JSON trees. */
    Map<String, @Nullable Object> fields();

    /** An entity; its key is also the value of its key field, which may be left out of the fields. */
    record OfEntity(String typeName, String key, Map<String, @Nullable Object> fields) implements Row {
        public OfEntity {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }

        @Override
        public TypeRef type() {
            return TypeRef.entity(typeName);
        }

        @Override
        public Identity.OfEntity identity() {
            return new Identity.OfEntity(key);
        }
    }

    /** A relation. */
    record OfRelation(
            String typeName, String leftKey, String rightKey, String instanceKey, Map<String, @Nullable Object> fields)
            implements Row {
        public OfRelation {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }

        @Override
        public TypeRef type() {
            return TypeRef.relation(typeName);
        }

        @Override
        public Identity.OfRelation identity() {
            return new Identity.OfRelation(leftKey, rightKey, instanceKey);
        }
    }
}
