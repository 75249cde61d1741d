package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.Layout;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.spi.RecordJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object about to be written. Starts from what is there, so that fields which nobody here knows survive. Used by one thread. */
final class Draft {
    private static final Set<String> LEGACY_FIELDS = Set.of(
            "v",
            "ledger_alias",
            "ledger_name",
            "branch",
            "commit_address",
            "commit_t",
            "index_address",
            "index_t",
            "default_context_address",
            "status",
            "updated_at",
            Cell.META);

    private final Map<String, @Nullable Object> tree;
    private final Map<String, @Nullable Object> meta = new LinkedHashMap<>();

    private Draft(Map<String, @Nullable Object> tree) {
        this.tree = new LinkedHashMap<>(tree);
        if (tree.get(Cell.META) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> meta.put(String.valueOf(key), value));
        }
    }

    static Draft from(Cell cell) {
        return new Draft(cell.tree());
    }

    /** The authority of a record in a layout, with its share of the concerns. */
    static Draft authority(Layout layout, NameRecord record, String incarnation) {
        Draft draft = new Draft(Map.of());
        RecordJson.identity(record, draft.tree);
        Part.authority(layout)
                .concerns()
                .forEach(concern -> RecordJson.concern(concern, record.concern(concern), draft.tree));
        draft.meta.put("incarnation", incarnation);
        draft.layout(layout);
        return draft;
    }

    /** A satellite that never got a push. */
    static Draft satellite(Part part, Alias alias) {
        Draft draft = new Draft(Map.of());
        draft.tree.put("v", RecordJson.VERSION);
        draft.tree.put("pk", alias.toString());
        part.concerns().forEach(concern -> RecordJson.concern(concern, ConcernValue.unborn(), draft.tree));
        return draft;
    }

    /** Takes over what an object of version 1 has and version 1 does not know. */
    Draft keepingUnknownFieldsOf(Cell legacy) {
        legacy.tree().forEach((field, value) -> {
            if (!LEGACY_FIELDS.contains(field)) {
                tree.putIfAbsent(field, value);
            }
        });
        return this;
    }

    Draft set(Concern concern, ConcernValue value, String pushId) {
        RecordJson.concern(concern, value, tree);
        Map<String, @Nullable Object> pushes = new LinkedHashMap<>();
        if (meta.get("pushes") instanceof Map<?, ?> map) {
            map.forEach((key, id) -> pushes.put(String.valueOf(key), id));
        }
        pushes.put(concern.wireName(), pushId);
        meta.put("pushes", pushes);
        return this;
    }

    Draft deps(List<String> deps, String id) {
        tree.put("deps", deps.isEmpty() ? null : deps);
        meta.put("deps_by", id);
        return this;
    }

    Draft retracted(boolean retracted) {
        tree.put("retracted", retracted);
        meta.remove("retraction");
        return this;
    }

    Draft retractedBy(String retraction) {
        meta.put("retracted_by", retraction);
        return this;
    }

    Draft incarnation(String incarnation) {
        meta.put("incarnation", incarnation);
        return this;
    }

    Draft layout(Layout layout) {
        meta.put("layout", layout.name());
        return this;
    }

    Draft retracting(Cell.Retraction retraction) {
        meta.put("retraction", retraction.tree());
        return this;
    }

    Draft seal(Cell.Seal seal) {
        meta.put("seal", seal.tree());
        return this;
    }

    Draft unsealed() {
        meta.remove("seal");
        return this;
    }

    Draft purged() {
        meta.put("purged", true);
        return this;
    }

    /** What to write, unique to the attempt. */
    byte[] bytes(String attempt) {
        return CanonicalJson.bytes(tree(attempt));
    }

    Map<String, @Nullable Object> tree(String attempt) {
        meta.put("attempt", attempt);
        tree.put(Cell.META, new LinkedHashMap<>(meta));
        return tree;
    }
}
