package io.ontologia.core.spi;

/** Something that stands between a session and its store, and sees what goes through: to publish it, to measure it. */
@FunctionalInterface
public interface StorageLayer {
    /**
     * The store with this layer over it. Called once for each opening; closing what it returns closes the store.
     *
     * @throws RuntimeException when it cannot be; the caller closes the store then
     */
    Storage over(Storage store);

    /** Nothing in between. */
    static StorageLayer none() {
        return store -> store;
    }
}
