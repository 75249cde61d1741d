package io.ontologia.cli.internal.transfer;

import io.ontologia.core.Identity;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.TypeKind;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One row as one line of JSON. */
final class RowLine {
    private static final Set<String> ENTITY_KEYS = Set.of("type_kind", "type_name", "key", "fields", "commit_id");
    private static final Set<String> RELATION_KEYS =
            Set.of("type_kind", "type_name", "left_key", "right_key", "instance_key", "fields", "commit_id");

    private RowLine() {}

    /** Whether a line says which commit wrote the row. */
    enum Metadata {
        WITH,
        WITHOUT
    }

    static String write(Result<Row> result, Metadata metadata) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        Row row = result.value();
        members.put("type_kind", row.type().kind().wireName());
        members.put("type_name", row.type().name());
        if (result.identity() instanceof Identity.OfRelation relation) {
            members.put("left_key", relation.leftKey());
            members.put("right_key", relation.rightKey());
            if (!relation.instanceKey().isEmpty()) {
                members.put("instance_key", relation.instanceKey());
            }
        } else {
            members.put("key", ((Identity.OfEntity) result.identity()).key());
        }
        members.put("fields", row.fields());
        if (metadata == Metadata.WITH) {
            members.put("commit_id", result.commitId());
        }
        StringBuilder line = new StringBuilder("{");
        members.forEach((name, value) -> line.append(line.length() > 1 ? "," : "")
                .append('"')
                .append(name)
                .append("\":")
                .append(CanonicalJson.write(value)));
        return line.append('}').toString();
    }

    /**
     * The row of a line.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} that says what is wrong with the line
     */
    static Row read(byte[] line) {
        if (!(Json.parse(line) instanceof Map<?, ?> members)) {
            throw invalid("it is not a JSON object");
        }
        TypeKind kind = TypeKind.of(text(members, "type_kind"));
        Set<String> known = kind == TypeKind.ENTITY ? ENTITY_KEYS : RELATION_KEYS;
        for (Object name : members.keySet()) {
            if (!known.contains(name)) {
                throw invalid("unknown member '" + name + "' for a line of a " + kind.wireName());
            }
        }
        String type = text(members, "type_name");
        Map<String, @Nullable Object> fields = fields(members);
        if (kind == TypeKind.ENTITY) {
            return new Row.OfEntity(type, text(members, "key"), fields);
        }
        String instanceKey = members.containsKey("instance_key") ? text(members, "instance_key") : "";
        return new Row.OfRelation(type, text(members, "left_key"), text(members, "right_key"), instanceKey, fields);
    }

    private static String text(Map<?, ?> members, String name) {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw invalid("'" + name + "' is " + (members.containsKey(name) ? "not a text" : "missing"));
    }

    @SuppressWarnings("unchecked") // the keys of a parsed object are texts
    private static Map<String, @Nullable Object> fields(Map<?, ?> members) {
        if (members.get("fields") instanceof Map<?, ?> fields) {
            return (Map<String, @Nullable Object>) fields;
        }
        throw invalid("'fields' is " + (members.containsKey("fields") ? "not an object" : "missing"));
    }

    private static OntologiaException invalid(String cause) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "invalid line", cause, "");
    }
}
