package io.ontologia.core;

import io.ontologia.core.internal.AdminMetadata;
import io.ontologia.core.internal.PlanToken;
import io.ontologia.core.internal.RowUpgrade;
import io.ontologia.core.internal.evolution.TypeMigration;
import io.ontologia.core.spi.Restructured;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings a store from the schemas that it has to those of a model: new types are registered, changed ones get their next
 * schema version, and their rows are rewritten: by the upgraders that are given, and otherwise by the steps that the model
 * declares and those that follow from compatible changes. Types that only the store knows are left alone.
 *
 * <p>Look at the plan with {@link #preview}, then carry it out with {@link #apply} and the plan's token. It happens under
 * the write lock and in one commit, for all types or for none.
 */
public final class Migration {
    /** How long to wait for the write lock unless said otherwise. */
    public static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

    private final Storage storage;
    private final SessionOptions options;
    private final Model model;
    private final Upgraders upgraders;
    private final Duration lockTimeout;

    Migration(Storage storage, SessionOptions options, Model model, Upgraders upgraders, Duration lockTimeout) {
        this.storage = storage;
        this.options = options;
        this.model = model;
        this.upgraders = upgraders;
        this.lockTimeout = lockTimeout;
    }

    /** The same, waiting so long for the write lock. */
    public Migration lockTimeout(Duration timeout) {
        return new Migration(storage, options, model, upgraders, timeout);
    }

    /**
     * What would be done now. Nothing is written and no lock is taken.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when no migration can lead to the model
     */
    public MigrationPlan preview() {
        return MigrationPlan.of(storage, storage.head(), storage.schemas(), model, upgraders);
    }

    /**
     * Carries out the plan that the token belongs to.
     *
     * @param metadata what the log keeps with the commit, beside what the migration says about itself
     * @throws MissingUpgradersException when rows of some type cannot be upgraded
     * @throws UpgradeFailedException when a row could not be upgraded
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the plan would be another one now, of kind {@link
     *     ErrorKind#BUSY} when somebody else holds the write lock. Whatever is thrown, nothing was changed
     */
    public MigrationResult apply(String token, Map<String, ? extends @Nullable Object> metadata, Progress progress) {
        return run(Optional.of(token), metadata, progress);
    }

    /** As {@link #apply}, whatever the plan is now. */
    public MigrationResult force(Map<String, ? extends @Nullable Object> metadata, Progress progress) {
        return run(Optional.empty(), metadata, progress);
    }

    private MigrationResult run(
            Optional<String> token, Map<String, ? extends @Nullable Object> metadata, Progress progress) {
        Clock clock = options.storage().clock();
        long startedAt = clock.monotonicNanos();
        metadata(List.of(), Map.of(), metadata);
        return new WriteLock(storage, options).holding(lockTimeout, lease -> {
            long head = storage.head();
            List<SchemaVersion> schemas = storage.schemas();
            MigrationPlan plan = MigrationPlan.of(storage, head, schemas, model, upgraders);
            token.ifPresent(given -> PlanToken.require("migrate", given, plan.token()));
            if (!plan.missingUpgraders().isEmpty()) {
                throw new MissingUpgradersException(plan.missingUpgraders());
            }
            if (plan.diffs().isEmpty()) {
                return onlyRegistered(plan, Duration.ofNanos(clock.monotonicNanos() - startedAt));
            }
            Map<TypeRef, Long> versions =
                    schemas.stream().collect(Collectors.toMap(SchemaVersion::type, SchemaVersion::version));
            Restructured done = storage.restructure(new Restructuring(
                    lease.holder(),
                    head,
                    versions,
                    steps(plan),
                    outcomes -> options.author().sign(metadata(outcomes, versions, metadata)),
                    options.runtimeId(),
                    progress));
            return result(plan, done, Duration.ofNanos(clock.monotonicNanos() - startedAt));
        });
    }

    private List<Restructuring.Step> steps(MigrationPlan plan) {
        List<Restructuring.Step> steps = new ArrayList<>();
        for (TypeRef type : plan.newTypes()) {
            steps.add(new Restructuring.Step.Register(model.find(type).orElseThrow()));
        }
        for (SchemaDiff diff : plan.diffs()) {
            OntologyType declared = model.find(diff.type()).orElseThrow();
            TypeMigration migration = MigrationPlan.typeMigration(storage, diff, model, upgraders);
            RowUpgrade upgrade = new RowUpgrade(migration.upgraders(), declared, diff.storedVersion() + 1);
            long rows = plan.estimatedRows().getOrDefault(diff.type(), 0L);
            steps.add(new Restructuring.Step.Migrate(declared, upgrade::upgrade, rows, migration.record()));
        }
        return steps;
    }

    private MigrationResult onlyRegistered(MigrationPlan plan, Duration duration) {
        List<TypeRef> created = List.of();
        Map<TypeRef, Long> versions = new LinkedHashMap<>();
        if (plan.hasChanges()) {
            created = storage.register(
                    plan.newTypes().stream()
                            .map(type -> model.find(type).orElseThrow())
                            .toList(),
                    options.runtimeId());
            for (SchemaVersion schema : storage.schemas()) {
                if (created.contains(schema.type())) {
                    versions.put(schema.type(), schema.version());
                }
            }
        }
        return new MigrationResult(List.of(), created, Map.of(), versions, duration, OptionalLong.empty());
    }

    private static MigrationResult result(MigrationPlan plan, Restructured done, Duration duration) {
        List<TypeRef> migrated = plan.diffs().stream().map(SchemaDiff::type).toList();
        Map<TypeRef, Long> rows = new LinkedHashMap<>();
        Map<TypeRef, Long> versions = new LinkedHashMap<>();
        for (Restructured.Outcome outcome : done.outcomes()) {
            versions.put(outcome.type(), outcome.version());
            if (migrated.contains(outcome.type())) {
                rows.put(outcome.type(), outcome.rows());
            }
        }
        return new MigrationResult(
                migrated, plan.newTypes(), rows, versions, duration, OptionalLong.of(done.commitId()));
    }

    private static Map<String, @Nullable Object> metadata(
            List<Restructured.Outcome> outcomes,
            Map<TypeRef, Long> before,
            Map<String, ? extends @Nullable Object> users) {
        List<Map<String, Object>> types = outcomes.stream()
                .filter(outcome -> before.containsKey(outcome.type()))
                .map(outcome -> Map.<String, Object>of(
                        "type_kind", outcome.type().kind().wireName(),
                        "type_name", outcome.type().name(),
                        "from_schema_version_id", before.getOrDefault(outcome.type(), 0L),
                        "to_schema_version_id", outcome.version(),
                        "rows_rewritten", outcome.rows()))
                .toList();
        return AdminMetadata.join(Map.of("kind", "migration", "migrated_types", types), users);
    }
}
