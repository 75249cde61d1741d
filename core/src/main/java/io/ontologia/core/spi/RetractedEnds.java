package io.ontologia.core.spi;

import io.ontologia.core.Identity;
import io.ontologia.core.RelationType;
import io.ontologia.core.RowRef;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.RowQuery.Restriction.Part;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sees to it that a commit which retracts entities leaves no relation behind that ends at one of them: such relations are
 * retracted by the same commit, or the commit is refused. Backends use it on the state that the commit is based on.
 */
public final class RetractedEnds {
    private static final int BATCH = 10_000;

    /** Finds relations that are there. */
    public interface Finder<X extends Exception> {
        /** The relations of a type that have one of these keys at an end. */
        List<Identity> relations(TypeRef type, Part end, List<String> keys) throws X;
    }

    private final CommitRequest request;
    private final Map<String, Set<String>> retracted = new HashMap<>();
    private final Map<RowRef, DesiredRow> wanted = new HashMap<>();
    private final Map<RowRef, RowRef> found = new LinkedHashMap<>();
    private final Set<RowRef> cascaded = new HashSet<>();

    private RetractedEnds(CommitRequest request, Collection<RowRef> existing) {
        this.request = request;
        existing.forEach(row -> retracted
                .computeIfAbsent(row.type().name(), type -> new HashSet<>())
                .add(((Identity.OfEntity) row.identity()).key()));
        request.rows().stream()
                .filter(row -> row.type().kind() == TypeKind.RELATION)
                .forEach(row -> wanted.put(row.ref(), row));
    }

    static boolean isRetractedEntity(DesiredRow row) {
        return row.type().kind() == TypeKind.ENTITY && row.isRetraction();
    }

    /** The entities that a request retracts, whether they are there or not. */
    public static List<RowRef> of(CommitRequest request) {
        return request.rows().stream()
                .filter(RetractedEnds::isRetractedEntity)
                .map(DesiredRow::ref)
                .toList();
    }

    /**
     * The request with the relations that have to end as well.
     *
     * @param existing the entities that the request retracts and that are there
     * @param schemas the current schema of every type
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when relations of a retracted entity would be left
     */
    public static <X extends Exception> CommitRequest settle(
            CommitRequest request, Collection<RowRef> existing, Collection<SchemaVersion> schemas, Finder<X> finder)
            throws X {
        return existing.isEmpty() ? request : new RetractedEnds(request, existing).settle(schemas, finder);
    }

    private <X extends Exception> CommitRequest settle(Collection<SchemaVersion> schemas, Finder<X> finder) throws X {
        Map<TypeRef, Long> versions = new LinkedHashMap<>(request.schemaVersions());
        for (SchemaVersion schema : schemas) {
            if (schema.type().kind() != TypeKind.RELATION) {
                continue;
            }
            RelationType type = (RelationType) schema.describe();
            boolean any = look(type.ref(), type.left(), Part.LEFT, finder);
            any |= look(type.ref(), type.right(), Part.RIGHT, finder);
            if (any) {
                versions.put(type.ref(), schema.version());
            }
        }
        found.keySet().removeAll(cascaded);
        if (!found.isEmpty()) {
            throw refused();
        }
        if (cascaded.isEmpty()) {
            return request;
        }
        List<DesiredRow> rows = new ArrayList<>(request.rows());
        cascaded.stream()
                .filter(relation -> !wanted.containsKey(relation))
                .map(DesiredRow::retraction)
                .forEach(rows::add);
        return request.with(rows, versions);
    }

    /** Whether relations of a type have one of the retracted entities at an end. */
    private <X extends Exception> boolean look(TypeRef relation, String entity, Part end, Finder<X> finder) throws X {
        Set<String> keys = retracted.getOrDefault(entity, Set.of());
        if (keys.isEmpty()) {
            return false;
        }
        boolean any = false;
        List<String> all = List.copyOf(keys);
        for (int start = 0; start < all.size(); start += BATCH) {
            List<String> batch = all.subList(start, Math.min(all.size(), start + BATCH));
            for (Identity identity : finder.relations(relation, end, batch)) {
                RowRef row = new RowRef(relation, identity);
                if (!wanted.containsKey(row)) {
                    any = true;
                    add(row, RowRef.entity(entity, key(identity, end)));
                }
            }
        }
        for (DesiredRow row : wanted.values()) {
            if (row.type().equals(relation) && !row.isRetraction() && keys.contains(key(row.identity(), end))) {
                throw contradiction(row.ref(), RowRef.entity(entity, key(row.identity(), end)));
            }
        }
        return any;
    }

    private void add(RowRef relation, RowRef end) {
        if (request.cascading().contains(end)) {
            cascaded.add(relation);
        } else {
            found.put(relation, end);
        }
    }

    private static String key(Identity relation, Part end) {
        Identity.OfRelation ends = (Identity.OfRelation) relation;
        return end == Part.LEFT ? ends.leftKey() : ends.rightKey();
    }

    private OntologiaException refused() {
        Map.Entry<RowRef, RowRef> first = found.entrySet().iterator().next();
        int others = found.size() - 1;
        return new OntologiaException(
                ErrorKind.CONFLICT,
                "cannot retract " + first.getValue(),
                first.getKey() + " still has it at one end"
                        + (others == 0 ? "" : ", and " + others + " more relations would lose an end"),
                "retract the relations in the same commit, or ask for a cascade (--cascade); nothing was stored",
                Map.of("relation", first.getKey().toString(), "relations", found.size()),
                null);
    }

    private static OntologiaException contradiction(RowRef relation, RowRef end) {
        return new OntologiaException(
                ErrorKind.CONFLICT,
                "cannot retract " + end,
                "the same commit writes " + relation + ", which has it at one end",
                "leave out one of them; nothing was stored");
    }
}
