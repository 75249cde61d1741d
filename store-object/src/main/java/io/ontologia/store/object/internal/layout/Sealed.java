package io.ontologia.store.object.internal.layout;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Documents with a hash of themselves: the field {@value #HASH} holds the SHA-256 of the canonical JSON of all other fields.
 * Documents of earlier versions and of other programs have none, and are taken as they are.
 */
final class Sealed {
    static final String HASH = "document_sha256";

    private Sealed() {}

    /** The fields and their hash. */
    static Map<String, @Nullable Object> seal(Map<String, @Nullable Object> fields) {
        Map<String, @Nullable Object> sealed = new LinkedHashMap<>(fields);
        sealed.put(HASH, Sha256.hex(CanonicalJson.bytes(fields)));
        return sealed;
    }

    /** The document with these fields. */
    static byte[] bytes(Map<String, @Nullable Object> fields) {
        return CanonicalJson.bytes(seal(fields));
    }

    /**
     * Reads a document.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when it is not the one that was written
     */
    static JsonObject parse(String key, byte[] bytes) {
        return open(key, JsonObject.parse(key, bytes));
    }

    /** As {@link #parse}, for an object that is a part of a document. */
    static JsonObject open(String key, JsonObject json) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(json.fields());
        Object hash = fields.remove(HASH);
        if (hash != null && !hash.equals(Sha256.hex(CanonicalJson.bytes(fields)))) {
            throw damaged(key, "its content does not have the hash that was written with it");
        }
        return json;
    }

    /** A document that was sealed when it was written must still be. */
    static void requireSealed(String key, JsonObject json) {
        if (json.fields().get(HASH) == null) {
            throw damaged(key, "the hash that was written with it is gone");
        }
    }

    /** What to say of a document that is not the one that was written. */
    static OntologiaException damaged(String key, String cause) {
        return new OntologiaException(
                ErrorKind.CORRUPT,
                "'" + key + "' is damaged",
                cause,
                "restore it from a backup; 'onto fsck' tells what else is damaged");
    }
}
