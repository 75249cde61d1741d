package io.ontologia.core;

import io.ontologia.core.spi.Storage;
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
        return storage.check(progress);
    }

    /** Where the store is, and how much is in it. */
    public StorageInfo info(StorageInfo.Detail detail) {
        return storage.info(detail);
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
