package io.ontologia.core;

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
 */
public record SessionOptions(StorageOptions storage, int maxBatchSize, String runtimeId) {
    public SessionOptions {
        if (maxBatchSize < 1 || runtimeId.isBlank()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid session options",
                    "max_batch_size must be at least 1 and runtime_id must not be blank",
                    "correct them");
        }
    }

    /** 10,000 rows for a commit, a random runtime id, the storage's defaults. */
    public static SessionOptions defaults() {
        StorageOptions storage = StorageOptions.defaults();
        return new SessionOptions(storage, 10_000, "onto-" + RandomIds.hex(storage.random(), 12));
    }

    /** The same with other storage options. */
    public SessionOptions storage(StorageOptions other) {
        return new SessionOptions(other, maxBatchSize, runtimeId);
    }

    /** The same with another batch size. */
    public SessionOptions maxBatchSize(int rows) {
        return new SessionOptions(storage, rows, runtimeId);
    }

    /** The same under another name. */
    public SessionOptions runtimeId(String name) {
        return new SessionOptions(storage, maxBatchSize, name);
    }
}
