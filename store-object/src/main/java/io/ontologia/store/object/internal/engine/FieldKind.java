package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeSpec;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.duckdb.DuckDBColumnType;

/** How the values of a field are kept in a column beside {@code fields_json}. */
enum FieldKind {
    /** Texts. */
    STR(DuckDBColumnType.VARCHAR),
    /** Integers of 64 bits. */
    INT(DuckDBColumnType.BIGINT),
    /** Doubles. */
    FLOAT(DuckDBColumnType.DOUBLE),
    /** Truth values. */
    BOOL(DuckDBColumnType.BOOLEAN),
    /** The JSON text of any value. For other readers: queries of ours look into {@code fields_json} instead. */
    JSON(DuckDBColumnType.VARCHAR),
    /** No column: its name is taken, the type has too many fields, or a text is too long. Queries look into the JSON. */
    NONE(DuckDBColumnType.VARCHAR);

    private final DuckDBColumnType column;

    FieldKind(DuckDBColumnType column) {
        this.column = column;
    }

    DuckDBColumnType column() {
        return column;
    }

    /** Whether the column alone tells everything that the field's JSON value does, null and missing being one. */
    boolean isPlain() {
        return this != JSON && this != NONE;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<FieldKind> ofWireName(String name) {
        return Stream.of(values()).filter(kind -> kind.wireName().equals(name)).findFirst();
    }

    /** The kind for values of a type. */
    static FieldKind of(TypeSpec type) {
        if (type instanceof TypeSpec.Union union && union.members().size() == 2) {
            return union.members().stream()
                    .filter(member -> member != TypeSpec.Primitive.NONE)
                    .reduce((first, second) -> union)
                    .filter(TypeSpec.Primitive.class::isInstance)
                    .map(FieldKind::of)
                    .orElse(JSON);
        }
        if (type instanceof TypeSpec.Primitive primitive) {
            return switch (primitive) {
                case STR -> STR;
                case INT -> INT;
                case FLOAT -> FLOAT;
                case BOOL -> BOOL;
                case ANY, NONE -> JSON;
            };
        }
        return JSON;
    }

    /** Whether a JSON value that is not null can be kept as it is. */
    boolean holds(Object value) {
        return switch (this) {
            case STR -> value instanceof String text && text.indexOf('\0') < 0;
            case INT -> value instanceof Long;
            case FLOAT -> value instanceof Double;
            case BOOL -> value instanceof Boolean;
            case JSON, NONE -> true;
        };
    }
}
