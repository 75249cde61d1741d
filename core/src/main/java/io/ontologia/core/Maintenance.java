package io.ontologia.core;

import io.ontologia.core.internal.CommitTimes;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What an operator does with a store as a whole, whatever types it knows: migrate it, remove types, look at its lock, check
 * it. All methods may be called from many threads.
 *
 * <pre>{@code
 * try (var maintenance = Ontologia.maintain("sqlite:///onto.db", SessionOptions.defaults())) {
 *     Migration migration = maintenance.migration(model, upgraders);
 *     MigrationPlan plan = migration.preview();
 *     migration.apply(plan.token(), Map.of("why", "release 7"), Progress.none());
 * }
 * }</pre>
 */
public final class Maintenance implements AutoCloseable {
    private final Storage storage;
    private final SessionOptions options;

    Maintenance(Storage storage, SessionOptions options) {
        this.storage = storage;
        this.options = options;
    }

    /** A migration to the types of a model. */
    public Migration migration(Model model, Upgraders upgraders) {
        return new Migration(storage, options, model, upgraders, Migration.LOCK_TIMEOUT);
    }

    /** The removal of a type. */
    public SchemaDrop drop(TypeRef target) {
        return new SchemaDrop(storage, options, target);
    }

    /** The write lock. */
    public WriteLock lock() {
        return new WriteLock(storage, options);
    }

    /**
     * Reads everything and says what is not as it must be. Changes nothing.
     *
     * @return what was found, the worst first; the store is in order when none of it {@linkplain Finding#isProblem is a
     *     problem}
     */
    public List<Finding> check(Progress progress) {
        List<Finding> findings = new ArrayList<>(storage.check(progress));
        new CommitTimes(storage, options.storage().clock()).finding().ifPresent(findings::add);
        findings.sort(Comparator.comparing(Finding::severity));
        return findings;
    }

    /** Where the store is, and how much is in it. */
    public StorageInfo info(StorageInfo.Detail detail) {
        return storage.info(detail);
    }

    /**
     * Copies the whole store to an empty one, on whatever backend: every commit with its id, time and metadata, every version
     * of every row, every version of every schema, also of types that were dropped. Then reads the copy and compares. This
     * store is only read, as it is at one moment; others may go on writing to it. The target stays empty until everything is
     * there.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the target is not empty, or somebody wrote to it
     *     meanwhile; of kind {@link ErrorKind#CORRUPT} when this store is damaged, or the copy differs from it
     */
    public CopyResult copyTo(Maintenance target, Progress progress) {
        return new StoreCopy(storage, target.storage, options.runtimeId(), progress).run();
    }

    /** The storage behind it, for tools. */
    public Storage storage() {
        return storage;
    }

    /** Lets go of the store. Idempotent. */
    @Override
    public void close() {
        storage.close();
    }
}
