package io.ontologia.core.spi;

import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.RelationType;
import io.ontologia.core.RowRef;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds relations that are there while an entity at one of their ends was retracted. A commit that retracts an entity leaves none
 * behind; they appear when a relation is written later, or by another program. Relations to entities that never existed are not
 * among them: the store allows those.
 */
public final class DanglingRelations {
    private static final int BATCH = 10_000;

    private final Storage storage;
    private long count;
    private Optional<String> example = Optional.empty();

    private DanglingRelations(Storage storage) {
        this.storage = storage;
    }

    /** What a check says about them; empty when there are none. Reads every relation, some at a time. */
    public static Optional<Finding> check(Storage storage) {
        DanglingRelations found = new DanglingRelations(storage);
        storage.schemas().stream()
                .filter(schema -> schema.type().kind() == TypeKind.RELATION)
                .map(SchemaVersion::describe)
                .forEach(type -> found.look((RelationType) type));
        return found.example.map(first -> new Finding(
                "dangling-relation",
                Finding.Severity.WARNING,
                "relations have an end at an entity that was retracted: retract them, or write the entity again",
                found.count,
                first));
    }

    private void look(RelationType type) {
        try (Stream<StoredRow> rows = storage.rows(RowQuery.of(type.ref(), new Window.Latest()))) {
            Iterator<StoredRow> all = rows.iterator();
            while (all.hasNext()) {
                List<Identity.OfRelation> batch = new ArrayList<>();
                while (all.hasNext() && batch.size() < BATCH) {
                    batch.add((Identity.OfRelation) all.next().identity());
                }
                report(type, batch);
            }
        }
    }

    private void report(RelationType type, List<Identity.OfRelation> batch) {
        Set<String> lefts = ended(
                type.left(),
                batch.stream().map(Identity.OfRelation::leftKey).distinct().toList());
        Set<String> rights = ended(
                type.right(),
                batch.stream().map(Identity.OfRelation::rightKey).distinct().toList());
        for (Identity.OfRelation relation : batch) {
            if (lefts.contains(relation.leftKey()) || rights.contains(relation.rightKey())) {
                count++;
                if (example.isEmpty()) {
                    example = Optional.of(new RowRef(type.ref(), relation).toString());
                }
            }
        }
    }

    /** Those of some keys whose entity was there once and is not any more. */
    private Set<String> ended(String entity, List<String> keys) {
        TypeRef type = TypeRef.entity(entity);
        Set<String> missing = new HashSet<>(keys);
        read(type, new Window.Latest(), keys).keySet().forEach(missing::remove);
        if (missing.isEmpty()) {
            return missing;
        }
        Set<String> ended = new HashSet<>();
        read(type, new Window.History(0), List.copyOf(missing)).forEach((key, newest) -> {
            if (newest.isEnd()) {
                ended.add(key);
            }
        });
        return ended;
    }

    private Map<String, StoredRow> read(TypeRef type, Window window, List<String> keys) {
        Map<String, StoredRow> newest = new LinkedHashMap<>();
        RowQuery query =
                RowQuery.of(type, window).restrictedTo(new RowQuery.Restriction(RowQuery.Restriction.Part.KEY, keys));
        try (Stream<StoredRow> rows = storage.rows(query)) {
            rows.forEach(row -> newest.put(((Identity.OfEntity) row.identity()).key(), row));
        }
        return newest;
    }
}
