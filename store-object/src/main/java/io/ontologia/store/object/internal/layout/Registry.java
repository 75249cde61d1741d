package io.ontologia.store.object.internal.layout;

import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.ObjectKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code meta/schema/registry.json}: the current schema of every known type. Beside what the specification has, under the
 * key {@code ontologia}, stand the version numbers of those schemas, so that one read tells all, and a change that takes
 * effect with a commit: it is stored here first, counts when that commit is visible, and never if it is not.
 *
 * @param types the current version of every known type
 * @param unconfirmed types whose version number is not noted here, or whose schema another writer changed since
 * @param retired the last version of types that were removed
 * @param purged rows of commits up to this one are gone for good
 * @param erased the document about erased rows of each type that has some
 * @param pending what becomes true with a commit
 * @param isOurs whether this implementation wrote it last; others do not note versions and purged rows here
 * @param other fields of the document that we do not know, kept as they are
 */
public record Registry(
        Map<TypeRef, SchemaVersion> types,
        Set<TypeRef> unconfirmed,
        Map<TypeRef, Long> retired,
        Map<TypeRef, Long> purged,
        Map<TypeRef, String> erased,
        Optional<Pending> pending,
        boolean isOurs,
        Map<String, @Nullable Object> other) {
    private static final String OURS = "ontologia";
    private static final String ATTEMPT = "attempt_id";
    private static final String FEATURES = "features";
    private static final String RETRACTIONS = "retractions";
    private static final Set<String> KNOWN_FEATURES = Set.of(RETRACTIONS);

    /**
     * A change that counts when a commit is visible.
     *
     * @param manifestPath which attempt at that commit
     */
    public record Pending(long commitId, String manifestPath, Registry after) {}

    /** The registry of an empty store. */
    public static Registry empty() {
        return new Registry(Map.of(), Set.of(), Map.of(), Map.of(), Map.of(), Optional.empty(), true, Map.of());
    }

    /** Whether rows of the store can end, which the document says under {@code features}. */
    public boolean hasRetractions() {
        return other.get(FEATURES) instanceof List<?> features && features.contains(RETRACTIONS);
    }

    /** The same for a store in which rows can end. Earlier versions keep the field, as they keep all that they do not know. */
    public Registry withRetractions() {
        if (hasRetractions()) {
            return this;
        }
        Set<Object> features = new TreeSet<>(Set.of(RETRACTIONS));
        if (other.get(FEATURES) instanceof List<?> before) {
            features.addAll(before);
        }
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(other);
        changed.put(FEATURES, List.copyOf(features));
        return new Registry(types, unconfirmed, retired, purged, erased, pending, isOurs, changed);
    }

    private static void requireKnown(@Nullable Object features) {
        if (features instanceof List<?> list) {
            list.stream()
                    .filter(feature -> !KNOWN_FEATURES.contains(String.valueOf(feature)))
                    .findFirst()
                    .ifPresent(feature -> {
                        throw new OntologiaException(
                                ErrorKind.CONFLICT,
                                "cannot open the store",
                                "it uses the feature '" + feature + "', which this version does not know",
                                "open it with a newer version of Ontologia");
                    });
        }
    }

    /** The same, with a change that waits for its commit. */
    public Registry waitingFor(Pending change) {
        return new Registry(types, unconfirmed, retired, purged, erased, Optional.of(change), isOurs, other);
    }

    /** The same with another current version of a type. */
    public Registry with(SchemaVersion version) {
        Map<TypeRef, SchemaVersion> changed = new LinkedHashMap<>(types);
        changed.put(version.type(), version);
        Set<TypeRef> doubtful = new LinkedHashSet<>(unconfirmed);
        doubtful.remove(version.type());
        Map<TypeRef, Long> gone = new HashMap<>(retired);
        gone.remove(version.type());
        return new Registry(changed, doubtful, gone, purged, erased, pending, isOurs, other);
    }

    /** The same without a type whose last version was the given one. */
    public Registry without(TypeRef type, long lastVersion) {
        Map<TypeRef, SchemaVersion> changed = new LinkedHashMap<>(types);
        changed.remove(type);
        Map<TypeRef, Long> gone = new HashMap<>(retired);
        gone.put(type, lastVersion);
        return new Registry(changed, unconfirmed, gone, purged, erased, pending, isOurs, other);
    }

    /** The same, with the rows of a type gone up to a commit. */
    public Registry purged(TypeRef type, long upTo) {
        Map<TypeRef, Long> changed = new HashMap<>(purged);
        changed.put(type, upTo);
        Map<TypeRef, String> kept = new HashMap<>(erased);
        kept.remove(type);
        return new Registry(types, unconfirmed, retired, changed, kept, pending, isOurs, other);
    }

    /** The same, with a document about the erased rows of a type. */
    public Registry erased(TypeRef type, String document) {
        Map<TypeRef, String> changed = new HashMap<>(erased);
        changed.put(type, document);
        return new Registry(types, unconfirmed, retired, purged, changed, pending, isOurs, other);
    }

    /** The same without a pending change. */
    public Registry settled() {
        return new Registry(types, unconfirmed, retired, purged, erased, Optional.empty(), isOurs, other);
    }

    /** The types that {@code meta/schema/dropped.json} says are removed with their rows, and in which commit. */
    public static Map<TypeRef, Long> parseDropped(byte[] bytes) {
        return Stored.read(Keys.DROPPED, () -> readDropped(bytes));
    }

    private static Map<TypeRef, Long> readDropped(byte[] bytes) {
        Map<TypeRef, Long> purged = new HashMap<>();
        ByType.read(JsonObject.parse(Keys.DROPPED, bytes), (type, value) -> JsonObject.of(Keys.DROPPED, value))
                .forEach((type, record) -> {
                    if (Boolean.TRUE.equals(record.fields().get("purged"))) {
                        purged.put(type, record.integer("commit_id"));
                    }
                });
        return purged;
    }

    /** Rows of a type in commits up to this one are gone. */
    public long purgedUpTo(TypeRef type) {
        return purged.getOrDefault(type, 0L);
    }

    /** The current versions, by type. */
    public Map<TypeRef, Long> versions() {
        Map<TypeRef, Long> versions = new HashMap<>();
        types.forEach((type, version) -> versions.put(type, version.version()));
        return versions;
    }

    /** Reads the document. */
    public static Registry parse(byte[] bytes) {
        return Stored.read(Keys.REGISTRY, () -> read(bytes));
    }

    private static Registry read(byte[] bytes) {
        return of(Sealed.parseReplaceable(Keys.REGISTRY, bytes, ATTEMPT));
    }

    private static Registry of(JsonObject json) {
        requireKnown(json.fields().get(FEATURES));
        JsonObject ours = json.fields().get(OURS) == null ? JsonObject.of(Keys.REGISTRY, Map.of()) : json.object(OURS);
        Map<TypeRef, JsonObject> about =
                optional(ours, "versions", (type, value) -> JsonObject.of(Keys.REGISTRY, value));
        Set<TypeRef> unconfirmed = new LinkedHashSet<>();
        Map<TypeRef, SchemaVersion> types = ByType.read(json, (type, value) -> {
            String schema = SchemaDocument.schemaText(value);
            JsonObject known = about.get(type);
            if (known != null && known.text("schema_hash").equals(Sha256.hex(schema))) {
                return SchemaDocument.version(type, known, schema);
            }
            unconfirmed.add(type);
            return new SchemaVersion(
                    type, 1, schema, Sha256.hex(schema), Instant.EPOCH, Optional.empty(), Optional.of("bootstrap"));
        });
        Map<String, @Nullable Object> other = new LinkedHashMap<>(json.fields());
        other.keySet().removeAll(List.of("entity", "relation", OURS, "updated_at", ATTEMPT, Sealed.SEAL));
        return new Registry(
                types,
                unconfirmed,
                optional(ours, "retired", (type, value) -> number(value)),
                optional(ours, "purged", (type, value) -> number(value)),
                optional(ours, "erased", (type, value) -> ObjectKey.require(String.valueOf(value))),
                ours.fields().get("pending") == null ? Optional.empty() : Optional.of(pending(ours.object("pending"))),
                json.fields().get(OURS) != null,
                other);
    }

    private static Pending pending(JsonObject json) {
        return new Pending(json.integer("commit_id"), json.text("manifest_path"), of(json.object("registry")));
    }

    private static long number(@Nullable Object value) {
        return value instanceof Long number ? number : 0;
    }

    private static <T> Map<TypeRef, T> optional(
            JsonObject json, String name, java.util.function.BiFunction<TypeRef, @Nullable Object, T> reader) {
        return json.fields().get(name) == null ? Map.of() : ByType.read(json.object(name), reader);
    }

    /**
     * The document.
     *
     * @param attemptId makes it different from what anybody else writes
     */
    public byte[] bytes(Instant now, String attemptId) {
        Map<String, @Nullable Object> fields = fields();
        fields.put("updated_at", UtcTimestamp.format(now));
        fields.put(ATTEMPT, attemptId);
        return Sealed.replaceable(fields, ATTEMPT);
    }

    private Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        Map<TypeRef, SchemaVersion> confirmed = new LinkedHashMap<>(types);
        confirmed.keySet().removeAll(unconfirmed);
        ours.put("versions", ByType.write(confirmed, SchemaDocument::about));
        ours.put("retired", ByType.write(retired, version -> version));
        ours.put("purged", ByType.write(purged, commit -> commit));
        if (!erased.isEmpty()) {
            ours.put("erased", ByType.write(erased, document -> document));
        }
        pending.ifPresent(change -> {
            Map<String, @Nullable Object> later = new LinkedHashMap<>();
            later.put("commit_id", change.commitId());
            later.put("manifest_path", change.manifestPath());
            later.put("registry", change.after().fields());
            ours.put("pending", later);
        });
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(other);
        fields.putAll(ByType.write(types, version -> Json.parse(version.schemaJson())));
        fields.put(OURS, ours);
        return fields;
    }

    /** {@code meta/schema/types.json}: the names of all types. */
    public byte[] typesDocument(Instant now, String attemptId) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("entities", names(io.ontologia.core.TypeKind.ENTITY));
        fields.put("relations", names(io.ontologia.core.TypeKind.RELATION));
        fields.put("updated_at", UtcTimestamp.format(now));
        fields.put(ATTEMPT, attemptId);
        return CanonicalJson.bytes(fields);
    }

    private List<String> names(io.ontologia.core.TypeKind kind) {
        return types.keySet().stream()
                .filter(type -> type.kind() == kind)
                .map(TypeRef::name)
                .sorted()
                .toList();
    }

    /** {@code meta/schema/dropped.json}: the types that were removed, for other implementations. */
    public byte[] droppedDocument(Instant now, long commitId, String attemptId) {
        Map<String, @Nullable Object> fields = ByType.write(retired, version -> Map.<String, Object>of());
        Map<TypeRef, Map<String, Object>> dropped = new LinkedHashMap<>();
        retired.keySet()
                .forEach(type -> dropped.put(
                        type,
                        Map.of(
                                "commit_id",
                                purged.getOrDefault(type, commitId),
                                "purged",
                                purged.containsKey(type),
                                "updated_at",
                                UtcTimestamp.format(now))));
        fields.putAll(ByType.write(dropped, one -> one));
        fields.put("updated_at", UtcTimestamp.format(now));
        fields.put(ATTEMPT, attemptId);
        return CanonicalJson.bytes(fields);
    }
}
