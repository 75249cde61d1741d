package io.ontologia.objectstore;

/**
 * Makes what a lock protects refuse the former holders of that lock. Each hold has a token, larger than that of the hold before
 * it. What is protected remembers the largest token that it was told of, and refuses writes under a smaller one in the same
 * atomic step as the write.
 *
 * <p>A lock raises the fence only where a holder may still be at work: before it takes over an expired lease, and before it
 * breaks one. May be called by many threads and processes at once.
 */
@FunctionalInterface
public interface LeaseFence {

    /**
     * Makes sure that writes under the given token, and under all smaller ones, are refused from the return of this method on.
     *
     * @return the token that is needed now, larger than the given one
     */
    long raiseAbove(long token);

    /** For locks that protect nothing that could refuse a writer. */
    static LeaseFence none() {
        return token -> token + 1;
    }
}
