package io.ontologia.testkit;

import io.ontologia.kernel.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sections 7 and 8.2 of the specification of the store on objects: which files hold the rows of a type. */
final class ForeignIndices {
    private final ForeignDocuments documents;

    ForeignIndices(ForeignDocuments documents) {
        this.documents = documents;
    }

    /** A type of a list of {@code types.json}: {@code entities} or {@code relations}. */
    record TypePlace(String list, String name) {
        String kind() {
            return list.equals("entities") ? "entity" : "relation";
        }

        private String key() {
            return "meta/indices/" + list + "/" + name + ".json";
        }
    }

    record FileEntry(long min, long max, String path) {
        boolean covers(long commitId) {
            return min <= commitId && commitId <= max;
        }

        boolean isOfOneCommit() {
            return min == max;
        }
    }

    static final class Index {
        long upTo;
        final List<FileEntry> entries = new ArrayList<>();
    }

    List<TypePlace> types() {
        JsonObject document = documents.read("meta/schema/types.json");
        List<TypePlace> found = new ArrayList<>();
        for (String list : List.of("entities", "relations")) {
            for (Object name :
                    (List<?>) Objects.requireNonNull(document.fields().get(list))) {
                found.add(new TypePlace(list, String.valueOf(name)));
            }
        }
        return found;
    }

    /** Section 7.1: every known type, with what is missing taken from the manifests. */
    void update(long id, @Nullable String parent, Map<TypePlace, String> touched) {
        for (TypePlace type : types()) {
            Index index = read(type);
            if (index.upTo < id - 1) {
                addFromManifests(index, parent, type, index.upTo);
            }
            String path = touched.get(type);
            if (path != null) {
                index.entries.removeIf(entry -> entry.min == id && entry.max == id);
                index.entries.add(new FileEntry(id, id, path));
            }
            index.upTo = id;
            write(type, index);
        }
    }

    void write(TypePlace type, Index index) {
        List<Object> entries = new ArrayList<>();
        index.entries.forEach(entry -> entries.add(
                ForeignJson.fields("min_commit_id", entry.min, "max_commit_id", entry.max, "path", entry.path)));
        documents.put(
                type.key(),
                ForeignJson.fields("type_name", type.name, "max_indexed_commit", index.upTo, "entries", entries));
    }

    Index read(TypePlace type) {
        Index index = new Index();
        documents.find(type.key()).map(ForeignDocuments.Versioned::json).ifPresent(json -> {
            index.upTo = json.integer("max_indexed_commit");
            for (Object entry : (List<?>) Objects.requireNonNull(json.fields().get("entries"))) {
                JsonObject one = JsonObject.of(type.key(), entry);
                index.entries.add(
                        new FileEntry(one.integer("min_commit_id"), one.integer("max_commit_id"), one.text("path")));
            }
        });
        return index;
    }

    private void addFromManifests(Index index, @Nullable String newest, TypePlace type, long covered) {
        String path = newest;
        while (path != null) {
            JsonObject manifest = documents.read(path);
            long id = manifest.integer("commit_id");
            if (id <= covered) {
                return;
            }
            fileOf(manifest, type)
                    .filter(file -> index.entries.stream().noneMatch(entry -> entry.covers(id)))
                    .ifPresent(file -> index.entries.add(new FileEntry(id, id, file)));
            path = manifest.optionalText("parent_manifest_path").orElse(null);
        }
    }

    private static Optional<String> fileOf(JsonObject manifest, TypePlace type) {
        for (Object file : (List<?>) Objects.requireNonNull(manifest.fields().get("files"))) {
            JsonObject one = JsonObject.of("files", file);
            if (one.text("kind").equals(type.kind()) && one.text("type_name").equals(type.name)) {
                return Optional.of(one.text("path"));
            }
        }
        return Optional.empty();
    }

    /** Section 8.2: the index as far as it is right, and the manifests after it. */
    Index resolve(TypePlace type, long upTo) {
        JsonObject head = documents.read("meta/head.json");
        long newest = head.integer("commit_id");
        if (newest == 0) {
            return new Index();
        }
        Index index = read(type);
        String newestPath = head.text("manifest_path");
        if (upTo == newest) {
            Optional<String> written = fileOf(documents.read(newestPath), type);
            boolean isKnown = written.isEmpty()
                    || index.entries.stream()
                            .anyMatch(entry -> entry.isOfOneCommit()
                                    ? entry.min == upTo && entry.path.equals(written.get())
                                    : entry.covers(upTo));
            if (!isKnown) {
                index.entries.removeIf(entry -> entry.min == upTo);
                index.upTo = Math.min(index.upTo, upTo - 1);
            }
        }
        addFromManifests(index, newestPath, type, Math.min(index.upTo, upTo));
        index.entries.removeIf(entry -> entry.min > upTo);
        return index;
    }

    List<String> files(TypePlace type, long upTo) {
        return resolve(type, upTo).entries.stream()
                .map(FileEntry::path)
                .distinct()
                .toList();
    }
}
