package io.ontologia.testkit;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Every JSON document, and every column and the metadata of every data file of an object store. Hashes are corrected: a
 * document has the right hash of its content, and the right hashes of data files.
 */
public final class HostileObjects implements HostileStore {
    private static final String HASH = "document_sha256";
    private static final String SEAL = "document_seal";

    private final ObjectStore store;
    private final HostileParquet parquet;
    private final Map<String, byte[]> original = new TreeMap<>();

    /**
     * Takes the objects as they are now.
     *
     * @param store is closed with this
     * @param scratch a folder for files on their way, not in the store
     */
    public HostileObjects(ObjectStore store, Path scratch) throws SQLException {
        this.store = store;
        this.parquet = new HostileParquet(scratch);
        keys().forEach(key -> original.put(key, read(key)));
    }

    private List<String> keys() {
        List<String> keys = new ArrayList<>();
        ListRequest request = ListRequest.of("");
        while (true) {
            ListPage page = store.list(request);
            page.objects().stream().map(ObjectSummary::key).forEach(keys::add);
            if (page.next().isEmpty()) {
                return keys;
            }
            request = request.continueAt(page.next().get());
        }
    }

    private byte[] read(String key) {
        return store.get(key).orElseThrow().bytes();
    }

    @Override
    public List<Place> places() throws SQLException, IOException {
        List<Place> places = new ArrayList<>();
        for (Map.Entry<String, byte[]> object : original.entrySet()) {
            String key = object.getKey();
            if (key.endsWith(".json")) {
                places.addAll(JsonPlaces.of(key, Json.parse(object.getValue()), tree -> write(key, tree)));
            } else if (key.endsWith(".parquet")) {
                places.addAll(parquet.places(key, object.getValue(), changed -> replace(key, changed)));
            }
        }
        return places;
    }

    /** Stores a document with the right hash of itself, as every writer of the document can. */
    private void write(String key, @Nullable Object tree) {
        Object document = tree;
        try {
            if (tree instanceof Map<?, ?> map) {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                map.forEach((name, value) -> fields.put(String.valueOf(name), value));
                // Documents of other programs have no seal.
                fields.remove(SEAL);
                if (fields.remove(HASH) != null) {
                    fields.put(HASH, Sha256.hex(CanonicalJson.bytes(fields)));
                }
                document = fields;
            }
            put(key, HostileValues.withNaN(CanonicalJson.write(document)).getBytes(StandardCharsets.UTF_8));
        } catch (OntologiaException e) {
            put(key, String.valueOf(tree).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Stores another data file, and its hash in every document that has the hash of the present one. */
    private void replace(String key, byte[] changed) {
        String before = Sha256.hex(Objects.requireNonNull(original.get(key)));
        put(key, changed);
        for (Map.Entry<String, byte[]> document : original.entrySet()) {
            String text = new String(document.getValue(), StandardCharsets.UTF_8);
            if (document.getKey().endsWith(".json") && text.contains(before)) {
                write(document.getKey(), Json.parse(text.replace(before, Sha256.hex(changed))));
            }
        }
    }

    private void put(String key, byte[] bytes) {
        store.put(key, Payload.of(bytes));
    }

    @Override
    public void restore() {
        for (String key : keys()) {
            if (!original.containsKey(key)) {
                store.delete(key);
            }
        }
        original.forEach((key, bytes) -> {
            if (store.get(key).filter(now -> Arrays.equals(now.bytes(), bytes)).isEmpty()) {
                put(key, bytes);
            }
        });
    }

    @Override
    public void close() throws SQLException {
        parquet.close();
        store.close();
    }
}
