package io.ontologia.core;

/** Told how far long work has come. Called on the thread that works; what it throws ends the work, unfinished. */
@FunctionalInterface
public interface Progress {
    /**
     * A piece was done.
     *
     * @param step what is being worked on, for example a type
     * @param done how many pieces of this step are done
     * @param total how many there are, as far as is known
     */
    void report(String step, long done, long total);

    /** Tells nobody. */
    static Progress none() {
        return (step, done, total) -> {};
    }
}
