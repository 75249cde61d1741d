package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.JsonObject;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.Layout;
import io.ontologia.nameservice.spi.LegacyRecords;
import io.ontologia.nameservice.spi.RecordJson;
import io.ontologia.objectstore.ETag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One version of one object, read. Besides the fields of the specification it holds, under {@value #META}, what makes changes over
 * several objects safe:
 *
 * <p>Foreign writers drop it. What they leave out counts as absent.
 *
 * <ul>
 *   <li>{@code attempt}: unique to the write, so that equal content never hides a lost update;
 *   <li>{@code pushes}: for each concern the id of the push that set it, which settles lost replies;
 *   <li>{@code incarnation}: what tells a record from an earlier one of the same name; a satellite has it from its first push on;
 *   <li>{@code layout}: the layout of the record, in the authority, and in a satellite from its first push on;
 *   <li>{@code retraction}: in the authority, that a retraction is under way; {@code retracted_by}: the last one that was;
 *   <li>{@code deps_by}: in the authority, the last change of its {@code deps};
 *   <li>{@code seal}: on satellites, that a retraction wants them to take no more pushes;
 *   <li>{@code purged}: the record is gone, and this object is about to be removed.
 * </ul>
 *
 * @param document its place, for errors
 */
record Cell(String key, String document, Map<String, @Nullable Object> tree, ETag etag) {
    static final String META = "onto";

    private static final String NONE = "none";

    boolean isLegacy() {
        return LegacyRecords.isLegacy(tree);
    }

    boolean isPurged() {
        return meta().get("purged") instanceof Boolean purged && purged;
    }

    boolean isRetracted() {
        return JsonObject.of(document, identity()).bool("retracted");
    }

    /**
     * What an authority says about its record beside the concerns. The specification lists no fields for the files of layout C, so
     * what another writer left out of one counts as absent: the type follows from the name, the record is retracted when its status
     * says so, and it was created at the beginning of time.
     */
    Map<String, @Nullable Object> identity() {
        if (!key.endsWith(Part.authority(Layout.C).suffix()) || isLegacy()) {
            return tree;
        }
        Map<String, @Nullable Object> identity = new LinkedHashMap<>(tree);
        boolean isGraphSource = String.valueOf(tree.get("pk")).startsWith("vg:");
        absent(identity, "type", isGraphSource ? "vg:unknown" : EntityType.LEDGER.value());
        absent(identity, "created_at", 0L);
        absent(
                identity,
                "retracted",
                tree.get("status") instanceof Map<?, ?> status && "retracted".equals(status.get("state")));
        return identity;
    }

    private static void absent(Map<String, @Nullable Object> fields, String name, Object value) {
        if (fields.get(name) == null) {
            fields.put(name, value);
        }
    }

    /** The incarnation; a foreign writer leaves it out, and earlier versions wrote {@value #NONE} into satellites then. */
    Optional<String> incarnation() {
        return meta().get("incarnation") instanceof String text && !text.equals(NONE)
                ? Optional.of(text)
                : Optional.empty();
    }

    /** The incarnation of an authority as seals name it. */
    String incarnationOfAuthority() {
        return incarnation().orElse(NONE);
    }

    /**
     * Whether this part and another one may be of one record. Only two incarnations that differ show that one of them is a leftover: a
     * part that a foreign writer wrote has none and belongs to the record that is there.
     */
    boolean isOfOneRecordWith(Cell other) {
        return incarnation().isEmpty()
                || other.incarnation().isEmpty()
                || incarnation().equals(other.incarnation());
    }

    /** The layout of the record; what somebody else wrote does not say. */
    Optional<String> layout() {
        return meta().get("layout") instanceof String text ? Optional.of(text) : Optional.empty();
    }

    List<String> deps() {
        return RecordJson.deps(document, tree);
    }

    /** The id of the last change of what the record depends on. */
    Optional<String> depsBy() {
        return meta().get("deps_by") instanceof String id ? Optional.of(id) : Optional.empty();
    }

    Optional<Seal> seal() {
        return meta().get("seal") instanceof Map<?, ?> map ? Optional.of(Seal.read(document, map)) : Optional.empty();
    }

    Optional<Retraction> retraction() {
        return meta().get("retraction") instanceof Map<?, ?> map
                ? Optional.of(Retraction.read(document, map))
                : Optional.empty();
    }

    /** The id of the last retraction that was carried out, also after a restoration. */
    Optional<String> lastRetraction() {
        return meta().get("retracted_by") instanceof String id ? Optional.of(id) : Optional.empty();
    }

    Optional<String> pushId(Concern concern) {
        return meta().get("pushes") instanceof Map<?, ?> pushes && pushes.get(concern.wireName()) instanceof String id
                ? Optional.of(id)
                : Optional.empty();
    }

    ConcernValue concern(Concern concern) {
        return RecordJson.concern(document, concern, tree);
    }

    private Map<?, ?> meta() {
        return tree.get(META) instanceof Map<?, ?> map ? map : Map.of();
    }

    /**
     * That a retraction is under way, in an authority. Whoever wants to change the record finishes it first.
     *
     * @param at when it was asked for, in seconds
     */
    record Retraction(String id, long at, String reason) {
        static Retraction read(String document, Map<?, ?> map) {
            JsonObject object = JsonObject.of(document, map);
            return new Retraction(object.text("id"), object.integer("at"), object.text("reason"));
        }

        Map<String, Object> tree() {
            return Map.of("id", id, "at", at, "reason", reason);
        }
    }

    /**
     * The mark of a retraction on a satellite. It counts while the record is retracted or that retraction is under way; after a
     * restoration it means nothing.
     *
     * @param retraction the id of the retraction
     */
    record Seal(String incarnation, String retraction) {
        static Seal read(String document, Map<?, ?> map) {
            JsonObject object = JsonObject.of(document, map);
            return new Seal(object.text("incarnation"), object.text("retraction"));
        }

        Map<String, Object> tree() {
            return Map.of("incarnation", incarnation, "retraction", retraction);
        }
    }
}
