package io.ontologia.store.object.internal.layout;

import io.ontologia.kernel.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code meta/digests/…}: digests of commits whose manifests have none. */
public final class DigestDocument {
    private static final int MOST_IN_ONE = 10_000;

    private DigestDocument() {}

    /** Reads a document. */
    public static Map<Long, String> parse(String key, byte[] bytes) {
        Map<Long, String> digests = new LinkedHashMap<>();
        for (JsonObject one : Sealed.parse(key, bytes).objects("digests")) {
            digests.put(one.integer("commit_id"), one.text("digest"));
        }
        return digests;
    }

    /** Documents for digests by commit, by key. */
    public static Map<String, byte[]> split(Map<Long, String> digests) {
        Map<String, byte[]> documents = new LinkedHashMap<>();
        List<Map.Entry<Long, String>> sorted = new ArrayList<>(new TreeMap<>(digests).entrySet());
        for (int start = 0; start < sorted.size(); start += MOST_IN_ONE) {
            List<Map.Entry<Long, String>> some = sorted.subList(start, Math.min(sorted.size(), start + MOST_IN_ONE));
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("digests", some.stream().map(DigestDocument::fields).toList());
            String key = Keys.DIGESTS + some.get(0).getKey() + "-"
                    + some.get(some.size() - 1).getKey() + ".json";
            documents.put(key, Sealed.bytes(fields));
        }
        return documents;
    }

    private static Map<String, @Nullable Object> fields(Map.Entry<Long, String> one) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("commit_id", one.getKey());
        fields.put("digest", one.getValue());
        return fields;
    }
}
