package io.ontologia.testkit;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.nameservice.Layout;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * {@link ForeignRecords} as files at the paths of the specification, {@code ns@v2/{name}/{branch}.json} and so on. Every write replaces
 * the version that was read, by its ETag.
 */
public final class ForeignFiles implements ForeignRecords {
    private static final List<String> IDENTITY =
            List.of("v", "pk", "type", "name", "branch", "created_at", "retracted", "deps");
    private static final List<String> CONCERNS = List.of("head", "index", "status", "config");

    private final ObjectStore store;
    private final Layout layout;

    /** Records in a layout. */
    public ForeignFiles(ObjectStore store, Layout layout) {
        this.store = store;
        this.layout = layout;
    }

    /** The files of a layout: the ending of each, and the attributes that the specification lists for it. */
    private Map<String, List<String>> files() {
        Map<String, List<String>> files = new LinkedHashMap<>();
        switch (layout) {
            case A -> files.put(".json", ATTRIBUTES);
            case B -> {
                files.put(
                        ".json",
                        List.of(
                                "v",
                                "pk",
                                "type",
                                "name",
                                "branch",
                                "created_at",
                                "retracted",
                                "deps",
                                "head_v",
                                "head",
                                "status_v",
                                "status",
                                "config_v",
                                "config"));
                files.put(".index.json", List.of("v", "pk", "index_v", "index"));
            }
            case C -> CONCERNS.forEach(concern -> files.put("." + concern + ".json", fields(concern)));
        }
        return files;
    }

    /** In layout C the specification lists no fields for each file; the record's own stand beside the status, as it changes with them. */
    private static List<String> fields(String concern) {
        List<String> own = List.of(concern + "_v", concern);
        if (!concern.equals("status")) {
            return List.of("v", "pk", own.get(0), own.get(1));
        }
        return java.util.stream.Stream.concat(IDENTITY.stream(), own.stream()).toList();
    }

    @Override
    public Optional<Map<String, @Nullable Object>> read(String alias) {
        Map<String, @Nullable Object> found = new LinkedHashMap<>();
        files().forEach((ending, fields) -> store.get(path(alias) + ending).ifPresent(object -> {
            Map<String, @Nullable Object> tree = tree(object);
            fields.forEach(field -> found.put(field, tree.get(field)));
        }));
        if (!found.containsKey("type")) {
            return Optional.empty();
        }
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        ATTRIBUTES.forEach(attribute -> record.put(attribute, found.get(attribute)));
        CONCERNS.forEach(concern -> record.putIfAbsent(concern + "_v", 0L));
        return Optional.of(record);
    }

    @Override
    public void create(String alias, String type, long createdAt) {
        write(alias, ForeignRecords.unborn(alias, type, createdAt));
    }

    @Override
    public void set(String alias, String concern, long watermark, Map<String, ?> payload) {
        change(alias, List.of(concern + "_v", concern), List.of(watermark, payload));
    }

    @Override
    public void retract(String alias, long statusWatermark, long at) {
        change(
                alias,
                List.of("retracted", "status_v", "status"),
                List.of(true, statusWatermark, Map.of("state", "retracted", "retracted_at", at)));
    }

    @Override
    public void remove(String alias) {
        files().keySet().forEach(ending -> store.delete(path(alias) + ending));
    }

    /** Writes all files of a record again, each with the listed fields as they are and nothing else. */
    public void rewrite(String alias) {
        write(alias, read(alias).orElseThrow());
    }

    private void write(String alias, Map<String, @Nullable Object> record) {
        files().forEach((ending, fields) -> {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            fields.forEach(field -> tree.put(field, record.get(field)));
            put(path(alias) + ending, tree);
        });
    }

    private void change(String alias, List<String> names, List<?> values) {
        files().forEach((ending, fields) -> {
            if (fields.containsAll(names)) {
                Map<String, @Nullable Object> tree = new LinkedHashMap<>();
                Map<String, @Nullable Object> old =
                        store.get(path(alias) + ending).map(ForeignFiles::tree).orElse(Map.of("v", 2L, "pk", alias));
                fields.forEach(field -> tree.put(field, old.get(field)));
                for (int i = 0; i < names.size(); i++) {
                    tree.put(names.get(i), values.get(i));
                }
                put(path(alias) + ending, tree);
            }
        });
    }

    private void put(String key, Map<String, @Nullable Object> tree) {
        Payload payload = Payload.of(json(tree).getBytes(StandardCharsets.UTF_8));
        Optional<StoredObject> there = store.get(key);
        PutOutcome outcome = there.map(object -> store.putIfMatch(key, payload, object.etag()))
                .orElseGet(() -> store.putIfAbsent(key, payload));
        if (!(outcome instanceof PutOutcome.Written)) {
            throw new AssertionError("another writer changed " + key + " at the same time");
        }
    }

    /** One line, with the fields in the order of the specification. */
    private static String json(Map<String, @Nullable Object> tree) {
        StringJoiner fields = new StringJoiner(", ", "{", "}");
        tree.forEach((name, value) -> fields.add("\"" + name + "\": " + CanonicalJson.write(value)));
        return fields.toString();
    }

    private static String path(String alias) {
        int branch = alias.lastIndexOf(':');
        return "ns@v2/" + alias.substring(0, branch) + "/" + alias.substring(branch + 1);
    }

    @SuppressWarnings("unchecked") // a JSON object
    private static Map<String, @Nullable Object> tree(StoredObject object) {
        return (Map<String, @Nullable Object>) java.util.Objects.requireNonNull(Json.parse(object.bytes()));
    }
}
