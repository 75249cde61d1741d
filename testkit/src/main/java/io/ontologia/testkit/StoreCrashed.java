package io.ontologia.testkit;

/**
 * The process that used a store is dead, as far as the test is concerned. An {@link Error}, because code that handles
 * exceptions must not be able to go on after its own death.
 */
public final class StoreCrashed extends Error {
    StoreCrashed(long request) {
        super("the client crashed before its request " + request);
    }
}
