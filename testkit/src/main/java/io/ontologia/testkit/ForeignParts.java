package io.ontologia.testkit;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Sha256;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A type whose schema changes while two programs write it: its version {@code v} has the key field {@code id} and the
 * integers {@code f1} to {@code fv}. A part is described by one number, to which field {@code fi} adds {@code i}.
 */
final class ForeignParts {
    private ForeignParts() {}

    /** The stored schema of a version. */
    static Map<String, @Nullable Object> schema(String type, int version) {
        Map<String, @Nullable Object> fields = ForeignJson.fields("id", field("str", true));
        for (int i = 1; i <= version; i++) {
            fields.put("f" + i, field("int", false));
        }
        return ForeignJson.fields("entity_name", type, "fields", fields);
    }

    private static Map<String, @Nullable Object> field(String type, boolean isKey) {
        return ForeignJson.fields(
                "primary_key",
                isKey,
                "index",
                false,
                "type",
                "<class '" + type + "'>",
                "type_spec",
                ForeignJson.fields("kind", "primitive", "name", type));
    }

    /** The hash of a version's schema: SHA-256 of its canonical JSON. */
    static String hash(String type, int version) {
        return Sha256.hex(CanonicalJson.writeAscii(schema(type, version)));
    }

    /** The stored fields of a part. */
    static Map<String, @Nullable Object> row(String key, long number, int version) {
        Map<String, @Nullable Object> row = ForeignJson.fields("id", key);
        for (int i = 1; i <= version; i++) {
            row.put("f" + i, number + i);
        }
        return row;
    }
}
