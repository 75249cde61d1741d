package io.ontologia.core;

import io.ontologia.core.internal.validation.RowValues;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One field of a type.
 *
 * @param name how it is called in documents and paths
 * @param type the values it takes
 * @param indexed whether queries that compare it should be fast
 * @param defaultValue what a missing value becomes, in the form that the type gives it; not part of the stored schema
 * @param formerName the name that the field had in an earlier version of the schema; not part of the stored schema
 */
public record FieldDef(
        String name, TypeSpec type, Index indexed, Optional<Default> defaultValue, Optional<String> formerName) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

    /** Whether a field has an index. */
    public enum Index {
        /** Comparisons of this field should be fast. */
        YES,
        /** No index. */
        NO
    }

    /**
     * A default value.
     *
     * @param json a JSON tree; may be null, which is why it is wrapped
     */
    public record Default(@Nullable Object json) {}

    public FieldDef {
        requireName(name);
        formerName.ifPresent(FieldDef::requireName);
        Optional<Default> given = defaultValue;
        defaultValue = given.map(value -> new Default(RowValues.requireDefault(name, type, value.json())));
    }

    /** A field without a former name. */
    public FieldDef(String name, TypeSpec type, Index indexed, Optional<Default> defaultValue) {
        this(name, type, indexed, defaultValue, Optional.empty());
    }

    private static void requireName(String name) {
        if (!isName(name)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid field name '" + name + "'",
                    "a field name is a letter or underscore followed by at most 127 letters, digits or underscores",
                    "rename the field");
        }
    }

    /** Whether a field may have a name: a letter or underscore and at most 127 letters, digits or underscores. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** A field without index and default. */
    public static FieldDef of(String name, TypeSpec type) {
        return new FieldDef(name, type, Index.NO, Optional.empty());
    }

    /** The same field with an index. */
    public FieldDef withIndex() {
        return new FieldDef(name, type, Index.YES, defaultValue, formerName);
    }

    /** The same field with a default, a JSON tree. */
    public FieldDef withDefault(@Nullable Object json) {
        return new FieldDef(name, type, indexed, Optional.of(new Default(json)), formerName);
    }

    /** The same field, which had another name in the schema version before. */
    public FieldDef withFormerName(String name) {
        return new FieldDef(this.name, type, indexed, defaultValue, Optional.of(name));
    }
}
