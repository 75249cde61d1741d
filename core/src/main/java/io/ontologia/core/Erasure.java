package io.ontologia.core;

import io.ontologia.core.internal.AdminMetadata;
import io.ontologia.core.internal.ErasureSearch;
import io.ontologia.core.internal.PlanToken;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.core.spi.Eraser;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Removes every version of rows from a store, for example because the law demands it. History, latest versions and events no longer
 * have them; the digests of commits stay what they are, because the hash of each erased version is kept. A commit without rows
 * records the erasure: its time, the numbers of rows and versions, and a hash of them, but no key and no value.
 *
 * <p>Immutable: look at the plan with {@link #preview}, then carry it out with {@link #apply} and the plan's token. It happens under
 * the write lock.
 *
 * <pre>{@code
 * Erasure erasure = maintenance.erasure(TypeRef.entity("Customer"), List.of(new Identity.OfEntity("c1")));
 * ErasureResult result = erasure.apply(erasure.preview().token(), Map.of("reason", "request 4711"), Progress.none());
 * }</pre>
 */
public final class Erasure {
    private final Storage storage;
    private final SessionOptions options;
    private final TypeRef type;
    private final Set<Identity> identities;
    private final Relations relations;

    private enum Relations {
        REFUSED,
        ERASED
    }

    Erasure(Storage storage, SessionOptions options, TypeRef type, Collection<? extends Identity> identities) {
        this(storage, options, type, new LinkedHashSet<>(identities), Relations.REFUSED);
        if (identities.isEmpty()) {
            throw invalid("no row is named", "name at least one");
        }
        boolean entities = identities.stream().allMatch(Identity.OfEntity.class::isInstance);
        boolean ofRelations = identities.stream().allMatch(Identity.OfRelation.class::isInstance);
        if (!(type.kind() == TypeKind.ENTITY ? entities : ofRelations)) {
            throw invalid(
                    "the keys are not those of a " + type.kind().wireName(),
                    "give one key for an entity and two or three for a relation");
        }
    }

    private Erasure(
            Storage storage, SessionOptions options, TypeRef type, Set<Identity> identities, Relations relations) {
        this.storage = storage;
        this.options = options;
        this.type = type;
        this.identities = identities;
        this.relations = relations;
    }

    private static OntologiaException invalid(String cause, String remedy) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "cannot erase", cause, remedy);
    }

    /** The same, together with every relation that ever had one of the entities at an end. */
    public Erasure cascadingRelations() {
        return new Erasure(storage, options, type, identities, Relations.ERASED);
    }

    /**
     * What would be done now, and what it would not reach. Reads the histories of the types concerned and all events. Nothing is
     * written and no lock is taken.
     *
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when the store does not know the type
     */
    public ErasurePlan preview() {
        return plan(storage.head());
    }

    /**
     * Carries out the plan that the token belongs to.
     *
     * @param metadata what the log keeps with the commit, for example a reason; it must not hold what is erased
     * @throws ErasureRefusedException when relations name the entities, or there is nothing to erase
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the plan would be another one now, of kind {@link
     *     ErrorKind#BUSY} when another process holds the write lock; nothing was changed. After any other error, call it again with
     *     a new plan, or {@link Maintenance#finishErasures} when the rows are gone already
     */
    public ErasureResult apply(String token, Map<String, ? extends @Nullable Object> metadata, Progress progress) {
        metadata(List.of(), 0, metadata);
        return new WriteLock(storage, options).holding(Migration.LOCK_TIMEOUT, lease -> {
            long head = storage.head();
            ErasurePlan plan = plan(head);
            PlanToken.require("erase", token, plan.token());
            plan.requireNoObstacles();
            Map<TypeRef, Set<Identity>> targets = new LinkedHashMap<>();
            plan.targets().stream()
                    .filter(target -> target.versions() > 0)
                    .forEach(target -> targets.computeIfAbsent(target.type(), unused -> new LinkedHashSet<>())
                            .add(target.identity()));
            Eraser.Erased erased = storage.eraser()
                    .erase(new Eraser.Request(
                            lease.holder(),
                            head,
                            targets,
                            plan.events(),
                            rows -> metadata(rows, plan.events().size(), metadata, targets),
                            options.runtimeId(),
                            progress));
            Map<TypeRef, Long> versions = new LinkedHashMap<>();
            erased.rows().forEach(row -> versions.merge(row.type(), 1L, Long::sum));
            return new ErasureResult(versions, plan.events().size(), erased.commitId(), erased.remains());
        });
    }

    private ErasurePlan plan(long head) {
        ErasureSearch search = new ErasureSearch(storage, type, identities);
        Map<TypeRef, Set<Identity>> related = search.relations();
        Map<TypeRef, Set<Identity>> all = new LinkedHashMap<>();
        all.put(type, identities);
        Map<TypeRef, Long> dependents = new LinkedHashMap<>();
        related.forEach((relation, found) -> {
            if (relations == Relations.ERASED) {
                all.put(relation, found);
            } else {
                dependents.put(relation, (long) found.size());
            }
        });
        ErasureSearch.Versions versions = search.versions(all);
        List<Eraser.EventRef> events = search.events(all);
        List<String> files = storage.eraser().files(all.keySet());
        List<Map<String, Object>> rows = new ArrayList<>();
        versions.targets()
                .forEach(target -> rows.add(Map.of(
                        "type", target.type().toString(),
                        "row", ErasureSearch.parts(target.identity()),
                        "versions", target.versions())));
        String token = PlanToken.of(
                Map.of(
                        "erase",
                        rows,
                        "events",
                        events.stream().map(Object::toString).toList()),
                head);
        return new ErasurePlan(versions.targets(), List.copyOf(versions.commits()), files, events, dependents, token);
    }

    private static Map<String, @Nullable Object> metadata(
            Collection<ErasedRow> rows, long events, Map<String, ? extends @Nullable Object> users) {
        return metadata(rows, events, users, Map.of());
    }

    private static Map<String, @Nullable Object> metadata(
            Collection<ErasedRow> rows,
            long events,
            Map<String, ? extends @Nullable Object> users,
            Map<TypeRef, Set<Identity>> targets) {
        Map<String, TypeRef> types = new TreeMap<>();
        Map<TypeRef, List<String>> hashes = new LinkedHashMap<>();
        for (ErasedRow row : rows) {
            types.put(row.type().toString(), row.type());
            hashes.computeIfAbsent(row.type(), unused -> new ArrayList<>()).add(row.sha256());
        }
        List<Map<String, Object>> erased = new ArrayList<>();
        for (TypeRef type : types.values()) {
            List<String> ofType = hashes.getOrDefault(type, List.of());
            erased.add(Map.of(
                    "type_kind", type.kind().wireName(),
                    "type_name", type.name(),
                    "identities", targets.getOrDefault(type, Set.of()).size(),
                    "versions", ofType.size(),
                    "rows_sha256", ErasedRow.hashOfAll(ofType)));
        }
        return AdminMetadata.join(Map.of("kind", "erasure", "erased", erased, "events_removed", events), users);
    }
}
