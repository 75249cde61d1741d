package io.ontologia.store.object.internal.engine;

import io.ontologia.core.FieldDef;
import io.ontologia.core.OntologyType;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which columns with values of fields a file or table has, and what can be relied on. Files carry it in their metadata, so
 * that a file of another writer, which may put anything into such columns, is never mistaken for one of ours.
 *
 * <p>Names that DuckDB could not tell from each other (it ignores case) or from the columns that every row has get no
 * column: the first of them in the order of declaration keeps its own. Fields beyond {@link #MOST} get none either.
 *
 * @param kinds every field that a row may have; each row's values of plain kinds are exactly those of its JSON
 * @param scope whether rows may have more fields
 */
record FieldColumns(Map<String, FieldKind> kinds, Scope scope) {
    /** The key of a Parquet file's metadata. */
    static final String METADATA_KEY = "ontologia.columns";

    /** Nothing is known: every value is read from JSON. */
    static final FieldColumns UNKNOWN = new FieldColumns(Map.of(), Scope.OPEN);

    /** So many fields of a type get a column: each takes memory while a file is written, whatever is in it. */
    static final int MOST = 200;

    private static final Set<String> TAKEN = Set.of(
            "commit_id",
            "entity_type",
            "entity_key",
            "relation_type",
            "left_key",
            "right_key",
            "instance_key",
            "schema_version_id",
            "fields_json",
            "rowid",
            "filename",
            "file_row_number",
            "file_index");

    /** Whether a row may have fields that are not named. */
    enum Scope {
        /** A field that is not named is missing in every row. */
        CLOSED,
        /** It may be there. */
        OPEN
    }

    FieldColumns {
        kinds = new LinkedHashMap<>(kinds);
    }

    /** The columns for rows of a type, as long as every value fits. */
    static FieldColumns of(OntologyType type) {
        Set<String> taken = new HashSet<>(TAKEN);
        Map<String, FieldKind> kinds = new LinkedHashMap<>();
        for (FieldDef field : type.payload()) {
            boolean free =
                    taken.size() < TAKEN.size() + MOST && taken.add(field.name().toLowerCase(Locale.ROOT));
            kinds.put(field.name(), free ? FieldKind.of(field.type()) : FieldKind.NONE);
        }
        return new FieldColumns(kinds, Scope.CLOSED);
    }

    /**
     * What can be relied on in the rows of several sources together: a field that one of them keeps in another way is
     * read from JSON.
     */
    static FieldColumns common(List<FieldColumns> all) {
        if (all.stream().anyMatch(one -> one.scope == Scope.OPEN)) {
            return UNKNOWN;
        }
        Map<String, FieldKind> kinds = new LinkedHashMap<>();
        for (FieldColumns one : all) {
            one.kinds.forEach((name, kind) -> kinds.merge(name, kind, (a, b) -> a == b ? a : FieldKind.NONE));
        }
        // One source's column would be taken for the other's, which is spelled in another way.
        kinds.replaceAll(
                (name, kind) -> all.stream().anyMatch(one -> one.spellsOtherwise(name)) ? FieldKind.NONE : kind);
        return new FieldColumns(kinds, Scope.CLOSED);
    }

    /** Whether there is a column of another field that DuckDB, which ignores case, would take for that of this one. */
    boolean spellsOtherwise(String field) {
        return kinds.entrySet().stream()
                .anyMatch(other -> other.getValue() != FieldKind.NONE
                        && other.getKey().equalsIgnoreCase(field)
                        && !other.getKey().equals(field));
    }

    /** The column of a field, when its values can be read there instead of from JSON. */
    Optional<FieldKind> plain(String field) {
        return Optional.ofNullable(kinds.get(field)).filter(FieldKind::isPlain);
    }

    /** The fields with a column and its kind, always in the same order. */
    Map<String, FieldKind> plainKinds() {
        Map<String, FieldKind> plain = new TreeMap<>();
        kinds.forEach((name, kind) -> {
            if (kind.isPlain()) {
                plain.put(name, kind);
            }
        });
        return plain;
    }

    /** The names of those fields. */
    Set<String> plainNames() {
        return plainKinds().keySet();
    }

    /** Whether certainly no row has the field. */
    boolean lacks(String field) {
        return scope == Scope.CLOSED && !kinds.containsKey(field);
    }

    /** The same with another kind for a field. */
    FieldColumns with(String field, FieldKind kind) {
        Map<String, FieldKind> changed = new LinkedHashMap<>(kinds);
        changed.put(field, kind);
        return new FieldColumns(changed, scope);
    }

    /** The same for rows that may have more fields. */
    FieldColumns open() {
        return new FieldColumns(kinds, Scope.OPEN);
    }

    String toJson() {
        Map<String, Object> fields = new LinkedHashMap<>();
        kinds.forEach((name, kind) -> fields.put(name, kind.wireName()));
        return CanonicalJson.write(Map.of("closed", scope == Scope.CLOSED, "fields", fields));
    }

    /**
     * Reads what {@link #toJson} wrote. The text may come from any writer of a store: when it names a column that no type can
     * have, all of it is unknown.
     */
    static FieldColumns parse(String json) {
        Object tree;
        try {
            tree = Json.parse(json);
        } catch (OntologiaException e) {
            return UNKNOWN;
        }
        if (!(tree instanceof Map<?, ?> map)
                || !Boolean.TRUE.equals(map.get("closed"))
                || !(map.get("fields") instanceof Map<?, ?> fields)) {
            return UNKNOWN;
        }
        Map<String, FieldKind> kinds = new LinkedHashMap<>();
        fields.forEach((name, kind) -> kinds.put(
                String.valueOf(name), FieldKind.ofWireName(String.valueOf(kind)).orElse(FieldKind.NONE)));
        return isPossible(kinds) ? new FieldColumns(kinds, Scope.CLOSED) : UNKNOWN;
    }

    private static boolean isPossible(Map<String, FieldKind> kinds) {
        Set<String> taken = new HashSet<>(TAKEN);
        return kinds.entrySet().stream()
                .allMatch(field -> FieldDef.isName(field.getKey())
                        && (field.getValue() == FieldKind.NONE
                                || taken.add(field.getKey().toLowerCase(Locale.ROOT))));
    }
}
