package io.ontologia.core;

import io.ontologia.core.internal.AdminMetadata;
import io.ontologia.core.internal.PlanToken;
import io.ontologia.core.spi.Restructured;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.Restructuring.History;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes a type from a store. An entity type takes the relation types that use it along, if it is told to; rows are
 * deleted with all their history, if it is told to; otherwise it refuses. The versions of a removed type's schema are
 * kept, and a type of the same name that is registered later goes on counting from there.
 *
 * <p>Immutable: say what to drop, look at the plan with {@link #preview}, then carry it out with {@link #apply} and the
 * plan's token. It happens under the write lock and in one commit.
 */
public final class SchemaDrop {
    private final Storage storage;
    private final SessionOptions options;
    private final TypeRef target;
    private final Relations relations;
    private final Set<String> named;
    private final History history;

    private enum Relations {
        NAMED,
        ALL
    }

    SchemaDrop(Storage storage, SessionOptions options, TypeRef target) {
        this(storage, options, target, Relations.NAMED, Set.of(), History.MUST_BE_EMPTY);
    }

    private SchemaDrop(
            Storage storage,
            SessionOptions options,
            TypeRef target,
            Relations relations,
            Set<String> named,
            History history) {
        this.storage = storage;
        this.options = options;
        this.target = target;
        this.relations = relations;
        this.named = named;
        this.history = history;
    }

    /** The same, together with these relation types, each of which must use the target. */
    public SchemaDrop withRelations(String... names) {
        Set<String> all =
                Stream.concat(named.stream(), Stream.of(names)).collect(Collectors.toCollection(TreeSet::new));
        return new SchemaDrop(storage, options, target, relations, all, history);
    }

    /** The same, together with every relation type that uses the target. */
    public SchemaDrop cascadingRelations() {
        return new SchemaDrop(storage, options, target, Relations.ALL, named, history);
    }

    /** The same, and every version of every row of the removed types is deleted for good. */
    public SchemaDrop purgingHistory() {
        return new SchemaDrop(storage, options, target, relations, named, History.PURGE);
    }

    /**
     * What would be done now, and what stands in its way. Nothing is written and no lock is taken.
     *
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when the store does not know the target, of kind
     *     {@link ErrorKind#INVALID_INPUT} when a named relation type does not use it
     */
    public SchemaDropPlan preview() {
        return plan(storage.head(), storage.schemas());
    }

    /**
     * Carries out the plan that the token belongs to.
     *
     * @param metadata what the log keeps with the commit, beside what the removal says about itself
     * @throws SchemaDropRefusedException when relations or rows stand in the way
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the plan would be another one now, of kind {@link
     *     ErrorKind#BUSY} when somebody else holds the write lock. Whatever is thrown, nothing was changed
     */
    public SchemaDropResult apply(String token, Map<String, ? extends @Nullable Object> metadata) {
        metadata(List.of(), metadata);
        return new WriteLock(storage, options).holding(Migration.LOCK_TIMEOUT, lease -> {
            long head = storage.head();
            List<SchemaVersion> schemas = storage.schemas();
            SchemaDropPlan plan = plan(head, schemas);
            PlanToken.require("drop " + target, token, plan.token());
            plan.requireNoObstacles();
            Restructured done = storage.restructure(new Restructuring(
                    lease.holder(),
                    head,
                    versions(schemas),
                    plan.affected().stream()
                            .<Restructuring.Step>map(type -> new Restructuring.Step.Remove(type, history))
                            .toList(),
                    outcomes -> options.author().sign(metadata(outcomes, metadata)),
                    options.runtimeId(),
                    Progress.none()));
            Map<TypeRef, Long> purged = new LinkedHashMap<>();
            done.outcomes().forEach(outcome -> purged.put(outcome.type(), outcome.rows()));
            return new SchemaDropResult(target, plan.affected(), purged, done.commitId());
        });
    }

    private SchemaDropPlan plan(long head, List<SchemaVersion> schemas) {
        Map<TypeRef, Long> versions = versions(schemas);
        if (!versions.containsKey(target)) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "cannot drop " + target,
                    "the store does not know it",
                    "see 'onto info --schema' for what it knows");
        }
        List<TypeRef> using = using(schemas);
        List<TypeRef> affected = new ArrayList<>(List.of(target));
        List<TypeRef> dependents = new ArrayList<>();
        for (TypeRef relation : using) {
            boolean goes = relations == Relations.ALL || named.contains(relation.name());
            (goes ? affected : dependents).add(relation);
        }
        requireUsing(using);
        Map<TypeRef, StorageInfo.RowCounts> rows = new LinkedHashMap<>();
        for (TypeRef type : affected) {
            rows.put(
                    type,
                    new StorageInfo.RowCounts(
                            storage.count(RowQuery.of(type, new Window.Latest())),
                            storage.count(RowQuery.of(type, new Window.History(0)))));
        }
        return new SchemaDropPlan(target, affected, rows, dependents, history, token(affected, versions, head));
    }

    private List<TypeRef> using(List<SchemaVersion> schemas) {
        return schemas.stream()
                .filter(schema ->
                        target.kind() == TypeKind.ENTITY && schema.type().kind() == TypeKind.RELATION)
                .map(schema -> (RelationType) schema.describe())
                .filter(relation -> relation.left().equals(target.name())
                        || relation.right().equals(target.name()))
                .map(RelationType::ref)
                .toList();
    }

    private void requireUsing(List<TypeRef> using) {
        for (String name : named) {
            if (!using.contains(TypeRef.relation(name))) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot drop relation " + name + " together with " + target,
                        "it does not exist or does not use it",
                        "drop it by itself");
            }
        }
    }

    private String token(List<TypeRef> affected, Map<TypeRef, Long> versions, long head) {
        List<Map<String, Object>> types = affected.stream()
                .map(type -> Map.<String, Object>of(
                        "type_kind", type.kind().wireName(),
                        "type_name", type.name(),
                        "schema_version_id", versions.getOrDefault(type, 0L)))
                .toList();
        return PlanToken.of(
                Map.of("target", target.toString(), "affected", types, "purge_history", history == History.PURGE),
                head);
    }

    private static Map<TypeRef, Long> versions(List<SchemaVersion> schemas) {
        return schemas.stream().collect(Collectors.toMap(SchemaVersion::type, SchemaVersion::version));
    }

    private Map<String, @Nullable Object> metadata(
            List<Restructured.Outcome> outcomes, Map<String, ? extends @Nullable Object> users) {
        List<Map<String, Object>> types = outcomes.stream()
                .map(outcome -> Map.<String, Object>of(
                        "type_kind", outcome.type().kind().wireName(),
                        "type_name", outcome.type().name(),
                        "schema_version_id", outcome.version(),
                        "rows_purged", outcome.rows()))
                .toList();
        return AdminMetadata.join(
                Map.of(
                        "kind",
                        "schema_drop",
                        "target",
                        Map.of("type_kind", target.kind().wireName(), "type_name", target.name()),
                        "dropped_types",
                        types,
                        "purge_history",
                        history == History.PURGE),
                users);
    }
}
