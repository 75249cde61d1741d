package io.ontologia.cli.internal.views;

import io.ontologia.cli.internal.views.ViewEngine.Kind;
import io.ontologia.core.Explanation.DataFile;
import io.ontologia.core.FieldDef;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the views of a store. A row's fields come from its JSON, which every file has, so that files of different schema
 * versions read alike: a field that a version does not have is null. Each version of a row is in exactly one of the files.
 */
final class ViewScript {
    private final ViewEngine engine;
    private final String location;
    private final long head;
    private final OptionalLong asOf;
    private final StringBuilder text = new StringBuilder();
    private final Set<String> views = new HashSet<>();

    /** @param location the URI that paths of files are relative to */
    ViewScript(ViewEngine engine, String location, long head, OptionalLong asOf) {
        this.engine = engine;
        this.location = location.endsWith("/") ? location.substring(0, location.length() - 1) : location;
        this.head = head;
        this.asOf = asOf;
        // A line break would end the comment, and the rest of the location would be run.
        line("-- Views for " + engine.displayName() + " of " + location.replaceAll("\\p{Cntrl}|\\R", " ")
                + ", written by 'onto export views'.");
        line("-- They show commit " + asOf.orElse(head) + ". For later ones, and after 'onto gc', write them again.");
        if (engine == ViewEngine.TRINO) {
            tables();
        }
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    /** Trino reads folders, not files; its views then pick those files that count. */
    private void tables() {
        line("-- For a catalog of the Hive connector with hive.recursive-directories=true.");
        for (TypeKind kind : TypeKind.values()) {
            line("");
            line("CREATE TABLE IF NOT EXISTS " + table(kind) + " (");
            line("  " + kind.wireName() + "_type VARCHAR,");
            identity(kind).forEach(column -> line("  " + column + " VARCHAR,"));
            line("  commit_id BIGINT,");
            line("  schema_version_id BIGINT,");
            line("  fields_json VARCHAR");
            line(") WITH (external_location = " + engine.literal(location + "/") + ", format = 'PARQUET');");
        }
    }

    private static String table(TypeKind kind) {
        return kind == TypeKind.ENTITY ? "onto_entities" : "onto_relations";
    }

    private static List<String> identity(TypeKind kind) {
        return kind == TypeKind.ENTITY ? List.of("entity_key") : List.of("left_key", "right_key", "instance_key");
    }

    /**
     * Adds the views of a type.
     *
     * @param versions oldest first, the last is the current one
     * @param files with every version of its rows up to the commit that the script is about
     */
    void add(TypeRef type, List<SchemaVersion> versions, List<DataFile> files) {
        String name = type.kind() == TypeKind.ENTITY ? type.name() : "rel_" + type.name();
        String stateView = free(name + (asOf.isPresent() ? "_as_of_" + asOf.getAsLong() : ""));
        String versionsView = free(name + (asOf.isPresent() ? "_history_to_" + asOf.getAsLong() : "_history"));
        line("");
        line("-- " + type + ": every version of every row");
        line(engine.create(versionsView));
        line("SELECT " + String.join(", ", identity(type.kind())) + ", commit_id, schema_version_id");
        columns(type.kind(), versions).forEach((column, expression) -> line("  , " + expression + " AS " + column));
        line("  , fields_json");
        line("FROM (");
        line("  " + source(type, files));
        line(") AS v"
                + asOf.stream()
                        .mapToObj(commit -> " WHERE commit_id <= " + commit)
                        .collect(Collectors.joining()) + ";");
        String keys = String.join(", ", identity(type.kind()));
        line("");
        line("-- " + type + ": rows as they were after commit " + asOf.orElse(head) + "; a payload null ends a row");
        line(engine.create(stateView));
        line("SELECT h.* FROM " + engine.quoted(versionsView) + " h");
        line("JOIN (SELECT " + keys + ", max(commit_id) AS commit_id FROM " + engine.quoted(versionsView) + " GROUP BY "
                + keys + ") newest");
        line("  ON "
                + identity(type.kind()).stream()
                        .map(column -> "h." + column + " = newest." + column + " AND ")
                        .collect(Collectors.joining())
                + "h.commit_id = newest.commit_id");
        line("WHERE h.fields_json <> 'null';");
    }

    /** Engines do not tell upper from lower case in names, and a type may be called as another's history. */
    private String free(String name) {
        String free = name;
        while (!views.add(free.toLowerCase(Locale.ROOT))) {
            free = free + "_";
        }
        return free;
    }

    private String source(TypeRef type, List<DataFile> files) {
        List<String> base = new ArrayList<>(identity(type.kind()));
        base.addAll(List.of("commit_id", "fields_json"));
        if (files.isEmpty()) {
            return "SELECT "
                    + base.stream()
                            .map(column -> engine.nothing(column.equals("commit_id") ? Kind.INTEGER : Kind.TEXT)
                                    + " AS " + column)
                            .collect(Collectors.joining(", "))
                    + ", " + engine.nothing(Kind.INTEGER) + " AS schema_version_id WHERE 1 = 0";
        }
        String columns = String.join(", ", base) + ", coalesce(schema_version_id, 1) AS schema_version_id";
        return engine.rows(
                columns,
                table(type.kind()),
                files.stream().map(file -> location + "/" + file.path()).toList());
    }

    /** Columns by name: the fields of the current schema, then those that only earlier ones had. */
    private Map<String, String> columns(TypeKind kind, List<SchemaVersion> versions) {
        Map<String, Kind> fields = new LinkedHashMap<>();
        for (int i = versions.size() - 1; i >= 0; i--) {
            OntologyType described = versions.get(i).describe();
            for (FieldDef field : described.payload()) {
                fields.putIfAbsent(field.name(), kind(field.type()));
            }
        }
        List<String> taken = new ArrayList<>(identity(kind));
        taken.addAll(List.of("commit_id", "schema_version_id", "fields_json"));
        Map<String, String> columns = new LinkedHashMap<>();
        fields.forEach((name, type) -> {
            String free = name;
            // Engines do not tell upper from lower case in names of columns.
            while (taken.contains(free.toLowerCase(Locale.ROOT))) {
                free = "field_" + free;
            }
            taken.add(free.toLowerCase(Locale.ROOT));
            columns.put(engine.quoted(free), engine.field(name, type));
        });
        return columns;
    }

    private static Kind kind(TypeSpec type) {
        if (type instanceof TypeSpec.Union union) {
            List<TypeSpec> members = union.members().stream()
                    .filter(member -> member != TypeSpec.Primitive.NONE)
                    .toList();
            return members.size() == 1 ? kind(members.get(0)) : Kind.JSON;
        }
        if (type instanceof TypeSpec.Primitive primitive) {
            return switch (primitive) {
                case STR -> Kind.TEXT;
                case INT -> Kind.INTEGER;
                case FLOAT -> Kind.NUMBER;
                case BOOL -> Kind.BOOL;
                case ANY, NONE -> Kind.JSON;
            };
        }
        return Kind.JSON;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
