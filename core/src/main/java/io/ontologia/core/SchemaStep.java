package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One step from the fields of a row to its fields in the next version of its type's schema. Steps are data: they are stored with
 * the schema version, so that every later process can show old rows in the new form without the code that made them.
 */
public sealed interface SchemaStep {

    /**
     * Carries out the step.
     *
     * @param old the fields of the row in the version that the steps start from; not changed
     * @param fields the fields so far
     */
    void apply(Map<String, @Nullable Object> old, Map<String, @Nullable Object> fields);

    /** The step as a JSON document. */
    Map<String, @Nullable Object> toJson();

    /** One line for people. */
    String describe();

    /** A field gets a value that is computed from the old fields; it may be a new field. */
    record Set(String field, StepExpression value) implements SchemaStep {
        @Override
        public void apply(Map<String, @Nullable Object> old, Map<String, @Nullable Object> fields) {
            fields.put(field, value.evaluate(old));
        }

        @Override
        public Map<String, @Nullable Object> toJson() {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("set", field);
            if (value.isConstant()) {
                json.put("value", value.evaluate(Map.of()));
            } else {
                json.put("to", value.text());
            }
            return json;
        }

        @Override
        public String describe() {
            return "set '" + field + "' to " + value.text();
        }
    }

    /** A field gets another name. */
    record Rename(String from, String to) implements SchemaStep {
        @Override
        public void apply(Map<String, @Nullable Object> old, Map<String, @Nullable Object> fields) {
            if (fields.containsKey(from)) {
                fields.put(to, fields.remove(from));
            }
        }

        @Override
        public Map<String, @Nullable Object> toJson() {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("rename", from);
            json.put("to", to);
            return json;
        }

        @Override
        public String describe() {
            return "rename '" + from + "' to '" + to + "'";
        }
    }

    /** A field is left out. */
    record Drop(String field) implements SchemaStep {
        @Override
        public void apply(Map<String, @Nullable Object> old, Map<String, @Nullable Object> fields) {
            fields.remove(field);
        }

        @Override
        public Map<String, @Nullable Object> toJson() {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("drop", field);
            return json;
        }

        @Override
        public String describe() {
            return "drop '" + field + "'";
        }
    }

    /** The value of a field becomes one of another type; null stays null. A value without such a form is an error. */
    record Convert(String field, StepExpression.Conversion to) implements SchemaStep {
        @Override
        public void apply(Map<String, @Nullable Object> old, Map<String, @Nullable Object> fields) {
            if (fields.get(field) != null) {
                fields.put(field, to.of(fields.get(field)));
            }
        }

        @Override
        public Map<String, @Nullable Object> toJson() {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("convert", field);
            json.put("to", to.wireName());
            return json;
        }

        @Override
        public String describe() {
            return "convert '" + field + "' to " + to.wireName();
        }
    }

    /**
     * Reads a step back from its document.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it is none
     */
    static SchemaStep parse(Map<String, ? extends @Nullable Object> document) {
        JsonObject json = JsonObject.of("a schema step", document);
        if (document.containsKey("set")) {
            return new Set(
                    json.text("set"),
                    document.containsKey("value")
                            ? StepExpression.constant(document.get("value"))
                            : StepExpression.parse(json.text("to")));
        }
        if (document.containsKey("rename")) {
            return new Rename(json.text("rename"), json.text("to"));
        }
        if (document.containsKey("drop")) {
            return new Drop(json.text("drop"));
        }
        if (document.containsKey("convert")) {
            return new Convert(json.text("convert"), StepExpression.Conversion.named(json.text("to")));
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid schema step",
                "it has the parts " + List.copyOf(document.keySet()),
                "use one of set, rename, drop and convert");
    }
}
