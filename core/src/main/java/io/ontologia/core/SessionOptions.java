package io.ontologia.core;

import io.ontologia.core.spi.StorageLayer;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;

/**
 * How a session works.
 *
 * @param storage how the store is opened
 * @param maxBatchSize {@code max_batch_size}: how many rows may wait for one commit
 * @param runtimeId who this session is, in locks and schema versions
 * @param upgraders bring rows of older schema versions up to date when the past is asked for
 * @param layer what stands between the session and the store
 * @param author the author that commits record
 */
public record SessionOptions(
        StorageOptions storage,
        int maxBatchSize,
        String runtimeId,
        Upgraders upgraders,
        StorageLayer layer,
        Author author) {
    public SessionOptions {
        if (maxBatchSize < 1 || runtimeId.isBlank()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid session options",
                    "max_batch_size must be at least 1 and runtime_id must not be blank",
                    "correct them");
        }
    }

    /** 10,000 rows for a commit, a random runtime id, no upgraders, the author of the process, the storage's defaults. */
    public static SessionOptions defaults() {
        StorageOptions storage = StorageOptions.defaults();
        return new SessionOptions(
                storage,
                10_000,
                "onto-" + RandomIds.hex(storage.random(), 12),
                Upgraders.none(),
                StorageLayer.none(),
                Author.ofProcess());
    }

    /** The same with other storage options. */
    public SessionOptions storage(StorageOptions other) {
        return new SessionOptions(other, maxBatchSize, runtimeId, upgraders, layer, author);
    }

    /** The same with another batch size. */
    public SessionOptions maxBatchSize(int rows) {
        return new SessionOptions(storage, rows, runtimeId, upgraders, layer, author);
    }

    /** The same under another name. */
    public SessionOptions runtimeId(String name) {
        return new SessionOptions(storage, maxBatchSize, name, upgraders, layer, author);
    }

    /**
     * The same with upgraders. Queries of the past need them to show rows of schema versions that were migrated by upgraders;
     * where steps are recorded with a schema version, they are not needed. A query over rows that an upgrader rewrites reads every
     * row of its window into this process and filters, sorts and counts there, without help of an index.
     */
    public SessionOptions upgraders(Upgraders other) {
        return new SessionOptions(storage, maxBatchSize, runtimeId, other, layer, author);
    }

    /** The same with something between the session and the store, instead of what was there before. */
    public SessionOptions layer(StorageLayer other) {
        return new SessionOptions(storage, maxBatchSize, runtimeId, upgraders, other, author);
    }

    /** The same with another author of commits; {@link Author#none} for none. */
    public SessionOptions author(Author other) {
        return new SessionOptions(storage, maxBatchSize, runtimeId, upgraders, layer, other);
    }
}
