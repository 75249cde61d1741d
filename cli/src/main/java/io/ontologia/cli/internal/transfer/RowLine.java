package io.ontologia.cli.internal.transfer;

import io.ontologia.core.Identity;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
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
    private static final Set<String> ENTITY_KEYS = Set.of("type_kind", "type_name", "key", "fields", "commit_id", "op");
    private static final Set<String> RELATION_KEYS =
            Set.of("type_kind", "type_name", "left_key", "right_key", "instance_key", "fields", "commit_id", "op");

    private static final String RETRACT = "retract";

    private RowLine() {}

    /** Whether a line says which commit wrote the row. */
    enum Metadata {
        WITH,
        WITHOUT
    }

    static String write(TypeRef type, Result<Row> result, Metadata metadata) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("type_kind", type.kind().wireName());
        members.put("type_name", type.name());
        if (result.identity() instanceof Identity.OfRelation relation) {
            members.put("left_key", relation.leftKey());
            members.put("right_key", relation.rightKey());
            if (!relation.instanceKey().isEmpty()) {
                members.put("instance_key", relation.instanceKey());
            }
        } else {
            members.put("key", ((Identity.OfEntity) result.identity()).key());
        }
        if (result.isEnd()) {
            members.put("op", RETRACT);
        } else {
            members.put("fields", result.value().fields());
        }
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

    /** What a line asks for. */
    sealed interface Wish {
        /** The row shall be so. */
        record Ensure(Row row) implements Wish {
            @Override
            public RowRef ref() {
                return new RowRef(row.type(), row.identity());
            }
        }

        /** The row shall end. */
        record Retract(RowRef ref) implements Wish {}

        /** Which row. */
        RowRef ref();
    }

    /**
     * What a line asks for.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} that says what is wrong with the line
     */
    static Wish read(byte[] line) {
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
        boolean retracts = retracts(members);
        if (kind == TypeKind.ENTITY) {
            String key = text(members, "key");
            return retracts
                    ? new Wish.Retract(RowRef.entity(type, key))
                    : new Wish.Ensure(new Row.OfEntity(type, key, fields(members)));
        }
        String left = text(members, "left_key");
        String right = text(members, "right_key");
        String instanceKey = members.containsKey("instance_key") ? text(members, "instance_key") : "";
        return retracts
                ? new Wish.Retract(RowRef.relation(type, left, right, instanceKey))
                : new Wish.Ensure(new Row.OfRelation(type, left, right, instanceKey, fields(members)));
    }

    private static boolean retracts(Map<?, ?> members) {
        if (!members.containsKey("op")) {
            return false;
        }
        String op = text(members, "op");
        if (op.equals(RETRACT) && members.containsKey("fields")) {
            throw invalid("a line with the op 'retract' has no 'fields'");
        }
        if (!op.equals(RETRACT) && !op.equals("ensure")) {
            throw invalid("unknown op '" + op + "': it is 'ensure', which is the default, or 'retract'");
        }
        return op.equals(RETRACT);
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
