package io.ontologia.store.object.internal.layout;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Documents with a hash of themselves. Documents of earlier versions and of other programs have none, and are taken as they are.
 *
 * <p>A document that never changes has the field {@value #HASH}: the SHA-256 of the canonical JSON of all other fields.
 *
 * <p>A document that is replaced has the field {@value #SEAL} instead: such a hash, and the value of one field that every writer
 * changes. Another program may keep fields that it does not know when it replaces the document. The seal that it keeps names
 * another value then, and is not checked.
 */
final class Sealed {
    static final String HASH = "document_sha256";

    static final String SEAL = "document_seal";
    private static final String SHA256 = "sha256";

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

    /**
     * The document with these fields, to be replaced later.
     *
     * @param mark the name of the field that every writer changes
     */
    static byte[] replaceable(Map<String, @Nullable Object> fields, String mark) {
        Map<String, @Nullable Object> sealed = new LinkedHashMap<>(fields);
        sealed.remove(SEAL);
        Map<String, @Nullable Object> seal = new LinkedHashMap<>();
        seal.put(mark, fields.get(mark));
        seal.put(SHA256, Sha256.hex(CanonicalJson.bytes(sealed)));
        sealed.put(SEAL, seal);
        return CanonicalJson.bytes(sealed);
    }

    /**
     * Reads a document that {@link #replaceable} made, or another program.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when it is not the one that was written
     */
    static JsonObject parseReplaceable(String key, byte[] bytes, String mark) {
        JsonObject json = JsonObject.parse(key, bytes);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(json.fields());
        if (fields.remove(SEAL) instanceof Map<?, ?> seal && seal.get(SHA256) != null) {
            boolean isOfThisVersion = Objects.equals(seal.get(mark), fields.get(mark));
            // When all other fields are those that were written, no writer replaced the document: its mark is damaged.
            fields.put(mark, seal.get(mark));
            boolean fits = Sha256.hex(CanonicalJson.bytes(fields)).equals(seal.get(SHA256));
            if (fits != isOfThisVersion) {
                throw damaged(key, "its content does not have the hash that was written with it");
            }
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
